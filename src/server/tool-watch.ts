// Tells when tools, the servers that bring them, or what was agreed on about them are not as they were. Servers change by
// themselves and write nothing down, so it is looked for, now and then, and only while somebody listens.

import type { Beside } from "../engine/changes.ts";
import type { Clock, Timer } from "../engine/clock.ts";
import type { Engine } from "../engine/engine.ts";
import type { ToolView } from "../engine/tool-verbs.ts";
import type { ServerView } from "../tool/servers.ts";

export type Watched = Exclude<Beside, "workflows">;

type Seen = { readonly tools: readonly ToolView[]; readonly servers: string; readonly lock: string };

/** It is all in memory, and compared in a fraction of a millisecond. */
const lookEveryMs = 1000;

export class ToolWatch {
  readonly #engine: Engine;
  readonly #clock: Pick<Clock, "after">;
  readonly #listeners = new Set<(what: Watched) => void>();
  #seen: Seen | null = null;
  #timer: Timer | null = null;
  /** Counts those that began to look: only the last one goes on. */
  #round = 0;

  constructor(engine: Engine, clock: Pick<Clock, "after">) {
    this.#engine = engine;
    this.#clock = clock;
  }

  /** Until what it gives is called. */
  listen(listener: (what: Watched) => void): () => void {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) void this.#look(++this.#round);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stop();
    };
  }

  #stop(): void {
    this.#round += 1;
    this.#timer?.cancel();
    this.#timer = null;
    this.#seen = null;
  }

  async #look(round: number): Promise<void> {
    const found = await this.#read();
    if (round !== this.#round) return;
    if (found !== null && this.#seen !== null) this.#tell(differencesOf(this.#seen, found));
    this.#seen = found ?? this.#seen;
    this.#timer = this.#clock.after(lookEveryMs, () => void this.#look(round), "duty");
  }

  #tell(changed: readonly Watched[]): void {
    for (const what of changed) for (const listener of this.#listeners) listener(what);
  }

  /** null: it cannot be said at this moment. Only who owns the store is connected to servers. */
  async #read(): Promise<Seen | null> {
    const { tools, servers, lock, isOwner } = this.#engine;
    if (!isOwner) return null;
    try {
      const [found, views, changes] = await Promise.all([tools.list(), servers.list(), lock.changes()]);
      return { tools: found, servers: JSON.stringify(views.map(withoutTraffic)), lock: JSON.stringify(changes) };
    } catch {
      // The engine stops, or hands over.
      return null;
    }
  }
}

/** What may change with every call is nothing to tell of: under load, everybody who listens would read anew each second. */
function withoutTraffic(server: ServerView): object {
  const { callsUnderWay: _calls, strayLines: _lines, latencyMs: _latency, lastWords: _words, ...view } = server;
  return view;
}

function differencesOf(one: Seen, other: Seen): readonly Watched[] {
  const changed: Watched[] = [];
  if (!isSameList(one.tools, other.tools)) changed.push("tools");
  if (one.servers !== other.servers) changed.push("servers");
  if (one.lock !== other.lock) changed.push("lock");
  return changed;
}

/** Schemas are compared by what they are, not by what they say: what is loaded anew may be told of without need. */
function isSameList(one: readonly ToolView[], other: readonly ToolView[]): boolean {
  return one.length === other.length && one.every((tool, at) => isSameTool(tool, other[at]));
}

function isSameTool(one: ToolView, other: ToolView | undefined): boolean {
  return (
    one.name === other?.name &&
    one.description === other.description &&
    one.effect === other.effect &&
    one.input === other.input &&
    one.output === other.output &&
    one.server === other.server
  );
}
