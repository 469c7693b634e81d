// A run's story, folded from its rows and events: nothing else is kept, and nothing else is needed. For people, and for
// whoever wants to check that the state is what the history says.

import type { Json } from "../flow/json.ts";
import type { OutcomeName, StepKey } from "../flow/plan.ts";
import type { RunEvent } from "./decision.ts";
import { isLive, type Failure, type Row, type RowId, type RowRole, type RowStatus } from "./model.ts";

export type HistoryEntry = { readonly at: number; readonly row: RowId | null } & (
  | {
      readonly kind: "entered";
      readonly step: StepKey;
      readonly name: string;
      readonly role: RowRole;
      readonly visit: number;
      readonly index: number | null;
      readonly attempt: number;
      /** What led here. */
      readonly causedBy: RowId | null;
      readonly via: string;
    }
  /** A call was made, a gate or a wait opened. */
  | { readonly kind: "started" }
  /** A fact that no row shows: who answered, who cancelled, a late result. */
  | { readonly kind: "event"; readonly event: string; readonly by: string | null; readonly data: Json }
  | {
      readonly kind: "ended";
      readonly status: RowStatus;
      readonly outcome: OutcomeName | null;
      readonly result: Json;
      readonly error: Failure | null;
      readonly mayHaveHappened: boolean;
    }
);

/** In order of time; of one instant, in the order in which rows led to each other. */
export function historyOf(rows: readonly Row[], events: readonly RunEvent[]): readonly HistoryEntry[] {
  const told = events.map(
    ({ at, row, kind, by, data }) => ({ at, row, kind: "event", event: kind, by, data }) as const,
  );
  return [...rows.flatMap(entriesOf), ...told].toSorted(compare);
}

/** Of one row, in order. */
export function entriesOf(row: Row): readonly HistoryEntry[] {
  const { id, step, name, role, visit, index, attempt, causedBy, via, startedAt, completedAt } = row;
  const { status, outcome, result, error, mayHaveHappened } = row;
  const entered = {
    kind: "entered",
    at: row.createdAt,
    row: id,
    step,
    name,
    role,
    visit,
    index,
    attempt,
    causedBy,
    via,
  } as const;
  const started = startedAt === null ? [] : [{ kind: "started", at: startedAt, row: id } as const];
  const ended = { kind: "ended", row: id, status, outcome, result, error, mayHaveHappened } as const;
  return [entered, ...started, ...(completedAt === null ? [] : [{ ...ended, at: completedAt }])];
}

const phases: readonly HistoryEntry["kind"][] = ["entered", "started", "event", "ended"];

/** What is said of the whole run comes first: its rows change because of it. */
function compare(one: HistoryEntry, other: HistoryEntry): number {
  const byPhase = phases.indexOf(one.kind) - phases.indexOf(other.kind);
  return one.at - other.at || placeOf(one) - placeOf(other) || byPhase;
}

function placeOf({ row }: HistoryEntry): number {
  return row ?? 0;
}

export type Folded = {
  readonly live: readonly RowId[];
  /** Names of the steps that are live, each once. */
  readonly liveSteps: readonly string[];
  readonly counts: { readonly [Status in RowStatus]: number };
};

/** What the rows alone say of where a run stands. */
export function foldRows(rows: readonly Row[]): Folded {
  const counts = { pending: 0, ready: 0, running: 0, done: 0, failed: 0, skipped: 0, cancelled: 0, uncertain: 0 };
  for (const { status } of rows) counts[status] += 1;
  const live = rows.filter(isLive).toSorted((one, other) => one.id - other.id);
  return { live: live.map(({ id }) => id), liveSteps: [...new Set(live.map(({ name }) => name))], counts };
}
