// The calls on one connection, and whose a question is that the server asks on its own. A server of 2025-11-25 need not
// say it. It is known when the question came on the stream of one call's answer, when it names a task, or when only one
// call could have asked: a call that waits for people has asked, and does not ask again meanwhile.
//
// So, once a server has asked without saying for whom, its calls take turns: one at a time is at work there. It gives its
// turn away while people think, and takes it again before their answer goes back. The very first such question may find
// several calls at work: it waits until all but one have ended.

import type { JsonObject } from "../../flow/json.ts";
import type { ElicitAnswer } from "./elicitation.ts";
import { LinkProblem } from "./link-problem.ts";

/** A call that may be asked something. */
export type Asker = {
  /** The task that it follows; null: it waits for the answer itself. */
  readonly task: string | null;
  readonly ask: (params: JsonObject) => Promise<ElicitAnswer>;
  /** Aborted when nobody wants the call any more. */
  readonly signal?: AbortSignal;
  /** Waits with it for its turn, and throws when it is left meanwhile. */
  readonly wait?: (turn: Promise<void>) => Promise<void>;
};

/** A question that may be of any of those at work. */
type Parked = { readonly give: (asker: Asker) => void; readonly refuse: () => void };

export class Askers {
  readonly #onAsked: () => void;
  /** By task, and those that have none. */
  readonly #listening = new Set<Asker>();
  /** Sent, and not answered; without a task. */
  readonly #atWork = new Set<Asker>();
  /** The same, while people think. */
  readonly #waiting = new Set<Asker>();
  readonly #queue: (() => void)[] = [];
  #parked: readonly Parked[] = [];
  #takesTurns: boolean;

  /** `onAsked`: a question came that did not say whose it is. */
  constructor(takesTurns: boolean, onAsked: () => void) {
    this.#takesTurns = takesTurns;
    this.#onAsked = onAsked;
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

  /** Its request is about to be sent. A promise only when it has to wait for its turn. */
  begin(asker: Asker): Promise<void> | undefined {
    if (this.#takesTurns) return this.#takeTurn(asker, "last");
    this.#atWork.add(asker);
    return undefined;
  }

  /** Its request is answered, or nobody waits for the answer any more. */
  end(asker: Asker): void {
    this.#atWork.delete(asker);
    this.#waiting.delete(asker);
    // It may be the one that has asked.
    if (asker.signal?.aborted === true) this.#refuseParked();
    this.#moveOn();
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
    if (!this.#takesTurns) this.#onAsked();
    this.#takesTurns = true;
    return await this.#askFor(others.length === 0 ? only : await this.#park(), params);
  }

  async #askFor(asker: Asker, params: JsonObject): Promise<ElicitAnswer> {
    if (this.#atWork.delete(asker)) this.#waiting.add(asker);
    this.#moveOn();
    const answer = await asker.ask(params);
    // Another question of the same call has its answer already; or the call is over.
    if (!this.#waiting.has(asker)) return this.#atWork.has(asker) ? answer : await nobodys();
    if (this.#takesTurns) await this.#takeTurn(asker, "first");
    else this.#atWork.add(asker);
    this.#waiting.delete(asker);
    return answer;
  }

  async #takeTurn(asker: Asker, place: "first" | "last"): Promise<void> {
    if (this.#atWork.size === 0) return void this.#atWork.add(asker);
    const { promise, resolve } = Promise.withResolvers<void>();
    const begin = (): void => {
      this.#atWork.add(asker);
      resolve();
    };
    if (place === "first") this.#queue.unshift(begin);
    else this.#queue.push(begin);
    try {
      await (asker.wait?.(promise) ?? promise);
    } catch (error) {
      const at = this.#queue.indexOf(begin);
      if (at >= 0) this.#queue.splice(at, 1);
      throw error;
    }
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
    if (this.#atWork.size === 0) this.#queue.shift()?.();
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
  return Promise.reject(new LinkProblem("left", "Nobody waits for it any more."));
}
