// Can every step be reached, can every run end, does any loop spin without waiting?

import { finding, type Finding } from "../finding.ts";
import { firstByKey, stepsWithoutEnd } from "../graph/ends.ts";
import { successors, walk, type Graph } from "../graph/graph.ts";
import { loops } from "../graph/order.ts";
import type { Plan, PlanStep } from "../plan.ts";

/** `graph` has the arrivals at joins that nobody writes; a loop is one only if its author drew it. */
export function checkReach(plan: Plan, graph: Graph, drawn: Graph): readonly Finding[] {
  const reachable = walk([graph.start], (index) => successors(graph, index));
  // A machine's actions go with the states they leave.
  const isTold = (step: PlanStep): boolean => plan.notation !== "machine" || step.kind !== "tool";
  const unreachable = graph.steps.filter((step, index) => !reachable.has(index) && isTold(step));
  return [
    ...unreachable.map((step) => unreachableStep(plan, step, unreachable)),
    ...stepsWithoutEnd(graph, reachable).flatMap((index) => withoutEnd(graph.steps[index])),
    ...(plan.notation === "machine" ? [] : checkLoops(drawn)),
  ];
}

function unreachableStep(plan: Plan, step: PlanStep, all: readonly PlanStep[]): Finding {
  const what = `Nothing leads to "${step.label}" from the start.`;
  if (plan.notation === "machine") {
    return finding("unreachable_state", step.pointer, `${what} Add a transition to it, or remove the state.`);
  }
  const message = `${what} Name it in another step's next, branch, routes or parallel, or remove it.`;
  // Positions in a list would shift.
  if (plan.notation === "pipeline") return finding("unreachable_step", step.pointer, message);
  // One alone would leave the others that lead to it, or that it led to.
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
  return loops(nodes, (index) => successors(graph, index).filter((to) => !rests(to))).flatMap((loop) => {
    const step = graph.steps[firstByKey(graph, loop)];
    if (step === undefined) return [];
    const message = `The loop through "${step.label}" has no wait and no gate, so it spins until it ends or reaches the limit of visits. Put a wait into it if it polls.`;
    return [finding("loop_without_wait", step.pointer, message)];
  });
}
