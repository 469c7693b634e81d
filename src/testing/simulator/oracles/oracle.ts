// An oracle says what must never be. It looks at one decision while it is written, with the rows as they were, and
// knows the contract rather than the code: where it can, it works things out anew.

import type { Json } from "../../../flow/json.ts";
import type { Plan, PlanStep } from "../../../flow/plan.ts";
import type { CancelPreview } from "../../../run/cancel.ts";
import type { Row, RowId, RunRow } from "../../../run/model.ts";
import type { StoredRun, Write } from "../store.ts";
import type { Tools } from "../tools.ts";

export type Oracle = {
  readonly name: OracleName;
  /** What is wrong, or nothing. */
  readonly judge: (view: WriteView) => string | undefined;
};

export type OracleName =
  | "decide is total"
  | "decide is pure"
  | "legal transitions"
  | "terminal is final"
  | "no lost update"
  | "nothing is early"
  | "join once"
  | "one row per cause"
  | "effects within attempts"
  | "same key and args"
  | "intent before call"
  | "result of its own call"
  | "followed in its row"
  | "late results are recorded"
  | "unknown outcome is asked"
  | "counters"
  | "memory equals disk"
  | "history folds to the state"
  | "compensation in order"
  | "messages are idempotent"
  | "people decide"
  | "signals are kept"
  | "each is whole"
  | "pause holds"
  | "ending starts nothing new"
  | "preview tells the truth"
  | "prompt recovery"
  | "attention is named"
  | "waits have a name"
  | "every run ends"
  | "done is taken over"
  | "a retry keeps its keys"
  | "read back as written"
  | "brought as they are"
  | "commits are accepted"
  | "refused leaves nothing"
  | "due is done"
  | "same seed, same trace";

/** What the oracles remember of one run, besides what is on disk. */
export type RunMemory = {
  /** The row that was made for each cause. */
  readonly causes: Map<string, RowId>;
  readonly joinedForks: Set<RowId>;
  readonly messages: Set<string>;
  /** Numbers of the signals that were accepted. */
  readonly signals: Set<string>;
  /** Key and args of each visit, by what the visit is. */
  readonly visits: Map<string, { readonly key: string; readonly args: Json | null }>;
  /** Rows that were held at some time. */
  readonly held: Set<RowId>;
  /** When each row ended, counted in decisions: compensation goes back along it. */
  readonly ends: Map<RowId, number>;
  /** Rows whose undoing has begun, in order. */
  readonly undone: RowId[];
  /** What a preview of the cancel that was accepted said would be undone. */
  promised: readonly RowId[] | null;
  /** Who gave which answer to which gate. */
  readonly answers: Map<string, Set<string>>;
  writes: number;
};

export function emptyMemory(): RunMemory {
  return {
    causes: new Map(),
    joinedForks: new Set(),
    messages: new Set(),
    signals: new Set(),
    visits: new Map(),
    held: new Set(),
    ends: new Map(),
    undone: [],
    promised: null,
    answers: new Map(),
    writes: 0,
  };
}

export type WriteView = {
  readonly write: Write;
  readonly plan: Plan;
  /** The run before this write; undefined: it is being made. */
  readonly stored: StoredRun | undefined;
  /** The run from which this one takes over. */
  readonly origin: StoredRun | undefined;
  readonly runBefore: RunRow | null;
  readonly runAfter: RunRow | null;
  readonly changed: readonly ChangedRow[];
  readonly memory: RunMemory;
  readonly tools: Tools;
  /** What was said before it that a cancel would do. */
  readonly preview: CancelPreview | undefined;
  /** A row as it is after this write. */
  row(id: RowId): Row | undefined;
};

export type ChangedRow = { readonly before: Row | undefined; readonly after: Row };

export function createView(
  write: Write,
  stored: StoredRun | undefined,
  known: Pick<WriteView, "memory" | "tools" | "preview" | "origin">,
): WriteView {
  const { changes } = write.decision;
  return {
    ...known,
    write,
    plan: write.plan,
    stored,
    runBefore: stored?.run ?? null,
    runAfter: changes.run ?? stored?.run ?? null,
    changed: changes.rows.map((after) => ({ before: stored?.rows.get(after.id), after })),
    row: (id) => changes.rows.find((row) => row.id === id) ?? stored?.rows.get(id),
  };
}

/** The first problem among many. */
export function firstProblem<T>(things: Iterable<T>, problemOf: (thing: T) => string | undefined): string | undefined {
  for (const thing of things) {
    const problem = problemOf(thing);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

export function stepOf(plan: Plan, row: Row): PlanStep | undefined {
  return plan.steps[row.step];
}

export function describe(row: Row): string {
  const item = row.index === null ? "" : `[${row.index}]`;
  return `row ${row.id} (${row.role} of ${row.step}${item}, visit ${row.visit}, ${row.status})`;
}

/** Nothing is to come of it; what is held still waits for a person. */
export function isOver(row: Row): boolean {
  if (row.isHeld) return false;
  return row.status === "done" || row.status === "failed" || row.status === "skipped" || row.status === "cancelled";
}
