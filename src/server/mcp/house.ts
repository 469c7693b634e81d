// What every connection shares: the engine that is served, how long is waited, and what is known of flows, which never
// change.

import { systemClock, type Clock } from "../../engine/clock.ts";
import type { Engine, RunView } from "../../engine/engine.ts";
import type { RunReads } from "../../engine/run-reads.ts";
import type { Plan } from "../../flow/plan.ts";
import { hasEnded } from "../../run/model.ts";
import { listQuestions, type OpenQuestion } from "./questions.ts";

export type HouseOptions = {
  /** How long a client that knows nothing of tasks waits for a run before it is told how to come back. */
  readonly waitMs?: number;
  /** How long one that does is kept waiting for a plain answer, so that what is quick needs no second question. */
  readonly quickMs?: number;
  /** How long a question that was pushed to a client stays there, within a call that is no task: people take their time. */
  readonly askMs?: number;
  /** How often it is looked whether workflows have changed, while somebody wants to be told. */
  readonly lookEveryMs?: number;
  readonly clock?: Clock;
  readonly onProblem?: (error: unknown) => void;
  /** Only for tests against suites that know tools by names of their own: by the workflow's name. */
  readonly exposures?: ReadonlyMap<string, Exposure>;
};

export type Exposure = {
  readonly tool: string;
  /** It is not answered without a task. */
  readonly isTaskOnly?: boolean;
  /** What of its input is missing is asked for before it starts. */
  readonly asksFirst?: boolean;
};

export type House = Required<HouseOptions> & {
  readonly engine: Engine;
  /** By the hash of a flow, or by what a workflow was at a time; null: it cannot be compiled by this version. */
  readonly plans: Map<string, Plan | null>;
};

const defaults: Required<HouseOptions> = {
  waitMs: 30_000,
  quickMs: 150,
  askMs: 600_000,
  lookEveryMs: 1000,
  clock: systemClock,
  onProblem: () => {},
  exposures: new Map(),
};

export function createHouse(engine: Engine, options: HouseOptions = {}): House {
  return { ...defaults, ...options, engine, plans: new Map() };
}

/** Plans are kept for so many flows. */
const plansMax = 1000;

export async function keepPlan({ plans }: House, key: string, read: () => Promise<Plan | null>): Promise<Plan | null> {
  const known = plans.get(key);
  if (known !== undefined) return known;
  const plan = await read();
  if (plans.size >= plansMax) plans.clear();
  plans.set(key, plan);
  return plan;
}

export type SeenRun = {
  readonly run: Omit<RunView, "steps">;
  /** What it waits for. */
  readonly questions: readonly OpenQuestion[];
};

/** So many rows of a run are looked at for what it waits for. */
const waitsMax = 2000;

/** The run as it is now, with the rights of who looks; of its steps, only those are read that may wait for somebody. */
export async function lookAt(house: House, { reads }: { readonly reads: RunReads }, id: number): Promise<SeenRun> {
  const stored = await reads.find(id);
  const run = { ...stored.run, flow: stored.flow, updatedAt: stored.updatedAt };
  if (hasEnded(run)) return { run, questions: [] };
  const plan = await keepPlan(house, run.flow, () => reads.planOf(stored));
  const waits = await reads.given.listWaits({ runs: [id], limitMax: waitsMax });
  const rows = (waits.get(id) ?? []).map(({ row }) => row);
  return { run, questions: listQuestions({ run, rows, plan }) };
}
