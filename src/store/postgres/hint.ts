// Hints between processes by NOTIFY: something was committed, something was posted. They are sent beside what they tell
// of, never in its transaction, and few of them: whoever gets none looks by itself every now and then.

import type { Pool, Settings } from "./connection.ts";
import { openSession } from "./connection.ts";
import type { Session } from "./session.ts";

export type HintKind = "commit" | "inbox";

/** What happens in so short a time is one hint. */
const quietMs = 25;
/** A line that broke is opened again after a while; whether it is still there is asked as often. */
const againMs = 1000;
/** How long the end of a line may take. */
const goodbyeMs = 1000;

/** Opens its line when the first one listens; ends with `close`. */
export class HintLine {
  readonly #settings: Settings;
  readonly #writer: Pool;
  readonly #listeners: { readonly [kind in HintKind]: Set<() => void> } = { commit: new Set(), inbox: new Set() };
  readonly #told = new Set<HintKind>();
  #telling: NodeJS.Timeout | undefined;
  #opening: Promise<Session> | undefined;
  #again: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(settings: Settings, writer: Pool) {
    this.#settings = settings;
    this.#writer = writer;
  }

  on(kind: HintKind, listener: () => void): () => void {
    this.#listeners[kind].add(listener);
    this.#open();
    return () => void this.#listeners[kind].delete(listener);
  }

  tell(kind: HintKind): void {
    if (this.#isClosed || this.#told.has(kind)) return;
    this.#told.add(kind);
    if (this.#telling !== undefined) return;
    this.#send();
    this.#telling = setTimeout(() => this.#endQuiet(), quietMs);
    this.#telling.unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#telling);
    clearTimeout(this.#again);
    await this.#leave();
  }

  /** Nothing on this line is worth waiting for: one that does not say goodbye, or is still being opened, ends by itself. */
  async #leave(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, goodbyeMs);
    void this.#opening?.then(
      (session) => session.end(goodbyeMs).then(resolve),
      () => resolve(),
    );
    if (this.#opening === undefined) resolve();
    await promise;
    clearTimeout(timer);
  }

  #endQuiet(): void {
    this.#telling = undefined;
    if (this.#told.size === 0 || this.#isClosed) return;
    this.#send();
    this.#telling = setTimeout(() => this.#endQuiet(), quietMs);
    this.#telling.unref();
  }

  #send(): void {
    const kinds = [...this.#told];
    this.#told.clear();
    this.#writer
      .rows("hint", "select pg_notify($1, kind) from unnest($2::text[]) as kind", [this.#settings.channel, kinds])
      .catch(() => {
        // A hint may be missing.
      });
  }

  #open(): void {
    if (this.#opening !== undefined || this.#isClosed) return;
    this.#opening = this.#listen();
    this.#opening.then(
      (session) => this.#begin(session),
      () => this.#reopen(),
    );
  }

  #begin(session: Session): void {
    session.onEnd(() => this.#reopen());
    // What was missed before it was open.
    for (const kind of ["commit", "inbox"] as const) this.#call(kind);
    this.#watch(session);
  }

  async #listen(): Promise<Session> {
    const session = await openSession(this.#settings, "listen");
    session.onNotification(({ payload }) => {
      if (payload === "commit" || payload === "inbox") this.#call(payload);
    });
    await session.run(`listen "${this.#settings.channel}"`);
    return session;
  }

  #call(kind: HintKind): void {
    for (const listener of this.#listeners[kind]) listener();
  }

  /** A line can be dead without a word: only an answer tells. */
  #watch(session: Session): void {
    this.#again = setTimeout(() => {
      if (!session.isOpen || this.#isClosed) return;
      session.query("select 1").then(
        () => this.#watch(session),
        () => {
          // Its end is told to whoever waits for it.
        },
      );
    }, againMs * 5);
    this.#again.unref();
  }

  #reopen(): void {
    clearTimeout(this.#again);
    if (this.#isClosed) return;
    this.#again = setTimeout(() => {
      this.#opening = undefined;
      this.#open();
    }, againMs);
    this.#again.unref();
  }
}
