// The text twin of the graph: the same steps as a table.

import { useMemo } from "react";
import { StatusPill } from "../../../components/status.tsx";
import type { Graph, GraphNode, Outline } from "../../../model/run.ts";
import { conditionsOf, type NodeCondition, sayItems, spanOf } from "../../../model/steps.ts";
import { showAbsolute, showDuration } from "../../../model/time.ts";
import { Ticking } from "../ticking.tsx";

export type StepTableProps = {
  readonly graph: Graph;
  readonly outline?: Outline | null;
  readonly selected: string | null;
  readonly hovered?: string | null;
  readonly onSelect: (key: string | null) => void;
  readonly onHover?: (key: string | null) => void;
  readonly label?: string;
};

export function StepTable({
  graph,
  outline = null,
  selected,
  hovered = null,
  onSelect,
  onHover,
  label = "Steps",
}: StepTableProps) {
  const conditions = useMemo(() => (outline === null ? null : conditionsOf(outline)), [outline]);
  const leads = useMemo(() => leadsOf(graph), [graph]);
  const nodes = useMemo(
    () => (conditions === null ? graph.nodes : byStart(graph.nodes, conditions)),
    [graph, conditions],
  );
  const heads =
    conditions === null
      ? ["Step", "Does", "Leads to"]
      : ["Step", "Does", "Status", "Tries", "Started", "Duration", "Leads to"];
  const begin = outline === null ? 0 : (outline.run.startedAt ?? outline.run.createdAt);
  return (
    <div
      role="region"
      aria-label={label}
      tabIndex={0}
      className="min-h-0 w-full overflow-auto"
      data-testid="step-table"
    >
      <table className="w-full border-collapse text-table">
        <thead className="sticky top-0 z-1 bg-surface text-text2">
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col" className="border-b border-border px-3 py-2 whitespace-nowrap">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {nodes.map((node) => (
            <tr
              key={node.key}
              data-step-key={node.key}
              data-status={conditions?.get(node.key)?.shown.token}
              className={`h-row cursor-pointer border-b border-border hover:bg-sunken ${selected === node.key || hovered === node.key ? "bg-sunken" : ""}`}
              onClick={() => onSelect(node.key)}
              onMouseEnter={() => onHover?.(node.key)}
              onMouseLeave={() => onHover?.(null)}
            >
              <NameCell node={node} isSelected={selected === node.key} onSelect={onSelect} />
              <td className="mono max-w-56 truncate px-3 !text-meta text-text2" title={node.detail}>
                {node.detail === "" ? node.kind : node.detail}
              </td>
              {conditions === null ? null : (
                <ConditionCells condition={conditions.get(node.key) ?? null} begin={begin} />
              )}
              <td className="max-w-80 truncate px-3 text-text2" title={leads.get(node.key)}>
                {leads.get(node.key)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** As they began; what has not begun stands last, as the flow has it. */
function byStart(nodes: Graph["nodes"], conditions: ReadonlyMap<string, NodeCondition>): Graph["nodes"] {
  const startOf = ({ key }: GraphNode): number => {
    const condition = conditions.get(key);
    return condition?.startedAt ?? condition?.step?.createdAt ?? Number.MAX_SAFE_INTEGER;
  };
  return nodes.toSorted((one, other) => startOf(one) - startOf(other));
}

type NameProps = { readonly node: GraphNode; readonly isSelected: boolean; readonly onSelect: (key: string) => void };

function NameCell({ node, isSelected, onSelect }: NameProps) {
  return (
    <th scope="row" className="max-w-56 px-3">
      <button
        type="button"
        aria-pressed={isSelected}
        title={node.name}
        className={`block min-h-6 max-w-full truncate rounded-control text-start font-medium ${isSelected ? "text-accent" : "text-text"}`}
        onClick={(event) => {
          event.stopPropagation();
          onSelect(node.key);
        }}
      >
        {node.name}
      </button>
    </th>
  );
}

function ConditionCells({ condition, begin }: { readonly condition: NodeCondition | null; readonly begin: number }) {
  const span = condition === null ? null : spanOf(condition);
  return (
    <>
      <td className="px-3 whitespace-nowrap">
        {condition === null ? null : <StatusPill shown={condition.shown} />}
        {condition?.items ? <span className="ms-2 text-text2">{sayItems(condition.items)}</span> : null}
        {condition?.arrived ? (
          <span className="ms-2 text-text2">{`${condition.arrived.count} of ${condition.arrived.of} arrived`}</span>
        ) : null}
      </td>
      <td className="px-3 whitespace-nowrap text-text2">
        {condition === null || condition.step === null
          ? "–"
          : condition.attemptsMax > 1
            ? `${condition.attempts}/${condition.attemptsMax}`
            : condition.attempts}
        {condition !== null && condition.visits > 1 ? `, visit ${condition.visits}` : ""}
      </td>
      <td className="px-3 whitespace-nowrap text-text2">
        {span === null ? (
          "–"
        ) : (
          <time
            dateTime={new Date(span.from).toISOString()}
            title={showAbsolute(span.from)}
          >{`+${showDuration(span.from - begin)}`}</time>
        )}
      </td>
      <td className="px-3 whitespace-nowrap text-text2">
        {span === null ? "–" : <Ticking from={span.from} to={span.to} />}
      </td>
    </>
  );
}

function leadsOf({ nodes, links }: Graph): ReadonlyMap<string, string> {
  const names = new Map(nodes.map(({ key, name }) => [key, name]));
  const leaving = Map.groupBy(links, (loaded) => loaded.from);
  return new Map(
    nodes.map(({ key, ending }) => {
      const words = (leaving.get(key) ?? []).map(({ to, label }) => {
        const target = to === null ? "end" : (names.get(to) ?? to);
        return label === "" ? target : `${label}: ${target}`;
      });
      return [
        key,
        words.length > 0
          ? words.join(", ")
          : ending === null
            ? ""
            : `ends in ${ending === "cancel" ? "cancellation" : ending}`,
      ];
    }),
  );
}
