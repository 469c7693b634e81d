// The calls on one connection, and whose a question is that the server asks on its own. A server of 2025-11-25 need not
// say it. It is known when the question came on the stream of one call's answer, when it names a task, or when only one
// call could have asked: a call that waits for people has asked, and does not ask again meanwhile.
//
// So, once a server has asked without saying for whom, its calls take turns: one at a time is at work there. It gives its
// turn away while people think, and takes it again before their answer goes back. The very first such question may find
// several calls at work: it waits until all but one have ended.
//
// Where the server takes only so many calls at once, a call has a place there before it has its turn, and gives away and
// takes again both: whoever has a turn never waits for a place, so no two can wait for each other.

import type { JsonObject } from "../../flow/json.ts";
import { LiveSet } from "../../live-map.ts";
import type { ElicitAnswer } from "./elicitation.ts";
import { nobodyWaits, type LinkClock } from "./link-clock.ts";
import { Turnstile } from "./turnstile.ts";
import { WaitingLine, type Place, type Waiter } from "./waiting-line.ts";

/** A call that may be asked something, and may have to wait for its place and its turn. */
export type Asker = Waiter & {
  /** The task that it follows; null: it waits for the answer itself. */
  readonly task: string | null;
  readonly ask: (params: JsonObject) => Promise<ElicitAnswer>;
};

type AskersParts = {
  readonly clock: LinkClock;
  readonly takesTurns: boolean;
  /** A question came that did not say whose it is. */
  readonly onAsked: () => void;
  readonly turnstile?: Turnstile;
};

/** A question that may be of any of those at work. */
type Parked = { readonly give: (asker: Asker) => void; readonly refuse: () => void };

export class Askers {
  readonly #onAsked: () => void;
  readonly #turnstile: Turnstile;
  /** Have a place at the server, also those that are left and that it may still be at work on. */
  readonly #inside = new LiveSet<Asker>();
  /** By task, and those that have none. */
  readonly #listening = new LiveSet<Asker>();
  /** Sent, and not answered; without a task. */
  readonly #atWork = new LiveSet<Asker>();
  /** The same, while people think. */
  readonly #waiting = new Set<Asker>();
  /** Of these, those whose people have answered, on their way back. */
  readonly #returning = new Map<Asker, Promise<void>>();
  /** For their turn. */
  readonly #line: WaitingLine;
  #parked: readonly Parked[] = [];
  #takesTurns: boolean;

  constructor({ clock, takesTurns, onAsked, turnstile = new Turnstile(null, clock) }: AskersParts) {
    this.#takesTurns = takesTurns;
    this.#onAsked = onAsked;
    this.#turnstile = turnstile;
    this.#line = new WaitingLine(clock);
  }

  get size(): number {
    return this.#listening.size;
  }

  listen(asker: Asker): void {
    this.#listening.add(asker);
  }

  leave(asker: Asker): void {
    this.#listening.delete(asker);
  }

  /** Its request is about to be sent. A promise only when it has to wait for its place or its turn. `mayAsk`: by itself,
   *  and not in its answer. */
  begin(asker: Asker, mayAsk = true): Promise<void> | undefined {
    const room = this.#turnstile.enter(asker);
    if (room !== undefined) return this.#beginLater(asker, room, mayAsk);
    this.#inside.add(asker);
    return mayAsk ? this.#beginWork(asker) : undefined;
  }

  /** Its request is answered, or nobody waits for the answer any more. Its place is another matter. */
  end(asker: Asker): void {
    const wasAtWork = this.#atWork.delete(asker);
    this.#waiting.delete(asker);
    // It may be the one that has asked.
    if (wasAtWork && asker.signal?.aborted === true) this.#refuseParked();
    this.#moveOn();
  }

  /** The server is not at work on it any more, or waits for people itself. */
  makeRoom(asker: Asker): void {
    if (this.#inside.delete(asker)) this.#turnstile.leave();
  }

  /** `known`: the call on whose stream it came, if that is known. */
  async ask(params: JsonObject, task: unknown, known: Asker | undefined): Promise<ElicitAnswer> {
    if (task !== undefined) {
      const following = [...this.#listening].find((one) => one.task === task);
      return following === undefined ? { action: "decline" } : await following.ask(params);
    }
    if (known !== undefined) return await this.#askFor(known, params);
    const possible = [...(this.#atWork.size > 0 ? this.#atWork : this.#waiting)];
    const [only, ...others] = possible;
    if (only === undefined) return { action: "decline" };
    this.#onAsked();
    this.#takesTurns = true;
    return await this.#askFor(others.length === 0 ? only : await this.#park(), params);
  }

  async #askFor(asker: Asker, params: JsonObject): Promise<ElicitAnswer> {
    if (this.#atWork.delete(asker)) {
      this.#waiting.add(asker);
      this.makeRoom(asker);
    }
    this.#moveOn();
    const answer = await asker.ask(params);
    if (this.#waiting.has(asker)) await this.#comeBack(asker);
    // Else another question of the same call has its answer already; or the call is over.
    return this.#atWork.has(asker) ? answer : await nobodys();
  }

  /** Once, however many of its questions have their answers meanwhile. */
  #comeBack(asker: Asker): Promise<void> {
    const coming = this.#returning.get(asker) ?? this.#goBack(asker).finally(() => this.#returning.delete(asker));
    this.#returning.set(asker, coming);
    return coming;
  }

  async #goBack(asker: Asker): Promise<void> {
    const room = this.#turnstile.enter(asker, "first");
    if (room !== undefined) await room;
    this.#inside.add(asker);
    try {
      if (this.#waiting.has(asker) && this.#takesTurns) await this.#takeTurn(asker, "first");
    } catch (error) {
      this.#giveUp(asker);
      throw error;
    }
    if (this.#waiting.delete(asker)) this.#atWork.add(asker);
    else this.#giveUp(asker);
  }

  /** The call is over: the place and the turn that it may have got meanwhile are for others. */
  #giveUp(asker: Asker): void {
    this.makeRoom(asker);
    this.end(asker);
  }

  async #beginLater(asker: Asker, room: Promise<void>, mayAsk: boolean): Promise<void> {
    await room;
    this.#inside.add(asker);
    if (mayAsk) await this.#beginWork(asker);
  }

  #beginWork(asker: Asker): Promise<void> | undefined {
    if (this.#takesTurns) return this.#takeTurn(asker, "last");
    this.#atWork.add(asker);
    return undefined;
  }

  #takeTurn(asker: Asker, place: Place): Promise<void> | undefined {
    if (this.#atWork.size > 0) return this.#line.wait(asker, place, () => void this.#atWork.add(asker));
    this.#atWork.add(asker);
    return undefined;
  }

  #park(): Promise<Asker> {
    return new Promise((give, reject) => {
      const said = "Several calls are under way, and the question does not say which one asks.";
      this.#parked = [...this.#parked, { give, refuse: () => reject(new Error(said)) }];
      this.#moveOn();
    });
  }

  /** What is parked may have become clear; when nobody is at work, whoever is next begins. */
  #moveOn(): void {
    if (this.#parked.length > 0) this.#clear();
    if (this.#atWork.size === 0) this.#line.next();
  }

  /** As many questions as calls: none of them will end without an answer, and whose is whose nobody knows. */
  #clear(): void {
    const [only, ...others] = this.#atWork;
    if (others.length > 0 && this.#parked.length < this.#atWork.size) return;
    if (only !== undefined && others.length === 0) this.#parked[0]?.give(only);
    this.#refuseParked();
  }

  /** What was given to a call is not refused by this any more. */
  #refuseParked(): void {
    const parked = this.#parked;
    this.#parked = [];
    for (const { refuse } of parked) refuse();
  }
}

/** The server would take any answer for that of people. */
function nobodys(): Promise<never> {
  return Promise.reject(nobodyWaits());
}
