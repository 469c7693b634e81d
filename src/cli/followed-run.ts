// A run as those who follow it see it: its rows and, where it is known, its plan.

import type { Progress } from "../engine/call-context.ts";
import type { Plan } from "../flow/plan.ts";
import type { Row, RowId, RunRow } from "../run/model.ts";

export type FollowedRun = {
  readonly run: RunRow;
  /** In the order in which they were made. */
  readonly rows: readonly Row[];
  /** null: not known here. */
  readonly plan: Plan | null;
  /** How far calls under way say they are, by row; told, not stored. */
  readonly progress?: ReadonlyMap<RowId, Progress>;
};

/** The tries of one visit of a step, oldest first. */
export type Visit = { readonly rows: readonly Row[]; readonly newest: Row };
