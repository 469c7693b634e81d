// A decision in the making: the frontier as it was, with the changes of this message on top. The only thing in `run/`
// that is written to; it lives as long as one call of `decide`.

import type { Json } from "../flow/json.ts";
import type { Plan, PlanStep, StepKey } from "../flow/plan.ts";
import type { Changes, Decision, Need, Needing, Reply, RunEvent, ScopeChange, Send, ToolCall } from "./decision.ts";
import type { Env } from "./env.ts";
import type { Recorded } from "./message.ts";
import {
  hasEnded,
  isLive,
  type Firing,
  type Frontier,
  type Previous,
  type Row,
  type RowId,
  type RunRow,
  type ScopePath,
  type SideKind,
  type Signal,
  type Visit,
  type VisitCount,
} from "./model.ts";

export type Draft = {
  readonly plan: Plan;
  readonly base: Frontier;
  readonly env: Env;
  readonly messageId: string;
  run: RunRow;
  readonly rows: Map<RowId, Row>;
  /** null: none. What not every decision needs is made when it does: there are two decisions for every step. */
  visits: Map<StepKey, VisitCount> | null;
  scopes: Map<ScopePath, Map<StepKey, Visit>> | null;
  droppedScopes: Set<ScopePath> | null;
  signals: readonly Signal[] | null;
  readonly events: RunEvent[];
  readonly calls: ToolCall[];
  readonly aborts: string[];
  readonly sends: Send[];
  /** null: nothing is missing. */
  needs: Map<string, Need> | null;
  reply: Reply;
  /** What is still to be done in this decision, in order. Steps never call each other: they put what follows here. */
  readonly todo: Todo[];
  /** How many of these are behind us. */
  todoDone: number;
  /** Of a run that takes over from an earlier one, while it starts: what is recorded, by place. */
  recorded: ReadonlyMap<string, Recorded>;
  /** The rows made so far for what is recorded. */
  recalled: Map<RowId, Recorded>;
};

export type Todo =
  /** The path of `row` goes on to `step`, which may be the join of the fork around it. */
  | { readonly kind: "go"; readonly row: RowId; readonly step: StepKey; readonly cause: Cause }
  /** The path of `row` ends well. */
  | { readonly kind: "end"; readonly row: RowId; readonly output: Json }
  /** A row that is ready begins, as far as it can without help from outside. */
  | { readonly kind: "open"; readonly row: RowId }
  /** An item of an each begins, or is over; all items are. */
  | { readonly kind: "item" | "item_over" | "each_over"; readonly row: RowId }
  /** A step was let go by, or nobody knows whether it happened. */
  | { readonly kind: "skipped" | "uncertain"; readonly row: RowId }
  /** The action of a machine's transition is over. */
  | { readonly kind: "fired"; readonly row: RowId };

/** What led to a row, and where it stands. */
export type Cause = {
  readonly scope: ScopePath;
  readonly side: SideKind | null;
  readonly causedBy: RowId | null;
  readonly via: string;
  readonly previous: Previous;
  readonly firing?: Firing;
};

/** Shared by all drafts of runs that take over nothing; never written to. */
const nothing = new Map<never, never>();

export function openDraft(plan: Plan, base: Frontier, env: Env, messageId: string): Draft {
  return {
    plan,
    base,
    env,
    messageId,
    run: base.run,
    rows: new Map(),
    visits: null,
    scopes: null,
    droppedScopes: null,
    signals: null,
    events: [],
    calls: [],
    aborts: [],
    sends: [],
    needs: null,
    reply: { kind: "ok", value: null },
    todo: [],
    todoDone: 0,
    recorded: nothing,
    recalled: nothing,
  };
}

export function closeDraft(draft: Draft): Decision | Needing {
  if (draft.needs !== null) return { kind: "need", needs: [...draft.needs.values()] };
  const { calls, aborts, sends, reply } = draft;
  return { kind: "decision", changes: changesOf(draft), calls, aborts, sends, reply };
}

function changesOf(draft: Draft): Changes {
  const { base, run, rows, events, signals } = draft;
  const { visits, scopes, droppedScopes } = draft;
  if (run !== base.run) patchRun(draft, { version: base.run.version + 1 });
  return {
    run: run === base.run ? null : run,
    rows: rows.size === 1 ? onlyOf(rows) : [...rows.values()],
    events,
    visits: visits === null ? none : Array.from(visits, ([step, count]) => ({ step, count })),
    scopes: scopes === null && droppedScopes === null ? none : scopeChangesOf(draft),
    signals,
  };
}

const none: readonly never[] = [];

/** A list that grows has room for many from the first one on; that of an admission has one. */
function onlyOf(rows: ReadonlyMap<RowId, Row>): readonly Row[] {
  for (const row of rows.values()) return [row];
  return none;
}

function scopeChangesOf({ scopes, droppedScopes }: Draft): readonly ScopeChange[] {
  const changes: ScopeChange[] = [];
  for (const scope of droppedScopes ?? none) changes.push({ kind: "drop", scope });
  for (const [scope, steps] of scopes ?? none)
    for (const [step, visit] of steps) changes.push({ kind: "set", scope, step, visit });
  return changes;
}

/** The draft's own copy of the run is made once and then written to: it changes several times with every step. */
export function patchRun(draft: Draft, patch: Partial<RunRow>): void {
  if (draft.run === draft.base.run) draft.run = { ...draft.run, ...patch };
  else Object.assign(draft.run, patch);
}

export function findRow(draft: Draft, id: RowId): Row | undefined {
  return draft.rows.get(id) ?? draft.base.rows.get(id);
}

/** The live row that a probe, an item or an undoing serves. */
export function findServed(draft: Draft, { serves }: Row): Row | undefined {
  return serves === null ? undefined : findRow(draft, serves);
}

/** The same, wherever it is. */
export function requireServed(draft: Draft, { serves }: Row): Row | undefined {
  return serves === null ? undefined : requireRow(draft, serves);
}

/** Writes a row and keeps the count of what is live. */
export function putRow(draft: Draft, row: Row): Row {
  const before = findRow(draft, row.id);
  const wasLive = before !== undefined && isLive(before);
  const version = before === undefined ? row.version : before.version + (draft.rows.has(row.id) ? 0 : 1);
  const next = row.version === version ? row : withVersion(row, version, before);
  draft.rows.set(row.id, next);
  const difference = Number(isLive(next)) - Number(wasLive);
  if (difference !== 0) patchRun(draft, { live: draft.run.live + difference });
  return next;
}

/** What whoever writes a row has just made of it is nobody else's: only a row that was there before is copied. */
function withVersion(row: Row, version: number, before: Row | undefined): Row {
  if (row === before) return { ...row, version };
  (row as { version: number }).version = version;
  return row;
}

/** All rows that are live now, in the order in which they were made. */
export function liveRows(draft: Draft): readonly Row[] {
  return [...new Map([...draft.base.rows, ...draft.rows]).values()].filter(isLive);
}

export function stepOf(draft: Draft, row: { readonly step: StepKey }): PlanStep {
  const step = draft.plan.steps[row.step];
  if (step === undefined) throw new Error(`the plan has no step ${row.step}`);
  return step;
}

export function tell(draft: Draft, kind: string, told: { row?: RowId; by?: string; data?: Json } = {}): void {
  const { row = null, by = null, data = null } = told;
  const id = `${draft.messageId}#${draft.events.length}`;
  draft.events.push({ id, kind, at: draft.env.now, row, by, data });
}

export function refuse(draft: Draft, code: string, message: string): void {
  draft.reply = { kind: "refused", code, message };
}

/** The rows that were asked for; asks when they have not been brought yet. */
export function require(draft: Draft, need: Need): readonly Row[] {
  const given = draft.env.given(need);
  if (given === undefined) draft.needs = (draft.needs ?? new Map<string, Need>()).set(JSON.stringify(need), need);
  return given ?? [];
}

/** A row wherever it is: of this decision, of the frontier, or brought. */
export function requireRow(draft: Draft, id: RowId): Row | undefined {
  return findRow(draft, id) ?? require(draft, { kind: "row", row: id })[0];
}

export function nextTodo(draft: Draft): Todo | undefined {
  const todo = draft.todo[draft.todoDone];
  if (todo !== undefined) draft.todoDone += 1;
  return todo;
}

/** Gives up what was still to be done, but for what `isKept`. */
export function dropTodos(draft: Draft, isKept: (todo: Todo) => boolean): void {
  const kept = draft.todo.slice(draft.todoDone).filter(isKept);
  draft.todo.length = 0;
  // One by one: a list of a hundred thousand does not fit into the arguments of a call.
  for (const todo of kept) draft.todo.push(todo);
  draft.todoDone = 0;
}

/** What people ask of a run that is over is refused, always in the same words. */
export function refuseIfEnded(draft: Draft): boolean {
  if (!hasEnded(draft.run)) return false;
  const why = draft.run.status === "cancelled" ? " Its history tells by whom, and why." : "";
  refuse(draft, "already_ended", `The run has ended: ${draft.run.status}.${why} Start a new one instead.`);
  return true;
}
