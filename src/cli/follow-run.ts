// Follows a run until it has ended, or nobody wants to wait any longer. Changes are collected for a moment, and the rows
// are read once for all of them.

import { setTimeout as sleep } from "node:timers/promises";
import type { Progress } from "../engine/call-context.ts";
import type { UserEngine } from "../engine/engine.ts";
import type { Plan } from "../flow/plan.ts";
import { hasEnded, type RowId, type RunId } from "../run/model.ts";
import type { Change } from "./follow.ts";
import type { FollowedRun } from "./followed-run.ts";
import type { WholeRun } from "../server/document/run.ts";
import type { Screen } from "./screen.ts";

export type Followed = FollowedRun & WholeRun;

export type Following = {
  readonly engine: UserEngine;
  readonly run: RunId;
  readonly plan: Plan | null;
  readonly screen: Screen;
  /** Aborted: do not wait any longer. */
  readonly signal: AbortSignal;
  /** Called with all that is shown. */
  readonly seen?: (followed: FollowedRun) => void;
};

/** What is put on disk together arrives one by one. */
const gatherMs = 15;
/** A spinner turns at about this pace, and faster than this nobody reads. */
const tickMs = 100;
/** Reading the rows of a large run takes long: no more than this part of the time. */
const readShare = 0.1;
/** What took longer than that was no reading: the server was away. */
const restMaxMs = 2000;
/** Whoever goes gets one last look, if it comes at once. */
const lastLookMs = 200;

/** The run as it was seen last: ended, unless the signal came first. */
export async function followRun({ engine, run, plan, screen, signal, seen }: Following): Promise<Followed> {
  const feed = collectChanges(engine, run, signal);
  const progress = new Map<RowId, Progress>();
  let last: Followed | null = null;
  const look = async (changes: readonly Change[]): Promise<Followed> => {
    const { steps: rows, flow, updatedAt, ...row } = await engine.get(run);
    for (const change of changes)
      if (change.step !== null && change.progress !== undefined) progress.set(change.step, change.progress);
    return { run: row, flow, updatedAt, rows, plan, progress };
  };
  try {
    for (;;) {
      const isOver = feed.isOver();
      const began = performance.now();
      const changes = feed.take();
      const followed: Followed = last === null ? await look(changes) : await lookOrLeave(look(changes), last, signal);
      last = followed;
      screen.show(followed, changes);
      seen?.(followed);
      if (signal.aborted || (isOver && hasEnded(followed.run))) return followed;
      const restMs = Math.min(restMaxMs, (performance.now() - began) / readShare);
      await sleep(Math.max(gatherMs, restMs), null, { signal }).catch(() => {});
      while (feed.isIdle()) {
        await Promise.race([feed.next(), sleep(tickMs)]);
        screen.tick();
      }
    }
  } finally {
    feed.close();
  }
}

/** Whoever goes is not kept by a server that is away: what was seen last is the answer then. */
async function lookOrLeave(looking: Promise<Followed>, last: Followed, signal: AbortSignal): Promise<Followed> {
  const { promise: left, resolve } = Promise.withResolvers<Followed>();
  let timer: NodeJS.Timeout | undefined;
  const leave = (): void => {
    timer = setTimeout(resolve, lastLookMs, last);
  };
  signal.addEventListener("abort", leave, { once: true });
  if (signal.aborted) leave();
  const looked = looking.catch((error: unknown) => {
    if (signal.aborted) return last;
    throw error;
  });
  try {
    return await Promise.race([looked, left]);
  } finally {
    signal.removeEventListener("abort", leave);
    clearTimeout(timer);
  }
}

type ChangeFeed = {
  /** What has come since the last time. */
  readonly take: () => readonly Change[];
  readonly isIdle: () => boolean;
  readonly isOver: () => boolean;
  /** Resolves when there is more, no more will come, or nobody wants it any longer. */
  readonly next: () => Promise<void>;
  readonly close: () => void;
};

function collectChanges(engine: UserEngine, run: RunId, signal: AbortSignal): ChangeFeed {
  const iterator = engine.watch(run)[Symbol.asyncIterator]();
  let collected: Change[] = [];
  let isOver = false;
  let problem: unknown = null;
  let waiting = Promise.withResolvers<void>();
  const wake = (): void => {
    waiting.resolve();
    waiting = Promise.withResolvers();
  };
  signal.addEventListener("abort", wake);
  const collect = async (): Promise<void> => {
    for (let each = await iterator.next(); each.done !== true; each = await iterator.next()) {
      collected.push(each.value);
      wake();
    }
  };
  void collect()
    .catch((error: unknown) => {
      problem = error;
    })
    .finally(() => {
      isOver = true;
      wake();
    });
  return {
    take: () => {
      // To whoever goes it is none.
      if (problem !== null && !signal.aborted) throw problem;
      const taken = collected;
      collected = [];
      return taken;
    },
    isIdle: () => collected.length === 0 && !isOver && !signal.aborted,
    isOver: () => isOver,
    next: () => waiting.promise,
    close: () => {
      signal.removeEventListener("abort", wake);
      // It may wait for a change that never comes: nobody waits for it.
      void iterator.return?.();
    },
  };
}
