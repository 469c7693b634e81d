// Do the branches of each fork stay in it and end in one join? Exact sets are built only for forks whose region has a
// way in or out besides its own: in a flow drawn with care, checking a fork costs no more than walking its branches.

import { finding, type Finding } from "../finding.ts";
import type { Dominators } from "../graph/dominators.ts";
import { forkAt, levelOf, type Joins } from "../graph/forks.ts";
import { arcsFrom, isSide, predecessors, successors, walk, type Arc, type Graph } from "../graph/graph.ts";
import { under } from "../pointer.ts";
import { pathCanEnd } from "../graph/ends.ts";

type Context = { readonly graph: Graph; readonly joins: Joins; readonly dominators: Dominators };

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
  const heads = arcsFrom(graph, fork).filter((arc) => arc.edge.kind === "fork");
  const region = walk(
    heads.map((arc) => arc.to).filter((head) => head !== join),
    (index) =>
      arcsFrom(graph, index)
        .filter((arc) => arc.to !== join && isWalked(dominators, arc, fork))
        .map((arc) => arc.to),
  );
  const isClosed = [...region].every((index) =>
    predecessors(graph, index).every((from) => from === fork || region.has(from)),
  );
  return isClosed && !region.has(fork) ? [] : leavingArcs(context, fork).map((arc) => leavesFork(graph, fork, arc));
}

/** One `alert` for failures of many forks belongs to none of them. */
function isWalked(dominators: Dominators, arc: Arc, fork: number): boolean {
  if (isSide(arc)) return false;
  return !arc.edge.isFailure || dominators.dominates(fork, arc.to);
}

/** The transitions that leave the branches: back to the fork or before it, or, after success, past the join. */
function leavingArcs({ graph, joins, dominators }: Context, fork: number): readonly Arc[] {
  const join = joins.get(fork);
  const before = walk([fork], (index) => predecessors(graph, index).filter((from) => from !== join));
  const behind =
    join === undefined
      ? new Set<number>()
      : walk([join], (index) => successors(graph, index).filter((to) => to !== fork));
  const isBack = (arc: Arc): boolean => arc.to === fork || (before.has(arc.to) && !dominators.dominates(fork, arc.to));
  const leaving: Arc[] = [];
  const heads = arcsFrom(graph, fork)
    .filter((arc) => arc.edge.kind === "fork" && arc.to !== join)
    .map((arc) => arc.to);
  walk(heads, (index) =>
    arcsFrom(graph, index).flatMap((arc) => {
      if (arc.to === join || isSide(arc)) return [];
      const isAhead = behind.has(arc.to);
      // A join that is another fork's has its own finding.
      const isLeaving = (isBack(arc) || (isAhead && !arc.edge.isFailure)) && arc.edge.kind !== "join";
      if (isLeaving) leaving.push(arc);
      return isBack(arc) || isAhead ? [] : [arc.to];
    }),
  );
  return leaving;
}

function leavesFork(graph: Graph, fork: number, arc: Arc): Finding {
  const message = `"${labelAt(graph, arc.from)}" runs in a branch of the fork "${labelAt(graph, fork)}" and must not lead out of it to "${labelAt(graph, arc.to)}". Lead to the join, or end the branch.`;
  return finding("branch_leaves_fork", arc.edge.pointer, message);
}

function labelAt(graph: Graph, index: number): string {
  return graph.steps[index]?.label ?? "";
}
