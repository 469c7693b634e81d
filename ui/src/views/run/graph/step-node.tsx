// A step in the graph: it can be pointed at, reached by keyboard, and selected.

import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import type { KeyboardEvent } from "react";
import type { GraphLink, GraphNode } from "../../../model/run.ts";
import type { Token } from "../../../model/status.ts";
import { type NodeCondition, sayStep } from "../../../model/steps.ts";
import { useGraphState } from "./graph-state.ts";
import { PathEnd, StepCard } from "./step-card.tsx";

export type StepNodeType = Node<{ readonly node: GraphNode }, "step">;
export type DotNodeType = Node<{ readonly link: GraphLink | null }, "dot">;

export function StepNode({ data: { node } }: NodeProps<StepNodeType>) {
  const state = useGraphState();
  const condition = state.conditions?.get(node.key) ?? null;
  const isSelected = state.selected === node.key;
  const press = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    state.onSelect(node.key);
  };
  return (
    <div
      role="button"
      tabIndex={state.tabStop === node.key ? 0 : -1}
      aria-pressed={isSelected}
      data-node-key={node.key}
      data-testid="graph-node"
      data-status={condition?.shown.token}
      data-token={tokenOf(node, condition)}
      data-hovered={state.hovered === node.key}
      className={`graph-node ${lookOf(node, condition)}`}
      onClick={() => state.onSelect(node.key)}
      onKeyDown={press}
      onFocus={() => state.onFocus(node.key)}
      onMouseEnter={() => state.onHover(node.key)}
      onMouseLeave={() => state.onHover(null)}
    >
      <span className="sr-only">{sayStep(node, condition)}</span>
      <span aria-hidden className="contents">
        <StepCard node={node} condition={condition} />
      </span>
      <Ends />
    </div>
  );
}

function tokenOf(node: GraphNode, condition: NodeCondition | null): Token | undefined {
  if (condition === null) return node.kind === "missing" ? "failed" : undefined;
  if (node.kind !== "end" || condition.step === null) return condition.shown.token;
  return node.ending === "failure" ? "failed" : node.ending === "cancel" ? "cancelled" : "done";
}

function lookOf({ kind, isEach }: GraphNode, condition: NodeCondition | null): string {
  const looks = [kind === "end" ? "graph-end" : kind === "state" ? "graph-state" : ""];
  if (isEach) looks.push("graph-each");
  if (condition?.shown.token === "running") looks.push("graph-running");
  if (condition?.isCurrent === true) looks.push("graph-current");
  if (condition?.shown.token === "skipped" || kind === "missing") looks.push("graph-dashed");
  return looks.join(" ");
}

/** Where a path ends that leads to no step; in colour where the run has come there, which after a refusal is no success. */
export function DotNode({ data: { link } }: NodeProps<DotNodeType>) {
  const { taken } = useGraphState();
  const isReached = link !== null && taken?.has(link.id) === true;
  return (
    <span
      title={isReached ? "The path has ended here" : "The path ends here"}
      data-testid="path-end"
      data-reached={isReached}
      data-token={isReached ? (link.isFailure ? "cancelled" : "done") : undefined}
      className={`flex size-[18px] items-center justify-center rounded-full border ${isReached ? "status border-current" : "border-strong bg-surface text-text2"}`}
    >
      <PathEnd />
      <Ends />
    </span>
  );
}

/** xyflow looks for them to find out where arrows begin and end; nobody sees them. */
function Ends() {
  return (
    <>
      <Handle type="target" position={Position.Top} isConnectable={false} className="graph-handle" />
      <Handle type="source" position={Position.Bottom} isConnectable={false} className="graph-handle" />
    </>
  );
}
