// Those who follow a run: each has the newest progress of its steps that it has not seen, and is woken when there may be
// more.

import type { StepwellError } from "../error.ts";
import type { RowId, RunId } from "../run/model.ts";
import type { Store } from "../store/store.ts";
import type { Progress } from "./call-context.ts";
import type { Source } from "./feed.ts";

type Follower = { readonly run: RunId; readonly progress: Map<RowId, Progress> };

export type FollowersParts = {
  readonly store: Pick<Store, "lastCommit">;
  /** Why there will never be more. */
  readonly failure: () => StepwellError | null;
};

export class Followers {
  readonly #parts: FollowersParts;
  readonly #followers = new Set<Follower>();
  /** Those who wait for the next commit. */
  #watching: (() => void)[] = [];

  constructor(parts: FollowersParts) {
    this.#parts = parts;
  }

  /** Something was committed, or nothing more comes. */
  wake(): void {
    for (const wake of this.#watching.splice(0)) wake();
  }

  progressed(run: RunId, row: RowId, progress: Progress): void {
    const concerned = [...this.#followers].filter((follower) => follower.run === run);
    for (const follower of concerned) follower.progress.set(row, progress);
    if (concerned.length > 0) this.wake();
  }

  /** `known`: how far its calls are. */
  add(
    run: RunId,
    known: Iterable<readonly [RowId, Progress]>,
  ): { readonly source: Source; readonly leave: () => void } {
    const follower: Follower = { run, progress: new Map(known) };
    this.#followers.add(follower);
    const takeProgress = (): readonly (readonly [RowId, Progress])[] => {
      const told = [...follower.progress];
      follower.progress.clear();
      return told;
    };
    return {
      source: { takeProgress, more: (after) => this.#moreAfter(after, follower) },
      leave: () => this.#followers.delete(follower),
    };
  }

  async #moreAfter(after: number, { progress }: Follower): Promise<void> {
    this.#throwFailure();
    // Before the store is asked: a commit that comes meanwhile wakes it.
    const woken = new Promise<void>((resolve) => {
      this.#watching.push(resolve);
    });
    if (progress.size > 0 || (await this.#parts.store.lastCommit()) > after) return;
    await woken;
    this.#throwFailure();
  }

  #throwFailure(): void {
    const failure = this.#parts.failure();
    if (failure !== null) throw failure;
  }
}
