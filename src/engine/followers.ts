// Those who follow a run, or the whole store: each has the newest progress of the run's steps that it has not seen, and is
// woken when there may be more.

import type { StepwellError } from "../error.ts";
import type { RowId, RunId } from "../run/model.ts";
import type { Progress } from "./call-context.ts";
import { CommitReader, type CommitStore } from "./commit-reader.ts";
import type { Source } from "./feed.ts";

type Follower = {
  /** null: the whole store. */
  readonly run: RunId | null;
  readonly progress: Map<RowId, Progress>;
  /** It waits for the next commit. */
  wake: (() => void) | null;
};

export type FollowersParts = {
  readonly store: CommitStore;
  /** Why there will never be more. */
  readonly failure: () => StepwellError | null;
};

export class Followers {
  readonly #parts: FollowersParts;
  readonly #followers = new Set<Follower>();
  readonly #reader: CommitReader;

  constructor(parts: FollowersParts) {
    this.#parts = parts;
    this.#reader = new CommitReader(parts.store);
  }

  get size(): number {
    return this.#followers.size;
  }

  /** Something was committed, or nothing more comes. */
  wake(): void {
    this.#reader.forget();
    for (const { wake } of this.#followers) wake?.();
  }

  progressed(run: RunId, row: RowId, progress: Progress): void {
    const concerned = [...this.#followers].filter((follower) => follower.run === run);
    for (const follower of concerned) follower.progress.set(row, progress);
    if (concerned.length > 0) this.wake();
  }

  /** `known`: how far its calls are. */
  add(
    run: RunId | null,
    known: Iterable<readonly [RowId, Progress]>,
  ): { readonly source: Source; readonly leave: () => void } {
    const follower: Follower = { run, progress: new Map(known), wake: null };
    this.#followers.add(follower);
    const takeProgress = (): readonly (readonly [RowId, Progress])[] => {
      const told = [...follower.progress];
      follower.progress.clear();
      return told;
    };
    return {
      source: {
        takeProgress,
        commits: this.#reader,
        more: (after) => this.#moreAfter(after, follower),
        stop: () => follower.wake?.(),
      },
      leave: () => this.#followers.delete(follower),
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
