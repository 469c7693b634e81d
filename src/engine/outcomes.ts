// What became of calls, and what people think of it. Reading needs no owner; whoever may see only their own runs is told of
// nothing else.

import type { Asker } from "../access/permission.ts";
import type { Failure, RowId, RowStatus, RunId } from "../run/model.ts";
import type { OutcomeCount, Quality, Rating, StepOutcome } from "../store/outcome.ts";
import type { ClerkWindow } from "./clerk-window.ts";
import { parseFeedback, parseQuality, ratedSteps } from "./rating.ts";
import { checkReader, checkRight, noSuchRun } from "./readers.ts";
import { versionKind } from "./workflow-entry.ts";
import { viewVersion } from "./workflow-view.ts";

export type OutcomesParts = Pick<ClerkWindow, "store" | "ask"> & {
  /** null: the program itself. */
  readonly asker: Asker | null;
};

export type OutcomeFilter = {
  readonly tool?: string;
  /** The name of the workflow, or of the run's flow. */
  readonly workflow?: string;
};

export type StatisticsQuery = OutcomeFilter & {
  /** The groups are those of steps: two that call the same tool are told apart. */
  readonly by?: "step";
};

export type OutcomesQuery = OutcomeFilter & {
  readonly quality?: Quality | "neutral";
  /** 20 unless given. */
  readonly limitMax?: number;
  /** Older than this step. */
  readonly before?: RowId;
};

export type Outcome = {
  readonly run: RunId;
  readonly workflow: string;
  /** Hash of the flow's version. */
  readonly flow: string;
  readonly step: RowId;
  readonly name: string;
  readonly tool: string;
  readonly quality: Quality | "neutral";
  readonly feedback: string | null;
  /** null: it was never called. */
  readonly durationMs: number | null;
  /** The beginning of its result as JSON, 2,048 characters at most; null: it gave none. */
  readonly snapshot: string | null;
  readonly status: RowStatus;
  readonly attempt: number;
  readonly outcome: string | null;
  readonly error: Failure | null;
  readonly at: number;
};

export type OutcomeFigures = {
  readonly total: number;
  readonly up: number;
  readonly down: number;
  readonly failed: number;
  /** Of those that were called; null: none was. */
  readonly meanDurationMs: number | null;
};

export type OutcomeGroup = OutcomeFigures & {
  readonly tool: string;
  readonly workflow: string;
  readonly flow: string;
  /** The number of the saved workflow's version; null: it was not saved under this name. */
  readonly version: number | null;
  /** Its key in the flow; null: it was not asked for by steps. */
  readonly step: string | null;
};

export type OutcomeStatistics = OutcomeFigures & { readonly groups: readonly OutcomeGroup[] };

/** `number`: its place among the run's calls, from 1. */
export type NumberedStep = Pick<Outcome, "step" | "name" | "tool" | "status" | "quality" | "feedback"> & {
  readonly number: number;
};

export type RateOptions = {
  /** By its id, its number among the run's calls from 1, or its name; all of the run unless given. */
  readonly step?: RowId | string;
  /** `up` or `down`, or another word for it: `+`, `👎`. */
  readonly quality: string;
  readonly feedback?: string;
  readonly by?: string;
};

/** So many of the newest steps are looked at, whatever is asked for: no index makes every step dearer. */
const lookedAtMax = 20_000;
const limitMaxMax = 1000;
/** Of groups, those with most calls. */
const groupsMax = 1000;

export class Outcomes {
  readonly #parts: OutcomesParts;

  constructor(parts: OutcomesParts) {
    this.#parts = parts;
  }

  /** Newest first. */
  async list(query: OutcomesQuery = {}): Promise<readonly Outcome[]> {
    return listOutcomes(this.#parts, query);
  }

  async statistics({ by, ...filter }: StatisticsQuery = {}): Promise<OutcomeStatistics> {
    const { store } = this.#parts;
    const query = { ...filter, lookedAtMax, isByStep: by === "step", ...(await findLimit(this.#parts)) };
    const counts = await store.countOutcomes(query);
    const saved = (await store.listEntries(versionKind)).map(viewVersion);
    const versions = new Map(saved.map(({ name, version, hash }) => [`${hash} ${name}`, version]));
    const groups = largest(counts).map((count) => {
      const { tool, workflow, flow, step } = count;
      return { tool, workflow, flow, version: versions.get(`${flow} ${workflow}`) ?? null, step, ...addUp([count]) };
    });
    return { ...addUp(counts), groups };
  }

  /** The calls of a run by their numbers, with what people think of them. */
  async steps(run: RunId): Promise<readonly NumberedStep[]> {
    const { store, asker } = this.#parts;
    if (asker !== null) await checkReader(store, asker, run);
    if ((await store.findRun(run)) === undefined) throw noSuchRun(run);
    const ratings = await store.listRatings(run);
    return ratedSteps(await store.listRows(run)).map(({ id, name, tool, status }, index) => {
      const rating = ratings.filter(({ step }) => step === null || step === id).toSorted(newestFirst)[0];
      const opinion = { quality: rating?.quality ?? "neutral", feedback: rating?.feedback ?? null } as const;
      return { number: index + 1, step: id, name, tool: tool ?? "", status, ...opinion };
    });
  }

  /** The id of the step that was rated; null: the whole run. What the same person said of it before is replaced. */
  async rate(run: RunId, { step, quality, feedback, by }: RateOptions): Promise<RowId | null> {
    const rating = { quality: parseQuality(quality), feedback: parseFeedback(feedback) };
    const rated = await this.#parts.ask("ratings", { do: "rate", run, step: step ?? null, ...rating }, by);
    return typeof rated === "number" ? rated : null;
  }
}

/** As the store has it: of the same instant, that of the step itself. */
function newestFirst(one: Rating, other: Rating): number {
  return other.at - one.at || (other.step ?? 0) - (one.step ?? 0) || (one.by < other.by ? -1 : 1);
}

type Reading = Pick<OutcomesParts, "store" | "asker">;

export async function listOutcomes(reading: Reading, query: OutcomesQuery): Promise<readonly Outcome[]> {
  const { limitMax = 20, ...filter } = query;
  const page = { ...filter, lookedAtMax, limitMax: Math.max(1, Math.min(limitMaxMax, Math.trunc(limitMax))) };
  return (await reading.store.listOutcomes({ ...page, ...(await findLimit(reading)) })).map(toOutcome);
}

/** Whose runs are told of; nothing: everybody's. */
async function findLimit({ store, asker }: Reading): Promise<{ readonly createdBy?: string }> {
  return asker !== null && (await checkRight(store, asker, "read")) === "own" ? { createdBy: asker.user } : {};
}

function toOutcome(found: StepOutcome): Outcome {
  const { run, workflow, flow, row, name, tool, quality, feedback, startedAt, completedAt, snapshot } = found;
  const { status, attempt, outcome, error } = found;
  const durationMs = startedAt === null ? null : Math.max(0, completedAt - startedAt);
  const opinion = { quality: quality ?? "neutral", feedback } as const;
  const end = { durationMs, snapshot, status, attempt, outcome, error, at: completedAt };
  return { run, workflow, flow, step: row, name, tool, ...opinion, ...end };
}

/** In their order. */
function largest(counts: readonly OutcomeCount[]): readonly OutcomeCount[] {
  if (counts.length <= groupsMax) return counts;
  const kept = new Set(counts.toSorted((one, other) => other.total - one.total).slice(0, groupsMax));
  return counts.filter((count) => kept.has(count));
}

function addUp(counts: readonly OutcomeCount[]): OutcomeFigures {
  const sum = (field: "total" | "up" | "down" | "failed" | "durationMs" | "timedCount"): number =>
    counts.reduce((added, count) => added + count[field], 0);
  const timed = sum("timedCount");
  const meanDurationMs = timed === 0 ? null : Math.round(sum("durationMs") / timed);
  return { total: sum("total"), up: sum("up"), down: sum("down"), failed: sum("failed"), meanDurationMs };
}
