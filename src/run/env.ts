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
  /** The instant that words mean, in a zone or in the engine's own; null: not understood. */
  resolveTime(text: string, zone: string | null): number | null;
  /** What the operator or the tool says of a tool; null: nothing. */
  effectOf(tool: string): Effect | null;
}

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
