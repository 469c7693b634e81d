// Those who follow a run, or the whole store: each has the newest progress of the run's steps that it has not seen, and is
// woken when there may be more.

import type { StepwellError } from "../error.ts";
import type { RowId, RunId } from "../run/model.ts";
import type { Progress } from "./call-context.ts";
import type { Clock } from "./clock.ts";
import { CommitReader, type CommitStore } from "./commit-reader.ts";
import type { Source } from "./feed.ts";
import { NewestProgress, type ToldProgress } from "./newest-progress.ts";
import { ProgressPace } from "./progress-pace.ts";

type Follower = {
  /** null: the whole store. */
  readonly run: RunId | null;
  readonly progress: NewestProgress;
  /** It waits for the next commit. */
  wake: (() => void) | null;
};

export type FollowersParts = {
  readonly store: CommitStore;
  readonly clock: Pick<Clock, "after">;
  /** Why there will never be more. */
  readonly failure: () => StepwellError | null;
};

export class Followers {
  readonly #parts: FollowersParts;
  readonly #followers = new Set<Follower>();
  readonly #reader: CommitReader;
  /** For those who follow the whole store. */
  readonly #pace: ProgressPace;

  constructor(parts: FollowersParts) {
    this.#parts = parts;
    this.#reader = new CommitReader(parts.store);
    this.#pace = new ProgressPace(parts.clock, (told) => this.#tell(null, told));
  }

  get size(): number {
    return this.#followers.size;
  }

  /** Something was committed, or nothing more comes. */
  wake(): void {
    this.#reader.forget();
    for (const { wake } of this.#followers) wake?.();
  }

  /** null: the call is over, and its end will be told: how far it was must not come behind that. */
  progressed(run: RunId, row: RowId, progress: Progress | null): void {
    if (progress === null) return this.#drop(row);
    this.#tell(run, [{ run, row, progress }]);
    if (this.#isWholeFollowed()) this.#pace.note({ run, row, progress });
  }

  /** Nothing was committed: what has been read still holds. */
  #tell(followed: RunId | null, told: readonly ToldProgress[]): void {
    for (const follower of this.#followers) {
      if (follower.run !== followed) continue;
      for (const each of told) follower.progress.put(each);
      follower.wake?.();
    }
  }

  #drop(row: RowId): void {
    this.#pace.drop(row);
    for (const follower of this.#followers) follower.progress.drop(row);
  }

  #isWholeFollowed(): boolean {
    for (const { run } of this.#followers) if (run === null) return true;
    return false;
  }

  /** `known`: how far its calls are. */
  add(
    run: RunId | null,
    known: Iterable<readonly [RowId, Progress]>,
  ): { readonly source: Source; readonly leave: () => void } {
    const follower: Follower = { run, progress: new NewestProgress(), wake: null };
    if (run !== null) for (const [row, progress] of known) follower.progress.put({ run, row, progress });
    this.#followers.add(follower);
    return {
      source: {
        takeProgress: () => follower.progress.take(),
        commits: this.#reader,
        more: (after) => this.#moreAfter(after, follower),
        stop: () => follower.wake?.(),
      },
      leave: () => {
        this.#followers.delete(follower);
        if (!this.#isWholeFollowed()) this.#pace.stop();
      },
    };
  }

  async #moreAfter(after: number, follower: Follower): Promise<void> {
    this.#throwFailure();
    // Before the store is asked: a commit that comes meanwhile wakes it.
    const woken = Promise.withResolvers<void>();
    follower.wake = woken.resolve;
    if (follower.progress.size > 0 || (await this.#reader.hasMore(after))) return;
    await woken.promise;
    this.#throwFailure();
  }

  #throwFailure(): void {
    const failure = this.#parts.failure();
    if (failure !== null) throw failure;
  }
}
