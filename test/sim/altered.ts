// Small tools for planting bugs: what a decision says is altered on its way out of the kernel.

import type { decide } from "../../src/run/decide.ts";
import type { Changes, Decision } from "../../src/run/decision.ts";
import type { Env } from "../../src/run/env.ts";
import type { Message } from "../../src/run/message.ts";
import type { Frontier, Row, RunRow } from "../../src/run/model.ts";
import type { Plan, PlanStep } from "../../src/flow/plan.ts";
import { decide as soundDecide } from "../../src/run/decide.ts";

export type Decide = typeof decide;

export type Asked = {
  readonly plan: Plan;
  readonly frontier: Frontier | null;
  readonly message: Message;
  readonly env: Env;
};

/** `decide` with its decisions altered; what it asks for stays as it is. */
export function altering(alter: (decision: Decision, asked: Asked) => Decision): Decide {
  return (plan, frontier, message, env) => {
    const decided = soundDecide(plan, frontier, message, env);
    return decided.kind === "need" ? decided : alter(decided, { plan, frontier, message, env });
  };
}

export function withChanges(decision: Decision, changes: Partial<Changes>): Decision {
  return { ...decision, changes: { ...decision.changes, ...changes } };
}

export function withRows(decision: Decision, alter: (row: Row) => Row): Decision {
  return withChanges(decision, { rows: decision.changes.rows.map(alter) });
}

/** The run as it is after the decision, altered. */
export function withRun(decision: Decision, asked: Asked, patch: (run: RunRow) => Partial<RunRow>): Decision {
  const run = decision.changes.run ?? asked.frontier?.run;
  return run === undefined ? decision : withChanges(decision, { run: { ...run, ...patch(run) } });
}

/** The frontier as a kernel would see it that had forgotten or misread something. */
export function withFrontierRows(frontier: Frontier, alter: (row: Row) => Row): Frontier {
  return { ...frontier, rows: new Map([...frontier.rows].map(([id, row]) => [id, alter(row)])) };
}

/** `decide` on a plan of which every step is read wrongly. */
export function misreading(misread: (step: PlanStep) => PlanStep): Decide {
  const known = new WeakMap<Plan, Plan>();
  return (plan, frontier, message, env) => {
    const steps = Object.entries(plan.steps).map(([key, step]) => [key, misread(step)] as const);
    const misreadPlan = known.get(plan) ?? { ...plan, steps: Object.fromEntries(steps) };
    known.set(plan, misreadPlan);
    return soundDecide(misreadPlan, frontier, message, env);
  };
}
