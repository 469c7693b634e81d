// The arrows of a plan: one list that the graph analysis, the drawings and the previews share.

import type { Fork, Plan, PlanStep, StateTransition, StepKey, Target, Transition } from "./plan.ts";
import { under, type Pointer } from "./pointer.ts";

export type Edge = {
  readonly kind: "next" | "branch" | "else" | "route" | "fork" | "join" | "event" | "escalate" | "cleanup";
  readonly from: StepKey;
  /** null: the path ends here. */
  readonly to: StepKey | null;
  /** What a drawing writes on the arrow: a condition, an outcome, a transition's name; else "". */
  readonly label: string;
  /** Taken only after a failure (routes `error`, `rejected`, `expired`, `timeout`, `cancelled`). */
  readonly isFailure: boolean;
  /** Where it stands in the normal form. */
  readonly pointer: Pointer;
};

/** The outcomes that take only a route of their own name. */
export const failureOutcomes: readonly string[] = ["error", "rejected", "expired", "timeout", "cancelled"];

/** The arrows on which a run moves from this step to another. */
export function edgesFrom(step: PlanStep): readonly Edge[] {
  if (step.kind === "state") return step.transitions.flatMap((transition) => eventEdges(step, transition));
  return [...transitionEdges(step, step.transition), ...routeEdges(step)];
}

/** Side paths: what starts beside the step (escalation) or when the run is cancelled in it (clean-up). */
export function sideEdgesFrom(step: PlanStep): readonly Edge[] {
  const edges: Edge[] = [];
  if (step.kind === "gate" && step.escalateTo !== null) {
    edges.push(edge(step, { kind: "escalate", to: step.escalateTo, label: "escalate", at: ["gate", "escalate_to"] }));
  }
  if (step.cancel.kind === "cleanup") {
    edges.push(edge(step, { kind: "cleanup", to: step.cancel.step, label: "on cancel", at: ["cancel"] }));
  }
  return edges;
}

export function allEdges(plan: Plan): readonly Edge[] {
  return Object.values(plan.steps).flatMap((step) => [...edgesFrom(step), ...sideEdgesFrom(step)]);
}

type EdgeSketch = {
  readonly kind: Edge["kind"];
  readonly to: StepKey | null;
  readonly label: string;
  readonly at: readonly (string | number)[];
  readonly isFailure?: boolean;
};

function edge(step: PlanStep, { kind, to, label, at, isFailure = false }: EdgeSketch): Edge {
  return { kind, from: step.key, to, label, isFailure, pointer: under(step.pointer, ...at) };
}

function transitionEdges(step: PlanStep, transition: Transition): readonly Edge[] {
  switch (transition.kind) {
    case "next":
      return [edge(step, { kind: "next", to: keyOf(transition.to), label: "", at: ["next"] })];
    case "join":
      return [edge(step, { kind: "join", to: transition.to, label: "", at: ["join"] })];
    case "fork":
      return forkEdges(step, transition);
    case "branch": {
      const cases = transition.cases.map((choice, index) =>
        edge(step, { kind: "branch", to: keyOf(choice.to), label: choice.if.source, at: ["branch", index, "then"] }),
      );
      if (transition.otherwise === null) return cases;
      return [...cases, edge(step, { kind: "else", to: keyOf(transition.otherwise), label: "else", at: ["else"] })];
    }
    case "end":
    case "routes":
    case "events":
      return [];
  }
}

// Where the join stands on the forking step its branches need not name it, so the arrow to it starts at the fork.
function forkEdges(step: PlanStep, fork: Fork): readonly Edge[] {
  const branches = fork.branches.map((to, index) =>
    edge(step, { kind: "fork", to, label: "", at: ["parallel", index] }),
  );
  if (fork.join === null || !fork.everyBranchArrives) return branches;
  return [...branches, edge(step, { kind: "join", to: fork.join, label: "", at: ["join"] })];
}

function routeEdges(step: PlanStep): readonly Edge[] {
  return Object.entries(step.routes).map(([outcome, target]) =>
    edge(step, {
      kind: "route",
      to: keyOf(target),
      label: outcome,
      at: ["routes", outcome],
      isFailure: failureOutcomes.includes(outcome),
    }),
  );
}

// An action stands between two states: the arrow goes through its tool step, which leads on by its own `next`.
function eventEdges(step: PlanStep, transition: StateTransition): readonly Edge[] {
  const common = { kind: "event", from: step.key, label: transition.name, isFailure: false } as const;
  return [{ ...common, to: transition.action ?? transition.to, pointer: under(transition.pointer, "to") }];
}

function keyOf(target: Target): StepKey | null {
  return target.kind === "step" ? target.step : null;
}
