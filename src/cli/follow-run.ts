// Follows a run until it has ended, or nobody wants to wait any longer. Changes are collected for a moment, and the rows
// are read once for all of them.

import { setTimeout as sleep } from "node:timers/promises";
import type { Engine } from "../engine/engine.ts";
import type { Plan } from "../flow/plan.ts";
import { hasEnded, type RunId } from "../run/model.ts";
import type { Change } from "./follow.ts";
import type { FollowedRun } from "./followed-run.ts";
import type { Screen } from "./screen.ts";

export type Following = {
  readonly engine: Engine;
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

/** The run as it was seen last: ended, unless the signal came first. */
export async function followRun({ engine, run, plan, screen, signal, seen }: Following): Promise<FollowedRun> {
  const read = async (): Promise<FollowedRun> => {
    const { steps: rows, ...row } = await engine.get(run);
    return { run: row, rows, plan };
  };
  const feed = collectChanges(engine, run);
  try {
    for (;;) {
      const isOver = feed.isOver();
      const changes = feed.take();
      const began = performance.now();
      const followed = await read();
      screen.show(followed, changes);
      seen?.(followed);
      if (signal.aborted || (isOver && hasEnded(followed.run))) return followed;
      const pauseMs = Math.max(tickMs, (performance.now() - began) / readShare);
      do {
        await Promise.race([feed.next(), pause(pauseMs, signal)]);
        screen.tick();
      } while (feed.isIdle() && !signal.aborted);
      await pause(gatherMs, signal);
    }
  } finally {
    feed.close();
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  // Rejects when it is aborted; the loop sees that by itself.
  await sleep(ms, undefined, { signal }).catch(() => {});
}

type ChangeFeed = {
  /** What has come since the last time. */
  readonly take: () => readonly Change[];
  readonly isIdle: () => boolean;
  readonly isOver: () => boolean;
  /** Resolves when there is more, or no more will come. */
  readonly next: () => Promise<void>;
  readonly close: () => void;
};

function collectChanges(engine: Engine, run: RunId): ChangeFeed {
  const iterator = engine.watch(run)[Symbol.asyncIterator]();
  let collected: Change[] = [];
  let isOver = false;
  let problem: unknown = null;
  let waiting = Promise.withResolvers<void>();
  const wake = (): void => {
    waiting.resolve();
    waiting = Promise.withResolvers();
  };
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
      if (problem !== null) throw problem;
      const taken = collected;
      collected = [];
      return taken;
    },
    isIdle: () => collected.length === 0 && !isOver,
    isOver: () => isOver,
    next: () => (collected.length > 0 || isOver ? Promise.resolve() : waiting.promise),
    close: () => void iterator.return?.(),
  };
}
