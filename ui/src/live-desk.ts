// Between the stream and what the page has read: folds changes into the cache a few times a second, has read anew what a
// change alone does not tell, and says how the line is.

import type { InfiniteData, Query, QueryClient } from "@tanstack/react-query";
import { openStream, type News, type Stream } from "./api/live.ts";
import { Asking } from "./asking.ts";
import { notRepeated, readsOf, type Beside, type Change } from "./model/change.ts";
import type { RunPage } from "./api/runs.ts";
import { foldOutline, foldRuns, newestOf, withoutRemoved } from "./model/fold.ts";
import type { Line, ShownLine } from "./model/line.ts";
import { keepNewest, type Progress, type StepProgress } from "./model/progress.ts";
import type { Outline } from "./model/run.ts";
import { paceOf, Reading, type Wanted } from "./reading.ts";

export type LiveState = {
  readonly line: ShownLine;
  /** Runs that have failed since somebody looked. */
  readonly failedSince: number;
  /** null: it is not paused. */
  readonly pausedAt: number | null;
};

/** A page of its own is painted so often at most. */
const paintEveryMs = 100;
/** What a change does not tell is read anew at this pace; a run by how much there is to read. */
const itemsPace = { firstMs: 250, mostMs: 1000 };
const listPace = { firstMs: 700, mostMs: 1000 };
const besidePace = { firstMs: 100, mostMs: 1000 };
/** So many changes wait to be painted; of more only the newest of each, and of too many none: all is read anew. */
const waitingMost = 2000;

export class LiveDesk {
  readonly #client: QueryClient;
  readonly #reading: Reading;
  readonly #asking: Asking;
  #stream: Stream | null = null;
  #state: LiveState = { line: "connecting", failedSince: 0, pausedAt: null };
  #line: Line = "connecting";
  #isPaused = false;
  #waiting: readonly Change[] = [];
  readonly #changed = new Set<Beside>();
  /** By step; as it is shown, and what waits to be. */
  #progress: ReadonlyMap<number, Progress> = new Map();
  readonly #toldProgress = new Map<number, StepProgress>();
  readonly #progressWatchers = new Set<() => void>();
  #mustReset = false;
  #painting: ReturnType<typeof setTimeout> | undefined;
  /** Runs that nobody has looked at since they failed. */
  readonly #failed = new Set<number>();
  readonly #watchers = new Set<() => void>();
  readonly #listeners = new Set<(changes: readonly Change[]) => void>();

  constructor(client: QueryClient) {
    this.#client = client;
    this.#reading = new Reading(client);
    this.#asking = new Asking(client, () => this.#state.line);
  }

  /** From here on until it is closed by what this gives; it may be opened again. */
  open(): () => void {
    const stream = openStream({ onNews: (news) => this.#hear(news), onLine: (line) => this.#setLine(line) });
    this.#stream = stream;
    this.#asking.start();
    return () => {
      stream.close();
      if (this.#stream === stream) this.#leave();
    };
  }

  /** Whoever comes next is told of nothing that was before. */
  #leave(): void {
    this.#stream = null;
    clearTimeout(this.#painting);
    this.#painting = undefined;
    this.#reading.stop();
    this.#asking.stop();
    this.#waiting = [];
    this.#changed.clear();
    this.#forgetProgress();
    this.#failed.clear();
    this.#setLine("connecting");
  }

  readonly subscribe = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  readonly state = (): LiveState => this.#state;

  readonly subscribeProgress = (watcher: () => void): (() => void) => {
    this.#progressWatchers.add(watcher);
    return () => this.#progressWatchers.delete(watcher);
  };

  /** How far steps are, as far as it was told since the line stands. */
  readonly progress = (): ReadonlyMap<number, Progress> => this.#progress;

  /** Of changes as they are folded in. */
  listen(listener: (changes: readonly Change[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  togglePause(): void {
    this.#isPaused = !this.#isPaused;
    if (this.#isPaused) this.#standStill();
    else this.#goOn();
    this.#tell({ pausedAt: this.#isPaused ? Date.now() : null });
  }

  #standStill(): void {
    clearTimeout(this.#painting);
    this.#painting = undefined;
    this.#reading.hold();
  }

  #goOn(): void {
    this.#reading.goOn();
    this.#paint();
  }

  /** Somebody has looked at this run, or at all that failed. */
  look(run: number | "failed"): void {
    if (run === "failed") this.#failed.clear();
    else this.#failed.delete(run);
    this.#tellFailed();
  }

  /** Somebody here has removed them: that is shown without being told, also while the page is paused. */
  forgetRuns(runs: readonly number[]): void {
    const gone = { step: null, name: "", stepName: null, status: "removed", at: Date.now() } as const;
    if (runs.length > 0) this.#show(runs.map((run) => ({ ...gone, run })));
  }

  /** What a change alone does not tell. */
  readSoon(wanted: Wanted): void {
    this.#reading.soon(wanted);
  }

  #tell(change: Partial<LiveState>): void {
    this.#state = { ...this.#state, ...change, line: this.#isPaused ? "paused" : this.#line };
    for (const watcher of this.#watchers) watcher();
  }

  #setLine(line: Line): void {
    const wasAway = this.#line === "reconnecting" || this.#line === "offline";
    this.#line = line;
    // What is read from now on is newer.
    if (line !== "live") this.#forgetProgress();
    if (line === "live" && wasAway) for (const what of notRepeated) this.#hear({ kind: "changed", what });
    this.#tell({});
  }

  #hear(news: News): void {
    if (news.kind === "reset") this.#mustReset = true;
    else if (news.kind === "changed") this.#changed.add(news.what);
    else if (news.kind === "progress") this.#toldProgress.set(news.progress.step, news.progress);
    else this.#keep(news.changes);
    if (!this.#isPaused)
      this.#painting ??= setTimeout(
        () => this.#paint(),
        this.#waiting.length < 20 && news.kind !== "progress" ? 0 : paintEveryMs,
      );
  }

  /** It may take long until they are painted, while paused. */
  #keep(changes: readonly Change[]): void {
    this.#waiting = [...this.#waiting, ...changes];
    if (this.#waiting.length > waitingMost) this.#waiting = newestOf(this.#waiting);
    if (this.#waiting.length <= waitingMost) return;
    this.#waiting = [];
    this.#mustReset = true;
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
    for (const what of this.#changed) for (const key of readsOf[what]) this.readSoon({ key: [key], pace: besidePace });
    this.#changed.clear();
    this.#paintProgress();
    if (changes.length === 0) return;
    this.#show(changes);
  }

  #show(changes: readonly Change[]): void {
    this.#foldIn(changes);
    this.#count(changes);
    for (const listener of this.#listeners) listener(changes);
  }

  #paintProgress(): void {
    if (this.#toldProgress.size === 0) return;
    this.#progress = keepNewest(this.#progress, this.#toldProgress.values());
    this.#toldProgress.clear();
    for (const watcher of this.#progressWatchers) watcher();
  }

  /** While the page is paused, what is shown stays. */
  #forgetProgress(): void {
    this.#toldProgress.clear();
    if (!this.#isPaused) this.#progress = new Map();
  }

  #foldIn(changes: readonly Change[]): void {
    for (const run of new Set(changes.map((change) => change.run))) {
      const outline = this.#client.setQueryData<Outline>(["run", run, "outline"], (old) =>
        old === undefined ? old : foldOutline(old, changes),
      );
      this.readSoon({ key: ["run", run], pace: paceOf(outline?.steps.length ?? 0), except: isItems });
      this.readSoon({ key: ["run", run, "items"], pace: itemsPace });
    }
    this.#client.setQueriesData<InfiniteData<RunPage>>({ queryKey: ["runs"] }, (old) => {
      // Other things are read under this key too, and may be none.
      if (old === undefined || old === null) return old;
      if (!("pages" in old)) return withoutRemovedIn(old, changes);
      return { ...old, pages: old.pages.map((page) => ({ ...page, runs: foldRuns(page.runs, changes) })) };
    });
    for (const list of ["runs", "overview", "inbox", "alarms", "schedules"])
      this.readSoon({ key: [list], pace: listPace });
  }

  #count(changes: readonly Change[]): void {
    for (const { run, step, status } of changes) {
      if (step === null && status === "failed") this.#failed.add(run);
      if (status === "removed") this.#failed.delete(run);
    }
    this.#tellFailed();
  }

  #tellFailed(): void {
    if (this.#state.failedSince !== this.#failed.size) this.#tell({ failedSince: this.#failed.size });
  }
}

/** Of one page of runs. */
function withoutRemovedIn<Read extends object>(read: Read, changes: readonly Change[]): Read {
  if (!("runs" in read) || !Array.isArray(read.runs)) return read;
  const runs = withoutRemoved(read.runs, changes);
  return runs === read.runs ? read : { ...read, runs };
}

/** The items of an each: they may be many, and are read at a pace of their own. */
function isItems({ queryKey }: Query): boolean {
  return queryKey[0] === "run" && queryKey[2] === "items";
}
