// What the kernel knows of a run: its frontier. Live rows, open forks and eaches, counters and the newest visit of each
// step; never the history, which is in the rows that have ended and is asked for when an expression names it.

import type { Json, JsonObject } from "../flow/json.ts";
import type { OutcomeName, StepKey, TerminalKind } from "../flow/plan.ts";
import type { SecretPlace } from "../flow/template/expand.ts";

export type RunId = number;
export type RowId = number;

export type RunStatus = "scheduled" | "running" | "paused" | "completed" | "failed" | "cancelled";

export type RowStatus = "pending" | "ready" | "running" | "done" | "failed" | "skipped" | "cancelled" | "uncertain";

/** What a row is for. Only `step` and `item` rows lead on; the others serve one of these. */
export type RowRole = "step" | "items" | "item" | "probe" | "notify" | "undo";

export type Failure = { readonly code: string; readonly message: string };

/** Something that is due at an instant; a row or a run may wait for several. */
export type Alarm = { readonly kind: AlarmKind; readonly at: number };
export type AlarmKind =
  | "start"
  | "run_timeout"
  | "retry"
  | "sleep"
  | "timeout"
  | "remind"
  | "escalate"
  | "expire"
  | `after:${string}`;

/** Where in the forks of a run a row stands: `12:0/45:1` is branch 1 of the fork that row 45 opened inside branch 0 of
 *  the one that row 12 opened; "" is outside all forks. `12:0/50:side` is a path beside the flow that row 50 started
 *  there. */
export type ScopePath = string;

export type Row = {
  readonly id: RowId;
  readonly step: StepKey;
  /** The step's label, as people see it. */
  readonly name: string;
  readonly role: RowRole;
  readonly status: RowStatus;
  readonly version: number;
  readonly visit: number;
  /** Of an item of `each`; else null. */
  readonly index: number | null;
  readonly attempt: number;
  /** Tries of this visit that our own crash cut off, in a row. */
  readonly interruptions: number;
  readonly scope: ScopePath;
  /** On a path that starts beside the flow: escalation, clean-up. */
  readonly side: SideKind | null;
  readonly causedBy: RowId | null;
  readonly via: string;
  /** The row whose result is `previous`, or what it is when no row shows it. */
  readonly previous: Previous;
  readonly tool: string | null;
  readonly args: Json | null;
  readonly secrets: readonly SecretPlace[];
  readonly key: string | null;
  readonly token: string | null;
  /** From which the call can be followed where it goes on, by whoever owns the rows then; null: it cannot. */
  readonly handle: Json | null;
  readonly result: Json | null;
  /** Of an `each` that collects: what went wrong with which item. */
  readonly errors: Json | null;
  readonly outcome: OutcomeName | null;
  readonly error: Failure | null;
  readonly warnings: readonly string[];
  readonly alarms: readonly Alarm[];
  readonly createdAt: number;
  readonly readyAt: number | null;
  readonly startedAt: number | null;
  readonly completedAt: number | null;
  /** Order of completion within the run; compensation goes backwards along it. */
  readonly finishedNo: number | null;
  /** Open fork or each: how many branches or items are still to come back. */
  readonly open: OpenWork | null;
  /** The branch of its fork ended with this row. */
  readonly arrived: boolean;
  /** A path of the run ended with this row, and this is what it gives. */
  readonly ended: { readonly output: Json } | null;
  /** A write that was cut off: nobody knows whether it happened. */
  readonly mayHaveHappened: boolean;
  /** No branch or route matched; a person decides. */
  readonly isHeld: boolean;
  /** It has something to undo, and has not been undone. */
  readonly isUndoable: boolean;
  readonly childRun: RunId | null;
  /** Hash of the version that all sub-runs of this visit follow, whatever is saved meanwhile; null: none began. */
  readonly childFlow: string | null;
  readonly gate: GateState | null;
  /** Of a state whose transition is under way, and of the action that it waits for. */
  readonly firing: Firing | null;
  /** The row that this one serves: the each of an item, the step of a probe, a notice or an undoing. */
  readonly serves: RowId | null;
  /** The row of an earlier run from which this one was taken over: it called nothing. */
  readonly copiedFrom: RowId | null;
};

export type SideKind = "escalation" | "cleanup";

export type Previous =
  | { readonly kind: "input" }
  | { readonly kind: "row"; readonly row: RowId }
  | { readonly kind: "arrivals"; readonly fork: RowId }
  | { readonly kind: "error"; readonly row: RowId };

export type OpenWork =
  | { readonly kind: "fork"; readonly open: number; readonly arrived: number }
  | {
      readonly kind: "each";
      readonly count: number;
      readonly started: number;
      readonly ended: number;
      readonly failed: number;
      /** The row that keeps the items: they may be many, and the frontier stays small. */
      readonly items: RowId;
      /** Items that were taken over from an earlier run and are not started: ranges of indexes, the end left out. */
      readonly copied: readonly (readonly [from: number, to: number])[];
    };

export type GateState = {
  readonly title: string | null;
  readonly message: string | null;
  /** Of what was shown; an answer may carry it. */
  readonly hash: string;
  /** The newest answer of each person. */
  readonly answers: readonly Answer[];
  readonly reminders: number;
};

export type Answer = {
  readonly by: string;
  readonly at: number;
  readonly outcome: OutcomeName;
  /** Of the form; null: none. */
  readonly data: Json | null;
  readonly comment: string | null;
};

export type Firing = {
  readonly transition: string;
  /** null: the alarm of an `after`. */
  readonly by: string | null;
  readonly reason: string | null;
  readonly data: JsonObject;
  /** Of the state, out of the way until it is known whether the run stays in it. */
  readonly alarms: readonly Alarm[];
};

export type RunRow = {
  readonly id: RunId;
  readonly uid: string;
  readonly name: string;
  readonly status: RunStatus;
  readonly version: number;
  readonly input: JsonObject;
  readonly createdBy: string;
  readonly createdVia: string | null;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly completedAt: number | null;
  readonly cancelledAt: number | null;
  readonly terminalKind: TerminalKind | null;
  readonly output: Json | null;
  readonly error: Failure | null;
  readonly attention: Attention | null;
  readonly ending: Ending | null;
  readonly alarms: readonly Alarm[];
  /** Live rows, open forks and eaches; nothing live, and the run is over. */
  readonly live: number;
  readonly rowCount: number;
  readonly finishedCount: number;
  /** How many gates and waits have ended: a loop through one of them is no spin. */
  readonly restCount: number;
  /** How many paths have ended; one gives its output, several an object. */
  readonly endedCount: number;
  readonly parent: { readonly run: RunId; readonly row: RowId; readonly depth: number } | null;
  /** The run that this one tries again, runs again or forks off; null: it began by itself. */
  readonly origin: Origin | null;
  /** Of a retry; null: every key is the run's own. */
  readonly keys: Keys | null;
  /** Of a machine. */
  readonly data: JsonObject | null;
  /** Ids of the newest messages from outside: deciding one twice changes nothing. */
  readonly seen: readonly string[];
};

export type Origin = {
  readonly kind: "retry" | "rerun" | "fork";
  readonly run: RunId;
  readonly uid: string;
  /** Of a retry: which try it is, the first run being 1; runs that were written before it was counted do not have it. */
  readonly attempt?: number;
};

/** null: it is no retry. */
export function attemptOf(origin: Origin | null): number | null {
  return origin?.kind === "retry" ? (origin.attempt ?? 2) : null;
}

/** The keys that a retry keeps of the runs before it; all others are its own. */
export type Keys = {
  /** By the place of a visit: the key that it had. */
  readonly known: { readonly [place: string]: string };
  /** Places whose keys the author gave and whose effects were undone: known by a new key from now on. */
  readonly fresh: readonly string[];
};

export type Attention = { readonly code: string; readonly row: RowId | null; readonly value: Json };

/** The run is on its way to its end: nothing new starts but clean-up and compensation. */
export type Ending = {
  readonly kind: "failure" | "cancel";
  readonly phase: "cleanup" | "undo";
  /** Rows that finished before this one are still to be undone; null: all. */
  readonly undoneTo: number | null;
  readonly error: Failure | null;
  readonly output: Json | null;
  readonly by: string | null;
  readonly reason: string | null;
};

/** The newest finished visit of a step within a scope. */
export type Visit = { readonly row: RowId; readonly finishedNo: number };

/** How often a step was entered: in all, and since `rest`, the run's last gate or wait. */
export type VisitCount = { readonly all: number; readonly sinceRest: number; readonly rest: number };

/** A signal that no wait has taken yet. */
export type Signal = { readonly id: string; readonly name: string; readonly data: Json };

export type Frontier = {
  readonly run: RunRow;
  /** Rows that are live, by id, in the order in which they were made. */
  readonly rows: ReadonlyMap<RowId, Row>;
  readonly scopes: ReadonlyMap<ScopePath, ReadonlyMap<StepKey, Visit>>;
  readonly visits: ReadonlyMap<StepKey, VisitCount>;
  readonly signals: readonly Signal[];
};

/** Something is still to come of this row. */
export function isLive(row: Pick<Row, "status" | "isHeld" | "open">): boolean {
  return (
    row.status === "pending" ||
    row.status === "ready" ||
    row.status === "running" ||
    row.status === "uncertain" ||
    row.isHeld ||
    row.open !== null
  );
}

/** Scheduled, or held before its time had come: its first row waits for the start and for nothing else. */
export function hasBegun({ startedAt }: RunRow): boolean {
  return startedAt !== null;
}

export function hasEnded(run: RunRow): boolean {
  return run.status === "completed" || run.status === "failed" || run.status === "cancelled";
}
