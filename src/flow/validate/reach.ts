// Can every step be reached, can every run end, does any loop spin without waiting?

import { finding, type Finding } from "../finding.ts";
import type { Dominators } from "../graph/dominators.ts";
import { firstByKey, stepsWithoutEnd } from "../graph/ends.ts";
import { arcsFrom, isSide, successors, walk, type Arc, type Graph } from "../graph/graph.ts";
import { forkAt, type Arrival } from "../graph/forks.ts";
import { loops } from "../graph/order.ts";
import type { Plan, PlanStep } from "../plan.ts";

export type Reach = {
  readonly plan: Plan;
  /** With the arrivals at joins that nobody writes. */
  readonly graph: Graph;
  readonly arrivals: readonly Arrival[];
  readonly dominators: Dominators;
};

export function checkReach({ plan, graph, arrivals, dominators }: Reach): readonly Finding[] {
  const own = arrivals.filter(({ fork, arc }) => !arc.edge.isFailure && dominators.dominates(fork, arc.from));
  const arriving = new Set(own.map(({ arc }) => arc.from));
  const reachable = walk([graph.start], (index) => successors(graph, index));
  // A machine's actions go with the states they leave.
  const isTold = (step: PlanStep): boolean => plan.notation !== "machine" || step.kind !== "tool";
  const unreachable = graph.steps.filter((step, index) => !reachable.has(index) && isTold(step));
  return [
    ...unreachable.map((step) => unreachableStep(plan, step, unreachable)),
    ...stepsWithoutEnd(graph, reachable, arriving).flatMap((index) => withoutEnd(graph.steps[index])),
    ...(plan.notation === "machine" ? [] : checkLoops(graph)),
  ];
}

const patchedMax = 20;

function unreachableStep(plan: Plan, step: PlanStep, all: readonly PlanStep[]): Finding {
  const what = `Nothing leads to "${step.label}" from the start.`;
  if (plan.notation === "machine") {
    return finding("unreachable_state", step.pointer, `${what} Add a transition to it, or remove the state.`);
  }
  const message = `${what} Name it in another step's next, branch, routes or parallel, or remove it.`;
  // Positions in a list would shift.
  if (plan.notation === "pipeline") return finding("unreachable_step", step.pointer, message);
  // One alone would leave the others that lead to it, or that it led to. Many need no patch each.
  if (all.length > patchedMax && step !== all[0]) return finding("unreachable_step", step.pointer, message);
  const patch = all.map(({ pointer }) => ({ op: "remove", path: pointer }) as const);
  return finding("unreachable_step", step.pointer, message, patch);
}

function withoutEnd(step: PlanStep | undefined): readonly Finding[] {
  if (step === undefined) return [];
  const message = `A run that comes to "${step.label}" can never end. Give it, or a step after it, a way to an end: done, terminal, or a target "end".`;
  return [finding("no_way_to_end", step.pointer, message)];
}

/** A loop that passes no gate and no wait runs as fast as its tools answer. */
function checkLoops(graph: Graph): readonly Finding[] {
  const rests = (index: number): boolean => ["gate", "wait"].includes(graph.steps[index]?.kind ?? "");
  const nodes = [...graph.steps.keys()].filter((index) => !rests(index));
  const next = (index: number): readonly number[] =>
    arcsFrom(graph, index)
      .filter((arc) => isOnLoop(graph, arc) && !rests(arc.to))
      .map((arc) => arc.to);
  return loops(nodes, next).flatMap((loop) => {
    const step = graph.steps[firstByKey(graph, loop)];
    if (step === undefined) return [];
    const message = `The loop through "${step.label}" has no wait and no gate, so it spins until it ends or reaches the limit of visits. Put a wait into it if it polls.`;
    return [finding("loop_without_wait", step.pointer, message)];
  });
}

/** A fork comes to its join through its branches; an arrival that follows a failure is no way round. */
function isOnLoop(graph: Graph, arc: Arc): boolean {
  if (isSide(arc)) return false;
  return arc.edge.kind !== "join" || (!arc.edge.isFailure && forkAt(graph, arc.from) === undefined);
}
