// A plan as numbers: steps are indices, arrows are lists. Built once per validation; every analysis in this folder walks
// it with loops of its own, because a flow of ten thousand steps in a row must not need ten thousand stack frames.

import { edgesFrom, sideEdgesFrom, type Edge } from "../edges.ts";
import type { PlanStep, StepKey } from "../plan.ts";

export type Arc = { readonly from: number; readonly to: number; readonly edge: Edge };

export type Graph = {
  readonly steps: readonly PlanStep[];
  readonly indexOf: ReadonlyMap<StepKey, number>;
  readonly start: number;
  readonly out: readonly (readonly Arc[])[];
  readonly into: readonly (readonly Arc[])[];
};

export function buildGraph(steps: { readonly [key: StepKey]: PlanStep }, start: StepKey): Graph {
  const list = Object.values(steps);
  const indexOf = new Map(list.map((step, index) => [step.key, index]));
  const out: Arc[][] = list.map(() => []);
  const into: Arc[][] = list.map(() => []);
  for (const [from, step] of list.entries()) {
    for (const edge of [...edgesFrom(step), ...sideEdgesFrom(step)]) {
      const to = edge.to === null ? undefined : indexOf.get(edge.to);
      if (to !== undefined) addArc(out, into, { from, to, edge });
    }
  }
  return { steps: list, indexOf, start: indexOf.get(start) ?? 0, out, into };
}

/** The same graph with more arrows. */
export function withArcs(graph: Graph, arcs: readonly Arc[]): Graph {
  const out = graph.out.map((list) => [...list]);
  const into = graph.into.map((list) => [...list]);
  for (const arc of arcs) addArc(out, into, arc);
  return { ...graph, out, into };
}

function addArc(out: Arc[][], into: Arc[][], arc: Arc): void {
  out[arc.from]?.push(arc);
  into[arc.to]?.push(arc);
}

export function arcsFrom(graph: Graph, index: number): readonly Arc[] {
  return graph.out[index] ?? [];
}

export function arcsInto(graph: Graph, index: number): readonly Arc[] {
  return graph.into[index] ?? [];
}

/** Everything reached from `starts` along `next`, the starts included. */
export function walk<Node>(starts: Iterable<Node>, next: (index: Node) => Iterable<Node>): Set<Node> {
  const seen = new Set(starts);
  // A set iterates over what is added while it is walked: it is its own queue.
  for (const index of seen) for (const to of next(index)) seen.add(to);
  return seen;
}

export function successors(graph: Graph, index: number): readonly number[] {
  return arcsFrom(graph, index).map((arc) => arc.to);
}

export function predecessors(graph: Graph, index: number): readonly number[] {
  return arcsInto(graph, index).map((arc) => arc.from);
}

/** Escalation and clean-up start beside the path, which goes on without them. */
export function isSide({ edge }: Arc): boolean {
  return edge.kind === "escalate" || edge.kind === "cleanup";
}
