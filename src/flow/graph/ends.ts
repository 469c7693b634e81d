// Where a path can end, and which steps have no way to such an end.

import type { PlanStep } from "../plan.ts";
import { edgesFrom } from "../edges.ts";
import { arcsFrom, arcsInto, isSide, walk, type Graph } from "./graph.ts";
import { components } from "./order.ts";

/** The path can end in this step with success. */
export function pathCanEnd(graph: Graph, index: number): boolean {
  const step = graph.steps[index];
  return step !== undefined && endsWell(step);
}

function endsWell(step: PlanStep): boolean {
  if (step.transition.kind === "end") return step.transition.terminal === "success";
  return endsOtherwise(step);
}

/** Ends of any kind: success, failure and cancel, and what `on_no_match` makes of an unmatched outcome. */
function canEnd(step: PlanStep): boolean {
  return step.transition.kind === "end" || endsOtherwise(step);
}

function endsBadly({ transition }: PlanStep): boolean {
  return transition.kind === "end" && transition.terminal !== "success";
}

function endsOtherwise(step: PlanStep): boolean {
  if (edgesFrom(step).some((edge) => edge.to === null)) return true;
  return step.onNoMatch !== "hold" && canMissItsRoutes(step);
}

/** The step's result may match no branch and no route. */
export function canMissItsRoutes(step: PlanStep): boolean {
  if (step.transition.kind === "branch") return step.transition.otherwise === null;
  if (step.transition.kind !== "routes" || Object.hasOwn(step.routes, "default")) return false;
  const only = onlyOutcome(step);
  return only === null || !Object.hasOwn(step.routes, only);
}

/** Steps that end well in one way only: a gate is answered with yes unless a route names more, a sleep just ends. */
function onlyOutcome(step: PlanStep): string | null {
  if (step.outcome !== null) return null;
  if (step.kind === "gate") return "approved";
  if (step.kind === "flow") return step.each === null ? "success" : null;
  return step.kind === "wait" || step.kind === "set" ? "success" : null;
}

/** One step for each part of the flow that can be entered but never ended: the one whose key sorts first. `arriving` are
 *  the steps that, where they end well, can only arrive at a join. */
export function stepsWithoutEnd(
  graph: Graph,
  reachable: ReadonlySet<number>,
  arriving: ReadonlySet<number>,
): readonly number[] {
  const ends = [...reachable].filter((index) => {
    const step = graph.steps[index];
    if (step === undefined) return false;
    // What ends well in such a fork is no end: it goes on at the join.
    return arriving.has(index) ? endsBadly(step) : canEnd(step);
  });
  // Escalation and clean-up end by themselves; the path they start from goes on without them.
  const before = (index: number): readonly number[] =>
    arcsInto(graph, index)
      .filter((arc) => !isSide(arc))
      .map((arc) => arc.from);
  const ending = walk(ends, before);
  const stuck = [...reachable].filter((index) => !ending.has(index));
  return components(stuck, (index) => onward(graph, index))
    .filter((component) => isDeadEnd(graph, new Set(component)))
    .map((component) => firstByKey(graph, component));
}

function onward(graph: Graph, index: number): readonly number[] {
  return arcsFrom(graph, index)
    .filter((arc) => !isSide(arc))
    .map((arc) => arc.to);
}

function isDeadEnd(graph: Graph, component: ReadonlySet<number>): boolean {
  return [...component].every((index) => onward(graph, index).every((to) => component.has(to)));
}

export function firstByKey(graph: Graph, indices: readonly number[]): number {
  const keyed = indices.map((index) => ({ index, key: graph.steps[index]?.key ?? "" }));
  return keyed.reduce((one, other) => (other.key < one.key ? other : one)).index;
}
