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
import type { LinkProblem } from "./link-problem.ts";
import { Turnstile } from "./turnstile.ts";
import { WaitingLine, type Place, type Turn, type Waiter } from "./waiting-line.ts";

/** A call that may be asked something, and may have to wait for its place and its turn. */
export type Asker = Waiter & {
  /** It has a place at the server, also when it is left and the server may still be at work on it. Said by `Askers`, on the call
   *  itself: sets of calls would take longer than all the rest. */
  isInside?: boolean;
  /** It is sent, and not answered; without a task. It listens meanwhile. Said by `Askers`. */
  isAtWork?: boolean;
  /** The task that it follows; null: it waits for the answer itself. */
  readonly task: string | null;
  readonly ask: (params: JsonObject) => Promise<ElicitAnswer>;
};

/** One whose request is to be sent. */
export type Beginner = Asker & {
  /** Its place and its turn have come. */
  go(): void;
  /** Nobody wants it any more. */
  left(problem: LinkProblem): void;
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
  /** By task, and those that have none. */
  readonly #listening = new LiveSet<Asker>();
  /** How many of those are at work. */
  #atWork = 0;
  /** Sent, and not answered, while people think. */
  readonly #waiting = new Set<Asker>();
  /** Of these, those whose people have answered, on their way back. */
  readonly #returning = new Map<Asker, Promise<void>>();
  /** For their turn. */
  readonly #line: WaitingLine<Asker>;
  readonly #entering: Turn<Beginner> = {
    go: (who) => this.#enter(who, true),
    left: (who, problem) => who.left(problem),
  };
  /** Those that only ask in their answers. */
  readonly #enteringQuietly: Turn<Beginner> = { ...this.#entering, go: (who) => this.#enter(who, false) };
  readonly #beginning: Turn<Beginner> = {
    ...this.#entering,
    go: (who) => {
      this.#work(who);
      who.go();
    },
  };
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

  /** Its request is to be sent: it is told to go when it has its place and its turn, at once or later. `mayAsk`: by itself,
   *  and not in its answer. */
  begin(asker: Beginner, mayAsk = true): void {
    this.#turnstile.enter(asker, mayAsk ? this.#entering : this.#enteringQuietly);
  }

  /** Its request is answered, or nobody waits for the answer any more. Its place is another matter. */
  end(asker: Asker): void {
    const wasAtWork = this.#rest(asker);
    if (this.#waiting.size > 0) this.#waiting.delete(asker);
    // It may be the one that has asked.
    if (wasAtWork && asker.isLeft === true) this.#refuseParked();
    this.#moveOn();
  }

  /** The server is not at work on it any more, or waits for people itself. */
  makeRoom(asker: Asker): void {
    if (asker.isInside !== true) return;
    asker.isInside = false;
    this.#turnstile.leave();
  }

  #work(asker: Asker): void {
    if (asker.isAtWork === true) return;
    asker.isAtWork = true;
    this.#atWork += 1;
  }

  /** False: it was not at work. */
  #rest(asker: Asker): boolean {
    if (asker.isAtWork !== true) return false;
    asker.isAtWork = false;
    this.#atWork -= 1;
    return true;
  }

  #atWorkNow(): readonly Asker[] {
    return [...this.#listening].filter(({ isAtWork }) => isAtWork === true);
  }

  /** `known`: the call on whose stream it came, if that is known. */
  async ask(params: JsonObject, task: unknown, known: Asker | undefined): Promise<ElicitAnswer> {
    if (task !== undefined) {
      const following = [...this.#listening].find((one) => one.task === task);
      return following === undefined ? { action: "decline" } : await following.ask(params);
    }
    if (known !== undefined) return await this.#askFor(known, params);
    const possible = this.#atWork > 0 ? this.#atWorkNow() : [...this.#waiting];
    const [only, ...others] = possible;
    if (only === undefined) return { action: "decline" };
    this.#onAsked();
    this.#takesTurns = true;
    return await this.#askFor(others.length === 0 ? only : await this.#park(), params);
  }

  async #askFor(asker: Asker, params: JsonObject): Promise<ElicitAnswer> {
    if (this.#rest(asker)) {
      this.#waiting.add(asker);
      this.makeRoom(asker);
    }
    this.#moveOn();
    const answer = await asker.ask(params);
    if (this.#waiting.has(asker)) await this.#comeBack(asker);
    // Else another question of the same call has its answer already; or the call is over.
    return asker.isAtWork === true ? answer : await nobodys();
  }

  /** Once, however many of its questions have their answers meanwhile. */
  #comeBack(asker: Asker): Promise<void> {
    const coming = this.#returning.get(asker) ?? this.#goBack(asker).finally(() => this.#returning.delete(asker));
    this.#returning.set(asker, coming);
    return coming;
  }

  async #goBack(asker: Asker): Promise<void> {
    await new Promise<void>((go, left) => {
      this.#turnstile.enter(asker, { go: () => go(), left: (_who, problem) => left(problem) }, "first");
    });
    asker.isInside = true;
    try {
      if (this.#waiting.has(asker) && this.#takesTurns) await this.#takeTurnAgain(asker);
    } catch (error) {
      this.#giveUp(asker);
      throw error;
    }
    if (this.#waiting.delete(asker)) this.#work(asker);
    else this.#giveUp(asker);
  }

  /** The call is over: the place and the turn that it may have got meanwhile are for others. */
  #giveUp(asker: Asker): void {
    this.makeRoom(asker);
    this.end(asker);
  }

  #enter(asker: Beginner, mayAsk: boolean): void {
    asker.isInside = true;
    if (!mayAsk) asker.go();
    else if (this.#takesTurns) this.#takeTurn(asker, this.#beginning, "last");
    else this.#beginning.go(asker);
  }

  #takeTurnAgain(asker: Asker): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = (): void => {
        this.#work(asker);
        resolve();
      };
      this.#takeTurn(asker, { go, left: (_who, problem) => reject(problem) }, "first");
    });
  }

  #takeTurn<Who extends Asker>(who: Who, turn: Turn<Who>, place: Place): void {
    if (this.#atWork > 0) this.#line.join(who, turn, place);
    else turn.go(who);
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
    if (this.#atWork === 0) this.#line.next();
  }

  /** As many questions as calls: none of them will end without an answer, and whose is whose nobody knows. */
  #clear(): void {
    const [only, ...others] = this.#atWorkNow();
    if (others.length > 0 && this.#parked.length < this.#atWork) return;
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
