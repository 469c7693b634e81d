// Between the stream and what the page has read: folds changes into the cache a few times a second, has read anew what a
// change alone does not tell, and says how the line is.

import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import { openStream, type Line, type News, type Stream } from "./api/live.ts";
import type { Change } from "./model/change.ts";
import type { RunPage } from "./api/runs.ts";
import { foldOutline, foldRuns, newestOf } from "./model/fold.ts";
import type { Outline } from "./model/run.ts";
import { hasRunEnded, type RunStatus } from "./model/status.ts";

export type LiveState = {
  readonly line: Line | "paused";
  /** Runs that have begun since somebody looked, newest last; for lists that must not jump. */
  readonly begun: number;
  readonly failedSince: number;
};

/** A page of its own is painted so often at most. */
const paintEveryMs = 100;
/** What a change does not tell is read anew after this. */
const readAfterMs = 80;
const listsEveryMs = 700;
/** Without a line, everything that is looked at is asked for so often. */
const pollEveryMs = 5000;

export class LiveDesk {
  readonly #client: QueryClient;
  #stream: Stream | null = null;
  #state: LiveState = { line: "connecting", begun: 0, failedSince: 0 };
  #line: Line = "connecting";
  #isPaused = false;
  #waiting: Change[] = [];
  #mustReset = false;
  #painting: ReturnType<typeof setTimeout> | undefined;
  #polling: ReturnType<typeof setInterval> | undefined;
  readonly #due = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #watchers = new Set<() => void>();
  readonly #listeners = new Set<(changes: readonly Change[]) => void>();

  constructor(client: QueryClient) {
    this.#client = client;
  }

  open(): () => void {
    this.#stream = openStream({ onNews: (news) => this.#hear(news), onLine: (line) => this.#setLine(line) });
    return () => {
      this.#stream?.close();
      clearTimeout(this.#painting);
      clearInterval(this.#polling);
      for (const timer of this.#due.values()) clearTimeout(timer);
      this.#due.clear();
    };
  }

  readonly subscribe = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  readonly state = (): LiveState => this.#state;

  /** Of changes as they are folded in. */
  listen(listener: (changes: readonly Change[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  togglePause(): void {
    this.#isPaused = !this.#isPaused;
    if (!this.#isPaused) this.#paint();
    this.#tell({});
  }

  /** Somebody has looked at what was counted. */
  look(what: "begun" | "failedSince"): void {
    if (this.#state[what] > 0) this.#tell({ [what]: 0 });
  }

  #tell(change: Partial<LiveState>): void {
    this.#state = { ...this.#state, ...change, line: this.#isPaused ? "paused" : this.#line };
    for (const watcher of this.#watchers) watcher();
  }

  #setLine(line: Line): void {
    this.#line = line;
    clearInterval(this.#polling);
    if (line === "offline") this.#polling = setInterval(() => void this.#client.invalidateQueries(), pollEveryMs);
    this.#tell({});
  }

  #hear(news: News): void {
    if (news.kind === "reset") this.#mustReset = true;
    else this.#waiting.push(...news.changes);
    if (!this.#isPaused)
      this.#painting ??= setTimeout(() => this.#paint(), this.#waiting.length < 20 ? 0 : paintEveryMs);
  }

  #paint(): void {
    clearTimeout(this.#painting);
    this.#painting = undefined;
    const changes = newestOf(this.#waiting);
    this.#waiting = [];
    if (this.#mustReset) {
      this.#mustReset = false;
      void this.#client.invalidateQueries();
    }
    if (changes.length === 0) return;
    this.#foldIn(changes);
    this.#count(changes);
    for (const listener of this.#listeners) listener(changes);
  }

  #foldIn(changes: readonly Change[]): void {
    for (const run of new Set(changes.map((change) => change.run))) {
      this.#client.setQueryData<Outline>(["run", run, "outline"], (old) =>
        old === undefined ? old : foldOutline(old, changes),
      );
      this.#readSoon(["run", run], readAfterMs);
    }
    this.#client.setQueriesData<InfiniteData<RunPage>>({ queryKey: ["runs"] }, (old) => {
      // Other things are read under this key too, and may be none.
      if (old === undefined || old === null || !("pages" in old)) return old;
      return { ...old, pages: old.pages.map((page) => ({ ...page, runs: foldRuns(page.runs, changes) })) };
    });
    for (const list of ["runs", "overview", "inbox", "alarms", "schedules"]) this.#readSoon([list], listsEveryMs);
  }

  /** Once, however often it changes until then. */
  #readSoon(key: readonly (string | number)[], afterMs: number): void {
    const name = key.join("/");
    if (this.#due.has(name)) return;
    const read = (): void => {
      this.#due.delete(name);
      void this.#client.invalidateQueries({ queryKey: key }, { cancelRefetch: false });
    };
    this.#due.set(name, setTimeout(read, afterMs));
  }

  #count(changes: readonly Change[]): void {
    const runs = changes.filter(({ step }) => step === null);
    const failed = runs.filter(({ status }) => status === "failed").length;
    const begun = runs.filter(({ status }) => !hasRunEnded(status as RunStatus)).length;
    if (failed + begun > 0)
      this.#tell({ begun: this.#state.begun + begun, failedSince: this.#state.failedSince + failed });
  }
}
