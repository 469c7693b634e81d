// A store whose answers come in rounds. While anything moves in the engine, what it asks is only noted; when nothing moves
// any more, all of it is asked of the real store and answered in the order of asking. So the same list gives the same
// schedule on every store, however long each of them takes, and what differs is what the store says.
//
// Commits of one round are handed over together, as the engine does; nothing else is under way beside them. The process
// can die at a commit: what it is told from then on is only so that it ends.

import type { Batch, Claim, Committed, Ownership, Store } from "../../src/store/store.ts";
import { turnOnce } from "../../src/testing/fake-clock.ts";

export type DeathAt = { readonly commit: number; readonly isWritten: boolean };

type Asked = {
  readonly sort: "read" | "commit" | "other";
  readonly ask: () => Promise<unknown>;
  readonly settle: PromiseWithResolvers<unknown>;
};

type Answer = { readonly asked: Asked; readonly value: unknown; readonly isThrown: boolean };

/** Turns of the event loop without a question, after which none is to come: the engine waits for one at most. */
const quietTurns = 3;

/** What answers at once. */
const direct: ReadonlySet<string> = new Set(["isFresh", "onInbox", "onLost", "onHint"]);
const reads = /^(?:find|list|load|bring|next|last|measure)/;

/** One life of one process on a store; alive until it dies or is closed. */
export class Lockstep {
  readonly store: Store;
  readonly #real: Store;
  #asked: Asked[] = [];
  /** Counts what may move something. */
  #count = 0;
  #idle: (() => void)[] = [];
  #isPumping = false;
  #isDead = false;
  #commits = 0;
  #deathAt: DeathAt | null = null;
  #ownership: Ownership | null = null;

  constructor(real: Store) {
    this.#real = real;
    this.store = this.#lead(real, {
      // What an engine does that has lost its store is another matter, and not the same on all of them.
      whenLost: "stop",
      claim: (owner) => (this.#isDead ? Promise.reject(dead()) : this.#note("other", () => this.#claim(owner))),
      close: () => this.#end(),
    });
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /** The real one, which is asked while nothing moves; null: it has none. */
  get ownership(): Ownership | null {
    return this.#ownership;
  }

  /** Resolves when nothing moves any more. */
  settle(): Promise<void> {
    // Whoever asks may have set something going, late in a quiet moment that is being counted.
    this.#count += 1;
    return new Promise((resolve) => {
      this.#idle.push(resolve);
      this.#start();
    });
  }

  /** How many batches were handed over. */
  get commits(): number {
    return this.#commits;
  }

  /** The commit of this number from now on is its last. */
  dieAt(death: DeathAt): void {
    this.#deathAt = death;
  }

  /** The process is dead, and what it held is free. */
  async die(): Promise<void> {
    this.#isDead = true;
    await this.#end();
  }

  async #end(): Promise<void> {
    const held = this.#ownership;
    this.#ownership = null;
    await held?.release();
  }

  async #claim(owner: Parameters<Store["claim"]>[0]): Promise<Claim> {
    const claimed = await this.#real.claim(owner);
    if (claimed.kind === "taken") return claimed;
    const { ownership } = claimed;
    this.#ownership = ownership;
    const commit = (batch: Batch): Promise<Committed> => this.#commit(ownership, batch);
    return { kind: "owned", ownership: this.#lead(ownership, { commit, release: () => this.#end() }) };
  }

  #commit(ownership: Ownership, batch: Batch): Promise<Committed> {
    if (this.#isDead) return Promise.resolve(unknownAfterDeath);
    this.#commits += 1;
    const death = this.#deathAt;
    if (death === null) return this.#note("commit", () => ownership.commit(batch));
    this.#deathAt = death.commit > 1 ? { ...death, commit: death.commit - 1 } : null;
    if (death.commit > 1) return this.#note("commit", () => ownership.commit(batch));
    this.#isDead = true;
    return this.#note("commit", async () => {
      if (death.isWritten) await ownership.commit(batch);
      return unknownAfterDeath;
    });
  }

  /** The same object, with every question noted. */
  #lead<Target extends object>(target: Target, given: Partial<Target>): Target {
    return new Proxy(target, {
      get: (_target, name) => {
        if (Object.hasOwn(given, name)) return Reflect.get(given, name);
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== "function" || typeof name !== "string") return value;
        if (direct.has(name)) return value.bind(target);
        return (...values: unknown[]) => this.#ask(name, async () => Reflect.apply(value, target, values));
      },
    });
  }

  #ask(verb: string, ask: () => Promise<unknown>): Promise<unknown> {
    if (this.#isDead) return Promise.reject(dead());
    return this.#note(reads.test(verb) ? "read" : "other", ask);
  }

  #note<Given>(sort: Asked["sort"], ask: () => Promise<Given>): Promise<Given>;
  #note(sort: Asked["sort"], ask: () => Promise<unknown>): Promise<unknown> {
    const settle = Promise.withResolvers<unknown>();
    this.#asked.push({ sort, ask, settle });
    this.#count += 1;
    this.#start();
    return settle.promise;
  }

  #start(): void {
    if (this.#isPumping) return;
    this.#isPumping = true;
    void this.#pump();
  }

  async #pump(): Promise<void> {
    await this.#quiet();
    while (this.#asked.length > 0) {
      const answers = await askAll(this.#asked.splice(0));
      for (const { asked, value, isThrown } of answers) {
        if (isThrown) asked.settle.reject(value);
        else asked.settle.resolve(value);
      }
      await this.#quiet();
    }
    this.#isPumping = false;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  async #quiet(): Promise<void> {
    let seen = this.#count;
    for (let turns = 0; turns < quietTurns; turns++) {
      await turnOnce();
      if (this.#count !== seen) turns = -1;
      seen = this.#count;
    }
  }
}

function dead(): Error {
  return new Error("the process is dead");
}

const unknownAfterDeath: Committed = { kind: "unknown", message: "the process is dead" };

async function askAll(round: readonly Asked[]): Promise<readonly Answer[]> {
  const answers: Promise<Answer>[] = [];
  let sort: Asked["sort"] = "other";
  for (const asked of round) {
    if (asked.sort === "other" || asked.sort !== sort) await Promise.all(answers);
    sort = asked.sort;
    answers.push(answerOf(asked));
  }
  return Promise.all(answers);
}

async function answerOf(asked: Asked): Promise<Answer> {
  try {
    return { asked, value: await asked.ask(), isThrown: false };
  } catch (error) {
    return { asked, value: error, isThrown: true };
  }
}
