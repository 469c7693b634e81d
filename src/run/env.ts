// What the kernel may know of the world: handed over with each message, so that the same message decided again with the
// same environment gives the same decision.

import type { Effect } from "../flow/plan.ts";
import type { Need } from "./decision.ts";
import type { Row, RowId } from "./model.ts";

export interface Env {
  readonly now: number;
  /** Random for each ownership of the rows: tokens of an older one are worth nothing. */
  readonly epoch: string;
  readonly limits: Limits;
  newId(): RowId;
  /** The rows that were asked for; undefined: not brought. */
  given(need: Need): readonly Row[] | undefined;
  /** The instant that words or a unix time mean, in a zone or, for null, in the engine's own. */
  resolveTime(text: string | number, zone: string | null, now: number): ResolvedTime;
  /** Hash of the version that a sub-flow follows from now on (`version` null: the newest that may be started); null: there
   *  is none. */
  flowOf(workflow: string, version: number | null): string | null;
  /** What the operator or the tool says of a tool; null: nothing. */
  effectOf(tool: string): Effect | null;
}

export type ResolvedTime =
  | { readonly ok: true; readonly at: number }
  /** What is wrong with it, as a sentence. */
  | { readonly ok: false; readonly problem: string };

export type Limits = {
  /** Visits of one step without a gate or a wait between. */
  readonly visits: number;
  readonly rows: number;
  /** Steps that call nothing, in one decision. */
  readonly instant: number;
  readonly signals: number;
  readonly depth: number;
  readonly items: number;
};

export const defaultLimits: Limits = {
  visits: 1000,
  rows: 1_000_000,
  instant: 100,
  signals: 1000,
  depth: 8,
  items: 100_000,
};
