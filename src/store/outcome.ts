// What became of calls of tools, and what people think of it. An outcome is no record of its own: it is the row of the
// call, seen together with the ratings of it.

import type { Failure, RowId, RowStatus, RunId } from "../run/model.ts";
import type { AuditEntry, AuditQuery } from "./audit.ts";

export type Quality = "up" | "down";

export type Rating = {
  readonly run: RunId;
  /** null: of the whole run. */
  readonly step: RowId | null;
  readonly by: string;
  readonly quality: Quality;
  readonly feedback: string | null;
  readonly at: number;
};

/** A call that is over. */
export type StepOutcome = {
  readonly run: RunId;
  readonly workflow: string;
  /** Hash of the flow's version. */
  readonly flow: string;
  readonly row: RowId;
  readonly name: string;
  readonly tool: string;
  readonly status: RowStatus;
  readonly attempt: number;
  readonly outcome: string | null;
  readonly error: Failure | null;
  readonly startedAt: number | null;
  readonly completedAt: number;
  /** The beginning of its result, as JSON; null: it gave none. */
  readonly snapshot: string | null;
  /** Of the newest rating of the step or of its run; null: nobody has rated it. */
  readonly quality: Quality | null;
  readonly feedback: string | null;
};

export type OutcomeQuery = {
  /** Of the newest steps of the store, so many are looked at. */
  readonly lookedAtMax: number;
  readonly tool?: string;
  /** The name of the run's flow. */
  readonly workflow?: string;
  /** Who started the run. */
  readonly createdBy?: string;
};

export type CountQuery = OutcomeQuery & {
  /** Calls of one tool are counted by the steps that made them. */
  readonly isByStep?: boolean;
};

export type OutcomePage = OutcomeQuery & {
  readonly limitMax: number;
  /** Older than this step. */
  readonly before?: RowId;
  /** Rated ones are found however old they are, among the newest runs that were rated (`ratedMax`). */
  readonly quality?: Quality | "neutral";
};

export type OutcomeCount = {
  readonly tool: string;
  readonly workflow: string;
  readonly flow: string;
  /** Its key in the flow; null: it was not asked for by steps. */
  readonly step: string | null;
  readonly total: number;
  readonly up: number;
  readonly down: number;
  readonly failed: number;
  /** Of those that were called, all together. */
  readonly durationMs: number;
  readonly timedCount: number;
};

/** What a store is asked of it; a file answers at once. */
export type OutcomeQueries = {
  readonly listRatings: (run: RunId) => readonly Rating[];
  readonly listOutcomes: (page: OutcomePage) => readonly StepOutcome[];
  readonly countOutcomes: (query: CountQuery) => readonly OutcomeCount[];
  readonly listAudit: (query: AuditQuery) => readonly AuditEntry[];
};

/** The same of a server. */
export type OutcomeRequests = {
  readonly [Verb in keyof OutcomeQueries]: (
    ...asked: Parameters<OutcomeQueries[Verb]>
  ) => Promise<ReturnType<OutcomeQueries[Verb]>>;
};

/** How much of a result is shown. */
export const snapshotMax = 2048;

/** So many runs that were rated are looked at, newest first. */
export const ratedMax = 1000;

/** A text of so many characters at most, and no half of a pair at its end. */
export function cutSnapshot(text: string): string {
  const cut = text.slice(0, snapshotMax);
  return /[\uD800-\uDBFF]$/u.test(cut) ? cut.slice(0, -1) : cut;
}
