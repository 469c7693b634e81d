// Live events: each who listens has a reader of its own, which fills its outbox as fast as things happen, and a writer,
// which sends what waits there as fast as the connection takes it. Whatever ends it, connection, engine or right, both
// end and nothing is left.

import type { Context } from "hono";
import { streamSSE, type SSEStreamingApi } from "hono/streaming";
import type { ChangesQuery, StoreNews } from "../engine/changes.ts";
import { systemClock, type Clock, type Timer } from "../engine/clock.ts";
import type { Engine } from "../engine/engine.ts";
import { StepwellError } from "../error.ts";
import type { Door } from "./door.ts";
import { Outbox } from "./outbox.ts";
import { ToolWatch, type Watched } from "./tool-watch.ts";

export type LiveOptions = {
  readonly clock?: Pick<Clock, "after">;
  /** Aborted when the service stops: all streams end. */
  readonly ending?: AbortSignal;
  /** Who listens at the same time. */
  readonly clientsMax?: number;
  /** Of those, in the name of one user; the owner of the machine has no such limit. */
  readonly clientsOfOneMax?: number;
  /** What waits for one client. */
  readonly bytesMax?: number;
};

export type Live = {
  readonly open: (context: Context<Door>, asked: Asked) => Promise<Response>;
};

type Asked = {
  readonly query: Omit<ChangesQuery, "signal">;
  /** Throws when whoever listens would not be let in any more. */
  readonly check: () => Promise<unknown>;
};

/** Proxies let go of connections on which nothing comes for a minute or so. */
const beatMs = 15_000;
/** After which a browser comes back when the connection is gone. */
const retryMs = 1000;
/** Of the past, no more than this is read ahead of the client. */
const replayBytes = 64 * 1024;

export function createLive(engine: Engine, options: LiveOptions): Live {
  const { clock = systemClock, ending, clientsMax = 1000, clientsOfOneMax = 100, bytesMax = 1024 * 1024 } = options;
  const listeners = new Set<Listener>();
  const watch = new ToolWatch(engine, clock);
  let opening = 0;
  /** Whose streams are open, or about to be. */
  const users = new Map<string, number>();
  const count = (user: string, by: 1 | -1): void => {
    const left = (users.get(user) ?? 0) + by;
    if (left === 0) users.delete(user);
    else users.set(user, left);
  };
  ending?.addEventListener("abort", () => {
    for (const listener of listeners) listener.leave();
  });
  return {
    open: async (context, { query, check }) => {
      if (listeners.size + opening >= clientsMax) throw tooMany(clientsMax);
      const { engine: visitors, user, how } = context.get("visitor");
      if (how !== "local" && (users.get(user) ?? 0) >= clientsOfOneMax) throw tooManyOfOne(user, clientsOfOneMax);
      const leaving = new AbortController();
      const news = visitors.changes({ ...query, signal: leaving.signal });
      opening += 1;
      count(user, 1);
      // What it may not see, or what is not there, is told before a stream begins.
      const first = await news
        .next()
        .catch((error: unknown) => {
          count(user, -1);
          throw error;
        })
        .finally(() => (opening -= 1));
      const outbox = new Outbox(bytesMax);
      if (query.after === undefined && first.done !== true) outbox.greet(first.value.cursor);
      const listener = new Listener({ news, first, outbox, clock, check, leaving });
      listeners.add(listener);
      // Who asked for some runs alone is told of nothing else.
      const isOfAll = query.run === undefined && query.workflow === undefined;
      const unwatch = isOfAll ? watch.listen((what) => listener.note(what)) : () => {};
      // A client may have gone before its answer began, and then nobody cancels the stream.
      context.req.raw.signal.addEventListener("abort", () => listener.leave(), { signal: leaving.signal });
      if (context.req.raw.signal.aborted || ending?.aborted === true) listener.leave();
      const response = streamSSE(context, async (sse) => {
        await listener.run(sse);
        listeners.delete(listener);
        unwatch();
        count(user, -1);
      });
      // Whoever stands in between passes on each event at once, and keeps none.
      response.headers.set("cache-control", "no-store");
      response.headers.set("x-accel-buffering", "no");
      // Kept for a next request, it would keep a service that stops waiting.
      response.headers.set("connection", "close");
      return response;
    },
  };
}

function tooMany(clientsMax: number): StepwellError {
  return new StepwellError("OVERLOADED", `${clientsMax} listen already; there is no room for one more.`, {
    hint: "Try again later, or ask now and then what has changed.",
  });
}

function tooManyOfOne(user: string, clientsMax: number): StepwellError {
  return new StepwellError("TOO_MANY_REQUESTS", `${user} listens ${clientsMax} times already.`, {
    hint: "Close one of them: one stream tells of all runs.",
    details: { code: "too_many_streams", streams_max: clientsMax },
  });
}

type ListenerParts = {
  readonly news: AsyncGenerator<StoreNews, void, undefined>;
  readonly first: IteratorResult<StoreNews, void>;
  readonly outbox: Outbox;
  readonly clock: Pick<Clock, "after">;
  readonly check: () => Promise<unknown>;
  /** Aborted when it is over: whatever it waits for waits no longer. */
  readonly leaving: AbortController;
};

/** Runs until it has left, for whatever reason. */
class Listener {
  readonly #parts: ListenerParts;
  // What it waits for, each anew: one promise for the whole life would keep all who ever waited for it.
  /** Something waits to be sent. */
  #filled = Promise.withResolvers<void>();
  /** What waited was taken. */
  #taken = Promise.withResolvers<void>();
  /** The connection has taken what was sent. */
  #sent = Promise.withResolvers<void>();
  #isBeatDue = false;
  #timer: Timer | null = null;

  constructor(parts: ListenerParts) {
    this.#parts = parts;
  }

  leave(): void {
    this.#parts.leaving.abort();
    for (const waiting of [this.#filled, this.#taken, this.#sent]) waiting.resolve();
  }

  note(what: Watched): void {
    this.#parts.outbox.note(what);
    this.#filled.resolve();
  }

  async run(sse: SSEStreamingApi): Promise<void> {
    sse.onAbort(() => this.leave());
    this.#startBeat();
    const reading = this.#read();
    try {
      await this.#write(sse);
    } finally {
      this.leave();
      this.#timer?.cancel();
      await reading;
    }
  }

  get #hasLeft(): boolean {
    return this.#parts.leaving.signal.aborted;
  }

  /** When nothing more comes, because the engine has stopped or the right is gone, the stream ends: a client that comes
   *  back is told why. */
  async #read(): Promise<void> {
    const { news, first, outbox } = this.#parts;
    let isReplay = true;
    try {
      for (let next = first; next.done !== true && !this.#hasLeft; next = await news.next()) {
        outbox.add(next.value);
        if (next.value.kind === "told") isReplay = false;
        this.#filled.resolve();
        if (isReplay && outbox.bytes > replayBytes) await this.#taken.promise;
      }
    } catch {
      // As above.
    } finally {
      this.leave();
      await news.return();
    }
  }

  async #write(sse: SSEStreamingApi): Promise<void> {
    const { outbox } = this.#parts;
    await this.#send(() => sse.write(`retry: ${retryMs}\n\n`));
    while (!this.#hasLeft) {
      this.#filled = Promise.withResolvers();
      const messages = outbox.take();
      this.#taken.resolve();
      this.#taken = Promise.withResolvers();
      for (const message of messages) await this.#send(() => sse.writeSSE(message));
      outbox.sent();
      if (this.#isBeatDue && outbox.isEmpty) {
        this.#isBeatDue = false;
        // With the cursor, so that who heard of nothing for long still knows where to go on.
        await this.#send(() => sse.write(`: still here\nid: ${outbox.cursor}\n\n`));
      }
      if (outbox.isEmpty && !this.#isBeatDue) await this.#filled.promise;
    }
  }

  /** Until it is sent, or nobody waits for it any more. */
  async #send(send: () => Promise<unknown>): Promise<void> {
    if (this.#hasLeft) return;
    this.#sent = Promise.withResolvers();
    const { promise, resolve } = this.#sent;
    send().then(() => resolve(), resolve);
    await promise;
  }

  #startBeat(): void {
    const { clock, check } = this.#parts;
    this.#timer = clock.after(
      beatMs,
      () => {
        this.#isBeatDue = true;
        this.#filled.resolve();
        this.#startBeat();
        check().catch(() => this.leave());
      },
      "duty",
    );
  }
}
