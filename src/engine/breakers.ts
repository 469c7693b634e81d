// The breakers of all tools. What they are is decided here at once, as calls begin and end, and kept in entries: written
// no later than the row of the call that changed it, so that a restart finds it as it was. A tool that has never failed
// has none, and costs a look into a map.
//
// The place of the one test call is memory only. It is given back when the call is not made after all: because its batch
// was thrown away, or another row of the same batch ended its run.

import { StepwellError } from "../error.ts";
import { isObject, own, type Json, type JsonObject } from "../flow/json.ts";
import type { RunEvent } from "../run/decision.ts";
import type { RowId, RunId } from "../run/model.ts";
import {
  defaultBreakerSettings,
  mayCall,
  moveBreaker,
  newBreaker,
  stateOf,
  type Breaker,
  type BreakerEvent,
} from "../tool/breaker.ts";
import type { ToolBox } from "../tool/tool.ts";
import { textIn } from "./ask-fields.ts";
import type { BatchDraft } from "./batch-draft.ts";
import type { BreakerRules } from "./breaker-rules.ts";
import type { BreakerView } from "./breaker-verbs.ts";
import { createNotice, describeOpen, type AppliedMove } from "./breaker-words.ts";
import type { CallOrder, MadeCall } from "./call-context.ts";
import type { MadeAnswer } from "./caller.ts";
import type { Asking, Clerk } from "./clerk.ts";
import type { Clock } from "./clock.ts";
import type { Entries } from "./entries.ts";
import type { Notice } from "./notice.ts";

export type BreakersParts = {
  readonly breakerRules: BreakerRules;
  readonly tools: ToolBox;
  readonly entries: Entries;
  readonly clock: Clock;
  readonly onNotice: (notice: Notice) => void | Promise<void>;
  readonly problem: (error: unknown) => void;
};

/** What a failure may be that says nothing about the tool: what it was asked was wrong, or it was not asked at all. */
const excused: ReadonlySet<string> = new Set([
  "bad_args",
  "not_allowed",
  "unknown_tool",
  "secret_missing",
  "secret_unreadable",
]);

const kind = "breaker";

type RunEventWrite = { readonly run: RunId; readonly event: RunEvent };

/** The call that moved it, or a person. */
type Mover = Pick<CallOrder, "run" | "call"> | Asking;

export class Breakers implements Clerk {
  readonly #parts: BreakersParts;
  /** By the tool's full name. */
  readonly #breakers = new Map<string, Breaker>();
  /** Tests that were let through and are not on disk as running yet, by tool. */
  readonly #admitted = new Map<string, RowId>();
  /** Calls that ran into their limit, by token: they have been counted, whatever they answer later. */
  readonly #overdue = new Set<string>();
  /** Calls that the batch which is being acted on has stopped. */
  readonly #stopped: CallOrder[] = [];

  constructor(parts: BreakersParts) {
    this.#parts = parts;
  }

  /** As they were; once the entries are read. */
  load(): void {
    for (const { key, value } of this.#parts.entries.list(kind)) {
      const breaker = parseBreaker(value);
      if (breaker !== undefined) this.#breakers.set(key, breaker);
    }
  }

  /** Why the row may not call this tool now; null: it may. Of all that ask a half-open one, the first takes the test. */
  findRefusal(tool: string, row: RowId): string | null {
    const known = this.#breakers.get(tool);
    if (known === undefined || known.openedAt === null) return null;
    if (this.#parts.breakerRules(tool) === null) return null;
    const { breaker, moment } = this.#apply(tool, { kind: "asked", row });
    if (!mayCall(breaker, row)) return describeOpen(tool, breaker, moment);
    this.#admitted.set(tool, row);
    return null;
  }

  /** How a call went, before its run is told; null: nobody wants to know any more. */
  settled(order: MadeCall, answer: MadeAnswer | null): void {
    if (this.#isOfEarlier(order)) return;
    if (answer === null) return void this.#stopped.push(order);
    const { call } = order;
    if (this.#overdue.delete(call.token)) return;
    const tool = this.#nameOf(call.tool);
    // Nearly always: it has not failed, and nothing changes.
    if (answer.kind === "done" && hasNotFailed(this.#breakers.get(tool))) return;
    this.#move(tool, eventOf(call.row, answer), order);
  }

  /** It has taken longer than it may, before its run is told. */
  overdue(order: MadeCall): void {
    if (this.#isOfEarlier(order)) return;
    const { call } = order;
    this.#overdue.add(call.token);
    const error = `It took longer than ${call.timeoutMs ?? 0} ms.`;
    this.#move(this.#nameOf(call.tool), { kind: "failed", row: call.row, error }, order);
  }

  /** A batch is on disk, and its calls are made. */
  committed(draft: BatchDraft): void {
    if (this.#stopped.length > 0) for (const order of this.#stopped.splice(0)) this.#followStopped(draft, order);
    if (this.#admitted.size > 0) this.#followAdmitted(draft);
  }

  /** Batches were thrown away, and with them the calls that they would have made. */
  forgotten(): void {
    for (const [tool, row] of this.#admitted) this.#release(tool, row);
    this.#admitted.clear();
  }

  async handle(ask: Json, asking: Asking): Promise<Json> {
    switch (textIn(ask, "do")) {
      case "list":
        return this.#list();
      case "reset":
        return this.#reset(this.#nameOf(textIn(ask, "tool")), asking);
      case "remove":
        return this.#remove(textIn(ask, "tool"), asking);
      default:
        throw new StepwellError("REFUSED", "The message is none that this version knows.");
    }
  }

  #list(): Json {
    const now = this.#parts.clock.now();
    const list: BreakerView[] = [];
    for (const tool of [...this.#breakers.keys()].toSorted()) {
      const settings = this.#parts.breakerRules(tool);
      const breaker = this.#breakers.get(tool);
      if (settings === null || breaker === undefined) continue;
      const { count, lastError, openedAt, test } = breaker;
      const state = stateOf(breaker, { now, settings });
      const openUntil = state === "open" && openedAt !== null ? openedAt + settings.openMs : null;
      list.push({ tool, state, count, lastError, openedAt, openUntil, isTesting: test !== null });
    }
    return list;
  }

  async #reset(tool: string, asking: Asking): Promise<boolean> {
    if (!this.#breakers.has(tool)) return false;
    await this.#keep(tool, { kind: "reset" }, asking);
    return true;
  }

  /** The tool has gone, and what was known of it. */
  async #remove(tool: string, asking: Asking): Promise<Json> {
    this.#admitted.delete(tool);
    if (!this.#breakers.delete(tool)) return false;
    return this.#parts.entries.change([{ kind, key: tool, value: null }], { asking, answer: () => true });
  }

  /** A call of a tool that was replaced or has gone since says nothing about the one that is there. */
  #isOfEarlier({ call, tool }: MadeCall): boolean {
    if (tool === this.#parts.tools.find(tool?.name ?? call.tool)) return false;
    this.#overdue.delete(call.token);
    return true;
  }

  /** Most that are stopped are not wanted any more. One that took too long may have been found out by another alarm of
   *  its run, before its own timer: then it has not been counted yet. */
  #followStopped(draft: BatchDraft, order: CallOrder): void {
    const { row, token } = order.call;
    if (this.#overdue.delete(token)) return;
    const tool = this.#nameOf(order.call.tool);
    const error = draft.rows.get(row)?.row.error;
    if (error?.code === "timeout") this.#move(tool, { kind: "failed", row, error: error.message }, order);
    else this.#release(tool, row);
  }

  #followAdmitted({ admitted, calls, aborts }: BatchDraft): void {
    for (const [tool, row] of this.#admitted) {
      if (!admitted.some((place) => place.row === row)) continue;
      this.#admitted.delete(tool);
      if (!calls.some(({ call }) => call.row === row && !aborts.has(call.token))) this.#release(tool, row);
    }
  }

  /** If the row had the place of the test, the next call has it. */
  #release(tool: string, row: RowId): void {
    this.#apply(tool, { kind: "released", row });
  }

  #move(tool: string, event: BreakerEvent, mover: Mover): void {
    if (this.#parts.breakerRules(tool) !== null) this.#keep(tool, event, mover).catch(this.#parts.problem);
  }

  /** Known here at once; resolves when it is on disk. */
  async #keep(tool: string, event: BreakerEvent, mover: Mover): Promise<void> {
    const applied = this.#apply(tool, event);
    if (applied.notice === null && isKept(applied.before, applied.breaker)) return;
    const notice = createNotice(tool, applied, mover);
    const changes = [{ kind, key: tool, value: toValue(applied.breaker) }];
    const events = notice === null ? [] : eventsOf(notice, mover);
    await this.#parts.entries.change(changes, {
      events,
      ...("call" in mover ? {} : { asking: mover, answer: () => true }),
    });
    if (notice !== null) void this.#tell(notice);
  }

  #apply(tool: string, event: BreakerEvent): AppliedMove {
    const { breakerRules, clock } = this.#parts;
    const before = this.#breakers.get(tool) ?? newBreaker;
    const moment = { now: clock.now(), settings: breakerRules(tool) ?? defaultBreakerSettings };
    const move = moveBreaker(before, event, moment);
    if (move.breaker !== before) this.#breakers.set(tool, move.breaker);
    return { ...move, before, moment };
  }

  /** Whoever listens must not disturb anything. */
  async #tell(notice: Notice): Promise<void> {
    try {
      await this.#parts.onNotice(notice);
    } catch (error) {
      const message = `What was given as onNotice has thrown: ${String(error)}`;
      this.#parts.problem(new StepwellError("USAGE", message, { cause: error }));
    }
  }

  /** One breaker for a tool, whichever of its names a step calls it by. */
  #nameOf(tool: string): string {
    return this.#parts.tools.find(tool)?.name ?? tool;
  }
}

function hasNotFailed(breaker: Breaker | undefined): boolean {
  return breaker === undefined || (breaker.count === 0 && breaker.openedAt === null);
}

function eventOf(row: RowId, answer: MadeAnswer): BreakerEvent {
  switch (answer.kind) {
    case "done":
      return { kind: "succeeded", row };
    case "failed": {
      const { code, message } = answer.error;
      return excused.has(code) ? { kind: "released", row } : { kind: "failed", row, error: message || code };
    }
    case "lost":
      return { kind: "failed", row, error: "The connection broke." };
  }
}

/** On record with the run whose call it was. */
function eventsOf(notice: Notice, mover: Mover): readonly RunEventWrite[] {
  if (!("call" in mover)) return [];
  const { run, call } = mover;
  const { kind: told, at, tool, count, retryMinutes, lastError, message } = notice;
  const data = { tool, count, retryMinutes, lastError, message };
  return [{ run, event: { id: `${told}:${call.token}`, kind: told, at, row: call.row, by: null, data } }];
}

/** Nothing of it has to be written: the place of the test is not. */
function isKept(before: Breaker, after: Breaker): boolean {
  return before.count === after.count && before.openedAt === after.openedAt && before.lastError === after.lastError;
}

function toValue({ count, openedAt, lastError }: Breaker): JsonObject {
  return { count, openedAt, lastError };
}

/** undefined: another version has written what this one does not understand; the tool is called. */
function parseBreaker(value: Json): Breaker | undefined {
  if (!isObject(value)) return undefined;
  const count = own(value, "count");
  const openedAt = own(value, "openedAt") ?? null;
  const lastError = own(value, "lastError") ?? null;
  if (typeof count !== "number" || (openedAt !== null && typeof openedAt !== "number")) return undefined;
  return { count, openedAt, lastError: typeof lastError === "string" ? lastError : null, test: null };
}
