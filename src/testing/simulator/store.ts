// The durable memory of the simulation, as its executor and those who watch it know it: what is written there survives
// every crash. A commit writes a whole batch or nothing; who commits says, by the fault it draws, what goes wrong.

import type { HeldRun } from "../../engine/held-run.ts";
import type { Plan } from "../../flow/plan.ts";
import type { MutableFrontier } from "../../run/apply.ts";
import type { Decision, Need, RunEvent } from "../../run/decision.ts";
import type { Message } from "../../run/message.ts";
import {
  isLive,
  type Row,
  type RowId,
  type RunId,
  type RunRow,
  type ScopePath,
  type Signal,
  type Visit,
  type VisitCount,
} from "../../run/model.ts";
import type { RowPlace } from "../../store/store.ts";

/** One decision, as it is written. */
export type Write = {
  readonly run: RunId;
  readonly plan: Plan;
  readonly message: Message;
  /** The wall clock when it was decided. */
  readonly now: number;
  readonly decision: Decision;
};

/** All that is on disk of one run. */
export type StoredRun = {
  readonly plan: Plan;
  run: RunRow;
  /** Every row there ever was, in the order in which they were made. */
  readonly rows: Map<RowId, Row>;
  readonly scopes: Map<ScopePath, Map<string, Visit>>;
  readonly visits: Map<string, VisitCount>;
  signals: readonly Signal[];
  readonly events: Map<string, RunEvent>;
};

/** What goes wrong with a commit. `crash_before`, `crash_after`: the process dies, and the batch is not on disk, or is. */
export type CommitFault = "none" | "refused" | "crash_before" | "crash_after";

/** `unknown`: the one who commits cannot tell, and stops. */
export type CommitOutcome = { readonly kind: "committed" | "refused" | "unknown"; readonly isOnDisk: boolean };

/** What a decision was made on: the run in memory, null for one that begins; old rows that were brought for it. */
export type Grounds = { readonly held: HeldRun | null; readonly brought: ReadonlyMap<RowId, Row> };

/** The run after a decision, and its rows that wait to be admitted. */
export type Taken = { readonly held: HeldRun; readonly ready: readonly RowId[] };

/** What a batch will put on disk, while its messages are decided. */
export interface Draft {
  /** Takes a decision into the run in memory and into the batch; undefined: it made no run. */
  take(write: Write, grounds: Grounds): Taken | undefined;
  /** Nothing more comes to it. */
  close(): void;
  /** The whole batch, or nothing of it. */
  commit(fault: CommitFault): CommitOutcome;
  /** After its commit: which of the runs in memory need not be kept. */
  release(held: ReadonlyMap<RunId, HeldRun>): readonly RunId[];
}

/** A question of the kernel, and the rows that are decided of this run but not on disk yet. */
export type Question = {
  readonly run: RunId;
  readonly held: HeldRun | null;
  readonly needs: readonly Need[];
  readonly unwritten: () => ReadonlyMap<RowId, Row>;
};

/** What is due, and when. */
export interface Agenda {
  /** Something was decided of this run. */
  note(held: HeldRun): void;
  /** What these runs were told to be due is decided and on disk, with all else of its batch. */
  settled(told: readonly RunId[], writes: readonly Write[]): void;
  /** The instant to look next. */
  nextAt(now: number): number | undefined;
  /** Runs that are due, each until its alarm is settled. */
  take(now: number): readonly RunId[];
  /** Reads it from the rows again. */
  reload(): void;
  /** The process has died. */
  clear(): void;
}

/** The runs as they are on disk, for those who watch: written decision by decision as a batch is committed. */
export interface Shelf {
  readonly runs: ReadonlyMap<RunId, StoredRun>;
  find(run: RunId): StoredRun | undefined;
  /** Runs that have not ended. */
  open(): readonly StoredRun[];
  write(write: Write): void;
}

/** Durable memory, as an executor uses it. */
export interface Store extends Shelf {
  readonly agenda: Agenda;
  load(run: RunId): HeldRun | undefined;
  /** One list for each need, in their order. */
  bring(question: Question): readonly (readonly Row[])[];
  /** Rows of running runs that wait to be admitted. */
  listReady(): readonly RowPlace[];
  /** Rows that run under another epoch. */
  listInterrupted(epoch: string): readonly (RowPlace & { readonly token: string })[];
  draft(at: number): Draft;
  /** Every batch that is not on disk is gone. */
  lose(): void;
  /** What is read of a run is not what was written of it; undefined: it is. */
  examine(run: RunId): string | undefined;
  close(): void;
}

/** What the kernel is given after memory was lost: live rows, and what the finished ones have left behind. */
export function loadFrontier(stored: StoredRun): MutableFrontier {
  const live = [...stored.rows.values()].filter(isLive).toSorted((one, other) => one.id - other.id);
  return {
    run: stored.run,
    rows: new Map(live.map((row) => [row.id, row])),
    scopes: new Map([...stored.scopes].map(([scope, steps]) => [scope, new Map(steps)])),
    visits: new Map(stored.visits),
    signals: stored.signals,
  };
}
