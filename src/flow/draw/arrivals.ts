// Where `join` stands on the forking step, a branch arrives at the join by ending: no transition says so, and yet it is
// an arrow of the drawing.

import { arrivalArcs, forkAt, resolveJoins } from "../graph/forks.ts";
import { arcsFrom, buildGraph, walk, type Graph } from "../graph/graph.ts";
import type { Plan, StepKey } from "../plan.ts";

export type Arrival = {
  readonly joins: ReadonlySet<StepKey>;
  /** The step is also reached without such a fork around it: there it is an end. */
  readonly isEndToo: boolean;
};

/** The steps whose end is an arrival. */
export function findArrivals(plan: Plan): ReadonlyMap<StepKey, Arrival> {
  const graph = buildGraph(plan.steps, plan.start);
  const outside = walk([graph.start], (index) => stepsOutside(graph, index));
  const arrivals = new Map<StepKey, Arrival & { readonly joins: Set<StepKey> }>();
  for (const { from, edge } of arrivalArcs(graph, resolveJoins(graph))) {
    const arrival = arrivals.get(edge.from) ?? { joins: new Set(), isEndToo: outside.has(from) };
    if (edge.to !== null) arrival.joins.add(edge.to);
    arrivals.set(edge.from, arrival);
  }
  return arrivals;
}

function stepsOutside(graph: Graph, index: number): readonly number[] {
  const isArrivedAt = forkAt(graph, index)?.everyBranchArrives === true;
  return arcsFrom(graph, index).flatMap(({ edge, to }) => (isArrivedAt && edge.kind === "fork" ? [] : [to]));
}
