// A plan as the nodes and links of a drawing: the same that the drawings of the terminal are made from.

import { buildPicture, isSide, type Link, type PictureNode } from "../../flow/draw/picture.ts";
import { own } from "../../flow/json.ts";
import type { Plan, PlanStep } from "../../flow/plan.ts";
import type { GraphDocument, GraphLinkDocument, GraphNodeDocument } from "../contract/outline.ts";

export function toGraphDocument(plan: Plan): GraphDocument {
  const { title, nodes } = buildPicture(plan);
  return {
    title,
    notation: plan.notation,
    start: plan.start,
    nodes: nodes.map((node) => toNode(node, own(plan.steps, node.key))),
    links: nodes.flatMap(({ links }) => links.map(toLink)),
  };
}

function toNode(node: PictureNode, step: PlanStep | undefined): GraphNodeDocument {
  return {
    key: node.key,
    name: node.label,
    kind: node.kind,
    detail: node.detail,
    tool: step?.kind === "tool" ? step.tool : null,
    ending: node.ending,
    is_fork: node.isFork,
    is_join: node.isJoin,
    join: node.join?.key ?? null,
    is_each: step !== undefined && "each" in step && step.each !== null,
    attempts_max: attemptsOf(step),
    pointer: step?.pointer ?? null,
  };
}

/** Numbered among those of its step: several may lead to the same one. */
function toLink(link: Link, at: number): GraphLinkDocument {
  const { from, to, kind, label, isFailure, isBack } = link;
  return {
    id: `${from.key}#${at}`,
    from: from.key,
    to: to?.key ?? null,
    kind,
    label,
    is_failure: isFailure,
    is_back: isBack,
    is_side: isSide(link),
  };
}

/** Tries in all. */
export function attemptsOf(step: PlanStep | undefined): number {
  return step?.kind === "tool" || step?.kind === "flow" ? step.retry.attempts : 1;
}

const graphsMax = 500;

/** Graphs of flows, which never change, each made once; the oldest goes when there are too many. */
export function createGraphs(): (plan: Plan) => GraphDocument {
  const known = new Map<string, GraphDocument>();
  return (plan) => {
    const found = known.get(plan.hash);
    if (found !== undefined) return found;
    const graph = toGraphDocument(plan);
    const [oldest] = known.keys();
    if (known.size >= graphsMax && oldest !== undefined) known.delete(oldest);
    known.set(plan.hash, graph);
    return graph;
  };
}
