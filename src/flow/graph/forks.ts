// Which step joins which fork. A join may stand on the forking step, on the last steps of its branches, or be the join
// of the fork around it; the plan says it once, on the fork, so that the kernel never has to search.
//
// The *level* of a fork is what runs directly in its branches: a fork inside it counts as one step that leads to its own
// join. Every step lies on few levels, so looking at each fork's level costs about as much as looking at the flow.

import type { Fork } from "../plan.ts";
import { pathCanEnd } from "./ends.ts";
import { arcsFrom, isSide, walk, type Arc, type Graph } from "./graph.ts";
import { postorder } from "./order.ts";

/** Index of a forking step → index of the step that joins it. */
export type Joins = ReadonlyMap<number, number>;

export function forkAt(graph: Graph, index: number): Fork | undefined {
  const transition = graph.steps[index]?.transition;
  return transition?.kind === "fork" ? transition : undefined;
}

export function resolveJoins(graph: Graph): Joins {
  const joins = new Map<number, number>();
  const inner = postorder(graph).filter((index) => forkAt(graph, index) !== undefined);
  for (const fork of inner) {
    const join = joinOnFork(graph, fork) ?? joinOnBranches(graph, joins, fork) ?? joinOfInnerForks(graph, joins, fork);
    if (join !== undefined) joins.set(fork, join);
  }
  for (const fork of inner.toReversed()) inheritJoin(graph, joins, fork);
  return joins;
}

function joinOnFork(graph: Graph, fork: number): number | undefined {
  const join = forkAt(graph, fork)?.join ?? null;
  return join === null ? undefined : graph.indexOf.get(join);
}

/** The join that most last steps of the branches name. One that is named only behind another belongs further out. */
function joinOnBranches(graph: Graph, joins: Joins, fork: number): number | undefined {
  const named = joinsNamed(graph, levelOf(graph, joins, fork));
  if (named.length === 0) return undefined;
  const nearest = joinsNamed(graph, levelOf(graph, joins, fork, new Set(named)));
  return mostFrequent(graph, nearest.length > 0 ? nearest : named);
}

function joinsNamed(graph: Graph, level: Iterable<number>): readonly number[] {
  // A fork's arrow to its own join is not the word of a branch.
  const steps = [...level].filter((index) => forkAt(graph, index) === undefined);
  const arcs = steps.flatMap((index) => arcsFrom(graph, index));
  return arcs.filter((arc) => arc.edge.kind === "join").map((arc) => arc.to);
}

/** Two branches that each hold a fork closing into the same step: that step joins the outer fork too. */
function joinOfInnerForks(graph: Graph, joins: Joins, fork: number): number | undefined {
  const closings = headsOf(graph, fork).flatMap((head) => {
    const level = levelFrom(graph, joins, [head]);
    return [...new Set([...level].map((index) => joins.get(index)).filter((join) => join !== undefined))];
  });
  return mostFrequent(
    graph,
    closings.filter((join, at) => closings.indexOf(join) !== at),
  );
}

/** A fork without a join of its own, one of whose branches goes to the join of the fork around it, closes there. */
function inheritJoin(graph: Graph, joins: Map<number, number>, fork: number): void {
  const join = joins.get(fork);
  if (join === undefined) return;
  for (const index of levelOf(graph, joins, fork)) {
    if (forkAt(graph, index) === undefined || joins.has(index)) continue;
    const level = [...levelOf(graph, joins, index)];
    if (level.some((step) => arcsFrom(graph, step).some((arc) => arc.to === join))) joins.set(index, join);
  }
}

function mostFrequent(graph: Graph, joins: readonly number[]): number | undefined {
  const counts = new Map<number, number>();
  for (const join of joins) counts.set(join, (counts.get(join) ?? 0) + 1);
  // Ties go by name: the order in which keys were written must not matter.
  const ranked = [...counts].toSorted(
    ([one, ones], [other, others]) => others - ones || (keyAt(graph, one) < keyAt(graph, other) ? -1 : 1),
  );
  return ranked[0]?.[0];
}

function keyAt(graph: Graph, index: number): string {
  return graph.steps[index]?.key ?? "";
}

function headsOf(graph: Graph, fork: number): readonly number[] {
  return arcsFrom(graph, fork)
    .filter((arc) => arc.edge.kind === "fork")
    .map((arc) => arc.to);
}

/** The steps that run directly in the branches of a fork, up to its join or to `barriers`. */
export function levelOf(
  graph: Graph,
  joins: Joins,
  fork: number,
  barriers: ReadonlySet<number> = new Set(),
): ReadonlySet<number> {
  const join = joins.get(fork);
  const stops = join === undefined ? barriers : new Set([...barriers, join]);
  const heads = headsOf(graph, fork).filter((head) => !stops.has(head));
  return levelFrom(graph, joins, heads, stops);
}

function levelFrom(
  graph: Graph,
  joins: Joins,
  heads: readonly number[],
  stops: ReadonlySet<number> = new Set(),
): ReadonlySet<number> {
  return walk(heads, (index) => levelNext(graph, joins, index).filter((to) => !stops.has(to)));
}

function levelNext(
  graph: Graph,
  joins: Joins,
  index: number,
  isTaken: (arc: Arc) => boolean = () => true,
): readonly number[] {
  const arcs = arcsFrom(graph, index).filter((arc) => isWithinBranch(arc) && isTaken(arc));
  const next = arcs.map((arc) => arc.to);
  const join = forkAt(graph, index) === undefined ? undefined : joins.get(index);
  return join === undefined ? next : [...next, join];
}

// Not followed: into a fork's branches, over a join, and side paths, which are in no branch.
function isWithinBranch(arc: Arc): boolean {
  return arc.edge.kind !== "fork" && arc.edge.kind !== "join" && !isSide(arc);
}

export type Arrival = { readonly fork: number; readonly arc: Arc };

/** The arrows that nobody writes: where the join stands on the fork, every branch that ends well arrives there. Those of
 *  steps that only a failure leads to are marked as failures. */
export function arrivals(graph: Graph, joins: Joins): readonly Arrival[] {
  return [...joins].flatMap(([fork, join]) => {
    if (forkAt(graph, fork)?.everyBranchArrives !== true) return [];
    const regular = new Set(endingSteps(graph, joins, { fork, isTaken: (arc) => !arc.edge.isFailure }));
    const all = endingSteps(graph, joins, { fork, isTaken: () => true });
    return all.map((from) => ({ fork, arc: arrival(graph, { from, to: join, isFailure: !regular.has(from) }) }));
  });
}

export function arrivalArcs(graph: Graph, joins: Joins): readonly Arc[] {
  return arrivals(graph, joins).map(({ arc }) => arc);
}

type Ways = { readonly fork: number; readonly isTaken: (arc: Arc) => boolean };

function endingSteps(graph: Graph, joins: Joins, { fork, isTaken }: Ways): readonly number[] {
  const join = joins.get(fork);
  const inside = walk(headsOf(graph, fork), (index) => {
    const next = forkAt(graph, index) !== undefined && !joins.has(index) ? headsOf(graph, index) : [];
    return [...levelNext(graph, joins, index, isTaken), ...next].filter((to) => to !== join);
  });
  return [...inside].filter((index) => index !== join && pathCanEnd(graph, index));
}

function arrival(graph: Graph, { from, to, isFailure }: { from: number; to: number; isFailure: boolean }): Arc {
  const step = graph.steps[from];
  const edge = { kind: "join", label: "", isFailure } as const;
  return {
    from,
    to,
    edge: { ...edge, from: step?.key ?? "", to: keyAt(graph, to), pointer: step?.pointer ?? "" },
  };
}
