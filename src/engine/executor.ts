// The one that carries out. Mailbox → batch → decide each message on the runs in memory → one commit → act. While one
// batch is written the next is decided: two in flight, not more, and they commit in order. Only what is on disk is acted
// on: calls made, callers answered, listeners told.
//
// Its states: open (takes, decides, calls), draining (calls nothing new), full or busy (the disk or the file is; tries
// again until it is not), over (stopped, or failed because nobody knows what is on disk).

import { crashPoint } from "../crash-point.ts";
import type { StepwellError } from "../error.ts";
import type { RowId, RunId } from "../run/model.ts";
import type { Committed, Ownership, RefusedReason } from "../store/store.ts";
import { Admission, loadedTogether, type AdmissionParts } from "./admission.ts";
import { closeBatch, createBatchDraft, type Aside, type BatchDraft, type WaitingAside } from "./batch-draft.ts";
import type { Caller } from "./caller.ts";
import type { Clock } from "./clock.ts";
import type { Claimant, QueueFigures } from "./dispatcher.ts";
import { createEnvelope, refusal, refuseStart, type Envelope } from "./envelope.ts";
import { engineStopped, isStoreGone, notWritten, outcomeUnknown } from "./failure.ts";
import { claimantOf } from "./held-run.ts";
import type { IdSource } from "./ids.ts";
import { Isolation } from "./isolation.ts";
import { Mailbox } from "./mailbox.ts";
import { refuseAll, type Unsettled } from "./unsettled.ts";

export type ExecutorParts = AdmissionParts & {
  readonly ownership: Ownership;
  readonly caller: Caller;
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly mailboxBytesMax: number;
  readonly listener: ExecutorListener;
};

/** Those who want to know what is on disk now. */
interface ExecutorListener {
  committed(draft: BatchDraft): void;
  /** Memory was lost; what is ready and due must be read from the rows again. */
  forgotten(): void;
  /** There is no room on the disk; it tries again until there is. */
  full(): void;
  failed(error: StepwellError): void;
}

type Refused = Extract<Committed, { kind: "refused" }>;

type State = "open" | "draining" | "full" | "busy" | "over";

/** `answer`: the store's; null: it has not answered yet. */
type InFlight = { readonly draft: BatchDraft; answer: Committed | null };

const inFlightMax = 2;
/** Long enough to share an fsync among many, short enough that nobody notices. */
const fillMs = 2;
/** While another batch is being written there is time to decide more, but not for ever: people wait. */
const fillMaxMs = 4;
/** After so many messages what has come meanwhile is read: a server whose answers wait here has nothing to do. */
const takenAtOnce = 32;
/** How long to wait before a full disk or a locked file is tried again. */
const againAfterMs = 250;

export class Executor {
  readonly #parts: ExecutorParts;
  readonly #mailbox: Mailbox;
  readonly #inFlight: InFlight[] = [];
  #state: State = "open";
  /** The batch that is being decided; null: none, or it was given up. */
  #filling: BatchDraft | null = null;
  #isTurning = false;
  #isDraining = false;
  /** It was said that there is no room; it is said once. */
  #isFull = false;
  #nextNo: number;
  #onDisk: number;
  /** What a commit takes of late. */
  #commitMs = 0;
  readonly #isolation = new Isolation();
  readonly #admission: Admission;
  readonly #asides: WaitingAside[] = [];
  #idle: (() => void)[] = [];

  constructor(parts: ExecutorParts) {
    this.#parts = parts;
    this.#mailbox = new Mailbox(parts.mailboxBytesMax);
    this.#admission = new Admission(parts);
    this.#onDisk = parts.ownership.lastCommit;
    this.#nextNo = this.#onDisk + 1;
  }

  /** Not before there is somebody to tell: the store may be lost already. */
  watchLoss(): void {
    this.#parts.ownership.onLost((problem) => this.#giveUp(outcomeUnknown(problem)));
  }

  get state(): State {
    return this.#state;
  }

  /** The newest batch that is on disk. */
  get onDisk(): number {
    return this.#onDisk;
  }

  /** Too much is waiting already: nothing new may start. */
  get isOverloaded(): boolean {
    return this.#mailbox.isFull;
  }

  /** Messages that wait to be decided, rows that wait to be called, and what a commit takes of late. */
  get figures(): QueueFigures & { readonly mailbox: number; readonly commitMs: number } {
    return { mailbox: this.#mailbox.length, commitMs: this.#commitMs, ...this.#parts.dispatcher.figures };
  }

  get isBusy(): boolean {
    return this.#isTurning || this.#inFlight.length > 0 || this.#hasMessages;
  }

  get #hasMessages(): boolean {
    return this.#mailbox.length + this.#asides.length > 0;
  }

  send(envelope: Envelope): void {
    if (this.#state === "over") {
      envelope.settle?.(refusal("engine_stopped", "The engine has stopped."));
      return;
    }
    this.#mailbox.push(envelope);
    this.#wake();
  }

  /** The row is ready, on disk; it is called when there is room. */
  offer(run: RunId, row: RowId): void {
    this.#parts.dispatcher.add(run, row);
    this.#wake();
  }

  /** A call is over: there is room for another. */
  released(claimant: Claimant): void {
    this.#parts.dispatcher.release(claimant);
    this.#wake();
  }

  /** Goes with the next batch; resolves when it is on disk. */
  write(aside: Aside): Promise<void> {
    if (this.#state === "over") return Promise.reject(engineStopped());
    return new Promise((done, failed) => {
      this.#asides.push({ ...aside, done, failed });
      this.#wake();
    });
  }

  /** Nothing new is called from now on; what is under way may finish. */
  drain(): void {
    this.#isDraining = true;
    if (this.#state === "open") this.#state = "draining";
  }

  /** Resolves when nothing waits and everything decided is on disk. */
  settled(): Promise<void> {
    if (!this.isBusy || this.#state === "over") return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  close(): void {
    this.#state = "over";
    const handedOver = this.#inFlight.splice(0).map(({ draft }) => draft);
    refuseAll(this.#takeWaiting(), "engine_stopped", engineStopped());
    // The store has not answered.
    refuseAll(handedOver, "outcome_unknown", outcomeUnknown("the engine has stopped"));
    this.#announceIdle();
  }

  #wake(): void {
    if (this.#isTurning || (this.#state !== "open" && this.#state !== "draining")) return;
    if (this.#inFlight.length >= inFlightMax || !this.#hasWork()) return;
    if (this.#inFlight.length > 0 && this.#mailbox.length < this.#parts.ownership.secondBatchMin) return;
    this.#isTurning = true;
    setImmediate(() => void this.#turn());
  }

  #hasWork(): boolean {
    return this.#hasMessages || (this.#state === "open" && this.#parts.dispatcher.hasNext);
  }

  async #turn(): Promise<void> {
    const draft = createBatchDraft(this.#nextNo, this.#parts.clock.now());
    this.#filling = draft;
    await this.#fill(draft);
    this.#isTurning = false;
    if (this.#state === "over") return;
    // A batch before it failed while the store was asked: its messages are in the mailbox again, and what it has brought
    // into memory since is not on disk.
    if (this.#filling === draft) this.#handOver(draft);
    else this.#forget();
    this.#filling = null;
    this.#wake();
  }

  async #fill(draft: BatchDraft): Promise<void> {
    const until = performance.now() + this.#fillTime();
    draft.asides.push(...this.#asides.splice(0, this.#isolation.max));
    if (this.#isolation.isCareful && draft.asides.length > 0) return;
    for (let taken = 1, loaded = 0; taken <= this.#isolation.max; taken++, loaded--) {
      if (taken > 1 && taken % takenAtOnce === 1) await this.#parts.clock.turn();
      if (loaded <= 0) loaded = await this.#loadNext();
      if (this.#filling !== draft) return;
      // It came before a message that is taken next, and must not get to the disk after it.
      if (this.#asides.length > 0) {
        if (this.#isolation.isCareful) break;
        draft.asides.push(...this.#asides.splice(0));
      }
      const envelope = this.#mailbox.shift();
      if (envelope === undefined) break;
      const pending = this.#take(draft, envelope);
      if (pending !== undefined) await pending;
      if (this.#filling !== draft) return;
      if (taken % 16 === 0 && performance.now() > until) break;
    }
    const isAdmitting = this.#state === "open" && !(this.#isolation.isCareful && draft.envelopes.length > 0);
    if (isAdmitting) await this.#admit(draft, until);
    this.#admission.queue(draft);
    for (const envelope of draft.troubles) this.#mailbox.push(envelope);
  }

  /** A promise only when the store must be asked. */
  #take(draft: BatchDraft, envelope: Envelope): Promise<void> | undefined {
    try {
      return this.#parts.decider.take(draft, envelope)?.catch((error: unknown) => this.#fail(draft, envelope, error));
    } catch (error) {
      this.#fail(draft, envelope, error);
      return undefined;
    }
  }

  #fail(draft: BatchDraft, envelope: Envelope, error: unknown): void {
    if (isStoreGone(error)) return this.#giveUp(outcomeUnknown(error));
    draft.replies.push({ envelope, reply: refusal("poison", `This could not be decided: ${String(error)}`) });
    this.#poison(envelope, String(error));
  }

  /** The runs of the messages that come next, in one go; answers how many these are. */
  async #loadNext(): Promise<number> {
    const next = this.#mailbox.peek(loadedTogether);
    const runs = next.flatMap(({ run, birth }) => (birth === null ? [run] : []));
    await this.#parts.decider.loadAll(runs)?.catch((error: unknown) => this.#giveUp(outcomeUnknown(error)));
    return next.length;
  }

  /** A message that can neither be decided nor written: its run is held for a person, and all others go on. */
  #poison({ run, message, birth }: Envelope, problem: string): void {
    if (message.kind === "poison" || birth !== null) return;
    const error = { code: "poison", message: problem };
    this.#mailbox.push(createEnvelope(run, { kind: "poison", id: `poison:${message.id}`, error }));
  }

  /** As long as a commit takes when one is under way: this batch could not be written earlier anyhow. */
  #fillTime(): number {
    return this.#inFlight.length === 0 ? fillMs : Math.min(fillMaxMs, Math.max(fillMs, this.#commitMs));
  }

  #admit(draft: BatchDraft, until: number): Promise<void> {
    return this.#admission.admit(draft, {
      rowsMax: this.#isolation.isCareful ? this.#isolation.max : Number.POSITIVE_INFINITY,
      until: until + fillMs,
      isGivenUp: () => this.#filling !== draft,
      onTrouble: (run, error) => {
        if (isStoreGone(error)) this.#giveUp(outcomeUnknown(error));
        else this.#poison(createEnvelope(run, { kind: "alarm", id: `admit:${run}` }), String(error));
      },
    });
  }

  #handOver(draft: BatchDraft): void {
    const { ownership, ids } = this.#parts;
    const batch = closeBatch(draft, ids.last);
    // Nothing to write: it is answered as soon as what it may rest on is on disk.
    const inFlight: InFlight = { draft, answer: batch === null ? { kind: "committed", no: draft.no } : null };
    this.#inFlight.push(inFlight);
    if (batch === null) return this.#followAnswers();
    this.#nextNo += 1;
    crashPoint("before-commit");
    const handedOverAt = performance.now();
    ownership.commit(batch).then(
      (committed) => {
        this.#commitMs += (performance.now() - handedOverAt - this.#commitMs) / 8;
        inFlight.answer = committed;
        return this.#followAnswers();
      },
      (error: unknown) => this.#giveUp(outcomeUnknown(error)),
    );
  }

  /** In the order of the batches, whatever that of the answers: what is decided again must find them on disk. */
  #followAnswers(): void {
    for (let first = this.#inFlight[0]; first !== undefined && first.answer !== null; first = this.#inFlight[0]) {
      const { draft, answer } = first;
      if (answer.kind === "unknown") return this.#giveUp(outcomeUnknown(answer.message));
      if (answer.kind === "refused") {
        this.#decideAgain(answer);
        break;
      }
      this.#inFlight.shift();
      this.#isolation.committed();
      this.#isFull = false;
      crashPoint("after-commit-before-act");
      this.#act(draft);
    }
    this.#wake();
    if (!this.isBusy) this.#announceIdle();
  }

  /** On disk, and only now: stop, call, answer, tell. */
  #act(draft: BatchDraft): void {
    const { caller, cache, listener } = this.#parts;
    for (const token of draft.aborts) caller.abort(token);
    for (const { held, call, attempt } of draft.calls) {
      const claimant = claimantOf(held, call.row, call.tool);
      if (draft.aborts.size > 0 && draft.aborts.has(call.token)) this.#parts.dispatcher.takeBack(claimant);
      else caller.call({ run: held.id, call, attempt, claimant });
    }
    crashPoint("after-dispatch");
    cache.release(draft.touched, draft.no);
    this.#onDisk = draft.no;
    listener.committed(draft);
    for (const { envelope, reply } of draft.replies) envelope.settle?.(reply);
    for (const { done } of draft.asides) done();
  }

  /** The first batch in flight is surely not on disk: it and all behind it are thrown away, and their messages decided
   *  again from the rows. What the store says of those behind is no longer asked for: they expected this one. */
  #decideAgain({ reason, message }: Refused): void {
    const drafts = this.#inFlight.splice(0).map(({ draft }) => draft);
    if (this.#filling !== null) drafts.push(this.#filling);
    this.#filling = null;
    const [first] = drafts;
    if (first !== undefined) this.#nextNo = first.no;
    const isSetAside = first !== undefined && this.#setAside(reason, message, first);
    const envelopes = drafts.flatMap((draft) => draft.envelopes).slice(isSetAside ? 1 : 0);
    this.#mailbox.putBack(reason === "full" ? envelopes.filter((envelope) => !refuseStart(envelope)) : envelopes);
    this.#asides.unshift(...drafts.flatMap(({ asides }) => asides));
    this.#forget();
    if (reason !== "full" && reason !== "busy") return;
    if (reason === "full" && !this.#isFull) this.#parts.listener.full();
    this.#isFull = reason === "full";
    this.#state = reason;
    this.#parts.clock.after(againAfterMs, () => this.#tryAgain());
  }

  /** True: the first message of the batch is the one that cannot be written, and is not decided again. */
  #setAside(reason: RefusedReason, problem: string, { envelopes, admitted, asides }: BatchDraft): boolean {
    // Behind another one, or no room: nothing is wrong with it.
    if (reason === "full" || reason === "busy" || reason === "behind") return false;
    const culprit = this.#isolation.refused({ envelopes, admitted, asides });
    const [envelope] = envelopes;
    const [place] = admitted;
    if (culprit === "admission" && place !== undefined)
      this.#poison(createEnvelope(place.run, { kind: "alarm", id: `admit:${place.row}` }), problem);
    if (culprit === "aside") asides.pop()?.failed(notWritten(problem));
    if (culprit !== "message" || envelope === undefined) return false;
    envelope.settle?.(refusal("poison", `This could not be written: ${problem}`));
    this.#poison(envelope, problem);
    return true;
  }

  #forget(): void {
    const { cache, decider, dispatcher, caller, listener } = this.#parts;
    cache.clear();
    decider.forget();
    dispatcher.reset(caller.claimants());
    listener.forgotten();
  }

  #tryAgain(): void {
    if (this.#state === "full" || this.#state === "busy") this.#state = this.#isDraining ? "draining" : "open";
    this.#wake();
  }

  /** Nobody knows what is on disk. Going on could do things twice; the rows tell whoever starts next. */
  #giveUp(error: StepwellError): void {
    if (this.#state === "over") return;
    this.#state = "over";
    const handedOver = this.#inFlight.splice(0).map(({ draft }) => draft);
    this.#parts.caller.abortAll();
    refuseAll([...handedOver, ...this.#takeWaiting()], "outcome_unknown", error);
    this.#parts.listener.failed(error);
    this.#announceIdle();
  }

  /** What is not even handed over. */
  #takeWaiting(): readonly Unsettled[] {
    this.#parts.dispatcher.rest();
    const filling = this.#filling === null ? [] : [this.#filling];
    this.#filling = null;
    return [...filling, { envelopes: this.#mailbox.drain(), asides: this.#asides.splice(0) }];
  }

  #announceIdle(): void {
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}
