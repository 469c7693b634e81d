// Where requests come in, of this process or of guests: each is checked, handed to whoever carries it out, and answered
// once it is on disk.

import { StepwellError } from "../error.ts";
import { isObject, own, type Json } from "../flow/json.ts";
import type { Reply } from "../run/decision.ts";
import type { RunId } from "../run/model.ts";
import type { AuditRecord } from "../store/audit.ts";
import type { InboxId, InboxMessage, Ownership, Store } from "../store/store.ts";
import type { AccessClerk } from "./access-clerk.ts";
import { askerOf } from "./asker.ts";
import { auditOf } from "./audit.ts";
import { askingOf, type Clerk, type ClerkName } from "./clerk.ts";
import type { Clock } from "./clock.ts";
import type { Decider } from "./decider.ts";
import { createEnvelope, refusal, weigh, type Envelope } from "./envelope.ts";
import type { Executor } from "./executor.ts";
import { isNotWritten, noRoom } from "./failure.ts";
import { recall } from "./message-id.ts";
import { answerTo, parseRequest, refused, rowOf, toPlain, toWire, type Door, type Request } from "./request.ts";
import type { Keeper } from "./retention.ts";
import type { Starter } from "./starter.ts";

export type ReceptionParts = {
  readonly store: Store;
  readonly ownership: Ownership;
  readonly clock: Clock;
  readonly access: AccessClerk;
  /** Those who keep something beside the runs. */
  readonly clerks: Readonly<Record<ClerkName, Clerk>>;
  readonly starter: Starter;
  readonly decider: Decider;
  readonly executor: Executor;
  readonly keeper: Keeper;
  /** Somebody else wants the store. */
  readonly handOver: () => void;
  readonly problem: (error: unknown) => void;
};

/** What is written along: the answer to a guest, and what is on record of it. */
type Written = { readonly inbox: InboxId | null; readonly audited: AuditRecord | null };

/** Why a message is given up with nothing written, not even the answer to a guest. */
const setAside: ReadonlySet<string> = new Set(["poison", "store_full"]);

export class Reception implements Door {
  readonly #parts: ReceptionParts;
  /** Messages of guests whose answer stands in the batch that carries them out. */
  readonly #answered = new Set<InboxId>();

  constructor(parts: ReceptionParts) {
    this.#parts = parts;
  }

  async ask(request: Request): Promise<Json> {
    // What starts a run is copied where it is checked.
    const reply = await this.#handle(request.kind === "start" ? request : toPlain(request), null);
    if (reply.kind === "refused") throw refused(reply.code, reply.message);
    return reply.value;
  }

  async #handle(request: Request, inbox: InboxId | null): Promise<Reply> {
    const checked = this.#parts.access.check(request);
    if (checked !== undefined) await checked;
    const source = inbox === null ? "library" : "guest";
    const audited = request.kind === "start" ? null : auditOf(request, { at: this.#parts.clock.now(), source });
    switch (request.kind) {
      case "start":
        // What the program's own transaction has brought was promised: it waits for room.
        if (request.place === undefined) this.#checkRoom();
        return this.#parts.starter.start(request, inbox);
      case "again":
        this.#checkRoom();
        return this.#parts.starter.again(request, inbox);
      case "say":
        return this.#say(request, { inbox, audited });
      case "emit":
        return this.#emit(request, audited);
      case "preview":
        return this.#preview(request);
      case "prune":
        return { kind: "ok", value: await this.#parts.keeper.removeEnded(request, audited) };
      case "remove":
        return { kind: "ok", value: await this.#remove(request, { inbox, audited }) };
      case "keep":
        return { kind: "ok", value: await this.#keep(request, { inbox, audited }) };
      case "hand_over":
        this.#parts.handOver();
        return { kind: "ok", value: null };
    }
  }

  #checkRoom(): void {
    if (this.#parts.executor.isOverloaded)
      throw new StepwellError("OVERLOADED", "Too many messages wait to be decided; try again in a moment.");
    if (this.#parts.keeper.isFull || this.#parts.executor.state === "full") throw noRoom(this.#parts.store.name);
  }

  async #say(request: Extract<Request, { kind: "say" }>, { inbox, audited }: Written): Promise<Reply> {
    const { said, id, expectedVersion } = request;
    const expected = expectedVersion === undefined ? {} : { expectedVersion };
    if (said.kind === "signal" || said.kind === "event") this.#checkRoom();
    const run = request.run ?? (await this.#runOf(rowOf(said) ?? 0));
    const envelope = createEnvelope(run, { ...this.#parts.access.introduce(said), id });
    const bytes = envelope.bytes + ("data" in said ? weigh(said.data) : 0);
    return this.send({ ...envelope, ...expected, bytes, inbox, audit: audited });
  }

  async #runOf(row: number): Promise<RunId> {
    const found = await this.#parts.store.findRow(row);
    if (found === undefined) throw new StepwellError("STEP_NOT_FOUND", `There is no step ${row}.`);
    return found.run;
  }

  async #emit({ id, event, data }: Extract<Request, { kind: "emit" }>, audited: AuditRecord | null): Promise<Reply> {
    this.#checkRoom();
    const runs = await this.#parts.ownership.listWaiting(event);
    const recalled = await this.#recall(runs, id);
    if (recalled.includes("other"))
      return refusal("key_reused", "The key was used for another event, or with other data. Use a new one.");
    const fresh = runs.filter((_, index) => recalled[index] !== "same");
    const message = { kind: "event", id, name: event, data } as const;
    // However many it reaches, one record: it is on disk no later than the first of them hears of it.
    const audit = audited === null ? [] : [{ ...audited, details: { runs: fresh.length } }];
    const written = fresh.length === 0 ? undefined : this.#parts.executor.write({ audit });
    const told = Promise.all(fresh.map((run) => this.send(createEnvelope(run, message))));
    const [replies] = await Promise.all([told, written]);
    // Whoever asks again under the same id reaches those that have not heard of it.
    return replies.find(isUnheard) ?? { kind: "ok", value: runs.length };
  }

  /** Which of them have been told something under this key; without one nobody has. */
  async #recall(runs: readonly RunId[], id: string): Promise<readonly ReturnType<typeof recall>[]> {
    if (!id.includes("#")) return [];
    const found = await Promise.all(runs.map((run) => this.#parts.store.findRun(run)));
    return found.map((stored) => recall(stored?.run.seen ?? [], id));
  }

  #keep({ clerk, ask, by }: Extract<Request, { kind: "keep" }>, { inbox, audited }: Written): Promise<Json> {
    const found: Clerk | undefined = this.#parts.clerks[clerk];
    if (found === undefined) throw new StepwellError("REFUSED", "The message is none that this version knows.");
    return found.handle(ask, askingOf({ by, audit: audited }, inbox, this.#answered));
  }

  #remove(request: Extract<Request, { kind: "remove" }>, { inbox, audited }: Written): Promise<Json> {
    const who = { by: askerOf(request).user, audit: audited };
    return this.#parts.keeper.removeOne(request.run, askingOf(who, inbox, this.#answered));
  }

  async #preview({ run, isShort = false }: Extract<Request, { kind: "preview" }>): Promise<Reply> {
    const { decider, clock } = this.#parts;
    const preview = await (isShort ? decider.outlook(run, clock.now()) : decider.preview(run, clock.now()));
    if (preview === undefined) throw new StepwellError("RUN_NOT_FOUND", `There is no run ${run}.`);
    return { kind: "ok", value: preview };
  }

  /** The answer of the kernel, once it is on disk. */
  send(envelope: Envelope): Promise<Reply> {
    if (envelope.inbox !== null) this.#answered.add(envelope.inbox);
    return new Promise((resolve) => {
      this.#parts.executor.send({ ...envelope, settle: resolve });
    });
  }

  takeInbox(messages: readonly InboxMessage[]): void {
    for (const { id, message } of messages) void this.#takeGuest(id, message);
  }

  /** Most answers stand in the batch that carries out the request; the others follow in one of their own. */
  async #takeGuest(id: InboxId, message: Json): Promise<void> {
    try {
      const request = parseRequest(message);
      const reply = await this.#handle(request, id);
      if (reply.kind === "refused") this.#tellDropped(request, refused(reply.code, reply.message));
      const isWritten = this.#answered.delete(id) && !(reply.kind === "refused" && setAside.has(reply.code));
      if (!isWritten) this.#answer(id, answerTo(reply));
    } catch (error) {
      this.#tellDropped(message, error);
      // Once the answer is on disk it stays, whatever goes wrong after it.
      if (this.#answered.delete(id) && !isNotWritten(error)) this.#parts.problem(error);
      else this.#answer(id, { error: toWire(error) });
    }
  }

  /** A start that a transaction has brought has nobody who reads its answer. */
  #tellDropped(request: Json, error: unknown): void {
    const place = isObject(request) ? own(request, "place") : undefined;
    const id = isObject(place) ? own(place, "id") : undefined;
    if (typeof id !== "number" || isUnsettled(error)) return;
    const told = error instanceof Error ? error.message : String(error);
    this.#parts.problem(new StepwellError("REFUSED", `Run ${id}, accepted in a transaction, cannot start: ${told}`));
  }

  #answer(id: InboxId, answer: Json): void {
    this.#parts.executor.write({ answers: [{ id, answer }] }).catch((error: unknown) => this.#parts.problem(error));
  }
}

/** Nobody knows whether it was told, or it surely was not. */
function isUnheard(reply: Reply): boolean {
  return reply.kind === "refused" && (reply.code === "outcome_unknown" || reply.code === "engine_stopped");
}

/** The next owner takes it again. */
function isUnsettled(error: unknown): boolean {
  return error instanceof StepwellError && (error.code === "OUTCOME_UNKNOWN" || error.code === "ENGINE_STOPPED");
}
