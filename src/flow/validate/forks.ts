// Do the branches of each fork stay in it and end in one join? Exact sets are built only for forks whose region has a
// way in or out besides its own: in a flow drawn with care, checking a fork costs no more than walking its branches.

import { finding, type Finding } from "../finding.ts";
import type { Dominators } from "../graph/dominators.ts";
import { forkAt, levelOf, type Joins } from "../graph/forks.ts";
import { arcsFrom, arcsInto, isSide, predecessors, successors, walk, type Arc, type Graph } from "../graph/graph.ts";
import { under } from "../pointer.ts";
import { pathCanEnd } from "../graph/ends.ts";

type Context = {
  readonly graph: Graph;
  /** The same with the arrivals at joins that nobody writes. */
  readonly whole: Graph;
  readonly joins: Joins;
  readonly dominators: Dominators;
};

export function checkForks(context: Context): readonly Finding[] {
  const { graph } = context;
  const forks = [...graph.steps.keys()].filter((index) => forkAt(graph, index) !== undefined);
  const found = forks.flatMap((fork) => [
    ...checkJoins(context, fork),
    ...checkArrival(context, fork),
    ...checkRegion(context, fork),
  ]);
  // A transition out of two nested forks is one mistake.
  return [...new Map(found.map((each) => [`${each.code} ${each.pointer}`, each])).values()];
}

/** The last steps of one fork's branches must name the same join. */
function checkJoins({ graph, joins }: Context, fork: number): readonly Finding[] {
  const join = joins.get(fork);
  if (join === undefined) return [];
  const expected = labelAt(graph, join);
  return [...levelOf(graph, joins, fork)]
    .flatMap((index) => arcsFrom(graph, index))
    .filter((arc) => arc.edge.kind === "join" && arc.to !== join && forkAt(graph, arc.from) === undefined)
    .map(({ from, to, edge }) => {
      const message = `The fork "${labelAt(graph, fork)}" is joined by "${expected}", but "${labelAt(graph, from)}" in it names "${labelAt(graph, to)}". All branches of a fork end in one join.`;
      const key = graph.steps[join]?.key ?? "";
      return finding("different_joins", edge.pointer, message, [{ op: "replace", path: edge.pointer, value: key }]);
    });
}

/** A join that is one of the branches, or at which no branch can arrive, is never met. */
function checkArrival({ graph, joins }: Context, fork: number): readonly Finding[] {
  const join = joins.get(fork);
  const step = graph.steps[fork];
  const transition = forkAt(graph, fork);
  if (join === undefined || step === undefined || transition === undefined) return [];
  const name = labelAt(graph, join);
  const pointer = under(step.pointer, transition.everyBranchArrives ? "join" : "parallel");
  const heads = transition.branches.map((branch) => graph.indexOf.get(branch));
  if (join === fork || heads.includes(join)) {
    const message = `"${name}" cannot join the fork "${step.label}": it is the fork itself or one of its branches. Name a step after the branches.`;
    return [finding("join_never_met", pointer, message)];
  }
  const level = [...levelOf(graph, joins, fork)];
  const arrives = (index: number): boolean =>
    successors(graph, index).includes(join) ||
    joins.get(index) === join ||
    (transition.everyBranchArrives && (pathCanEnd(graph, index) || isOpenFork(index)));
  const isOpenFork = (index: number): boolean => forkAt(graph, index) !== undefined && !joins.has(index);
  if (level.some(arrives)) return [];
  const message = `No branch of the fork "${step.label}" can arrive at "${name}": every one of them ends before. Let a branch end with success or lead to it.`;
  return [finding("join_never_met", pointer, message)];
}

function checkRegion(context: Context, fork: number): readonly Finding[] {
  const { graph, joins, dominators } = context;
  const join = joins.get(fork);
  const arcsWithin = (index: number): readonly Arc[] =>
    arcsFrom(graph, index).filter((arc) => arc.to !== join && !isSide(arc));
  const isOwn = (arc: Arc): boolean => !arc.edge.isFailure || dominators.dominates(fork, arc.to);
  const region = walk(headsOf(graph, fork, join), (index) => targets(arcsWithin(index).filter(isOwn)));
  // One `alert` for failures of many forks, with all that follows it, belongs to none of them.
  const failures = [...region].flatMap((index) => arcsWithin(index)).filter((arc) => !region.has(arc.to));
  const handlers = walk(targets(failures), (index) => targets(arcsWithin(index)));
  const isInside = (index: number): boolean => index === fork || region.has(index) || handlers.has(index);
  const isClosed =
    [...region].every((index) => predecessors(graph, index).every((from) => from === fork || region.has(from))) &&
    [...handlers].every((index) => arcsInto(graph, index).every((arc) => arc.edge.isFailure || isInside(arc.from)));
  if (isClosed && !region.has(fork) && !handlers.has(fork)) return [];
  return leavingArcs(context, fork).map((arc) => leavesFork(graph, fork, arc));
}

function headsOf(graph: Graph, fork: number, join: number | undefined): readonly number[] {
  return targets(arcsFrom(graph, fork).filter((arc) => arc.edge.kind === "fork" && arc.to !== join));
}

function targets(arcs: readonly Arc[]): readonly number[] {
  return arcs.map((arc) => arc.to);
}

/** The transitions that leave the branches: back to the fork or before it, or, after success, past the join. A failure
 *  may lead to a step that the flow behind the join uses too, but what handles it must not go on with that flow. */
function leavingArcs({ graph, whole, joins, dominators }: Context, fork: number): readonly Arc[] {
  const join = joins.get(fork);
  const before = walk([fork], (index) => predecessors(graph, index).filter((from) => from !== join));
  const fromJoin = (next: (index: number) => readonly number[]): ReadonlySet<number> =>
    join === undefined ? new Set() : walk([join], (index) => next(index).filter((to) => to !== fork));
  const behind = fromJoin((index) => successors(whole, index));
  const onward = fromJoin((index) => targets(arcsFrom(whole, index).filter((arc) => !arc.edge.isFailure)));
  const isBack = (arc: Arc): boolean => arc.to === fork || (before.has(arc.to) && !dominators.dominates(fork, arc.to));
  const leaving = new Set<Arc>();
  const leave = (arc: Arc): readonly Place[] => {
    // A join that is another fork's has its own finding.
    if (arc.edge.kind !== "join") leaving.add(arc);
    return [];
  };
  const follow = (arc: Arc, isHandling: boolean): readonly Place[] => {
    if (arc.to === join || isSide(arc)) return [];
    if (isBack(arc)) return leave(arc);
    const isAhead = (isHandling || arc.edge.isFailure ? onward : behind).has(arc.to);
    if (isAhead) return arc.edge.isFailure ? [] : leave(arc);
    return [placeAt(arc.to, isHandling || (arc.edge.isFailure && behind.has(arc.to)))];
  };
  const start = headsOf(graph, fork, join).map((head) => placeAt(head, false));
  walk(start, (place) => arcsFrom(graph, Math.abs(place) - 1).flatMap((arc) => follow(arc, place < 0)));
  return [...leaving];
}

/** A step as it is reached: in a branch, or (below zero) while a failure is handled. */
type Place = number;

function placeAt(index: number, isHandling: boolean): Place {
  return isHandling ? -index - 1 : index + 1;
}

function leavesFork(graph: Graph, fork: number, arc: Arc): Finding {
  const message = `"${labelAt(graph, arc.from)}" runs in a branch of the fork "${labelAt(graph, fork)}" and must not lead out of it to "${labelAt(graph, arc.to)}". Lead to the join, or end the branch.`;
  return finding("branch_leaves_fork", arc.edge.pointer, message);
}

function labelAt(graph: Graph, index: number): string {
  return graph.steps[index]?.label ?? "";
}
