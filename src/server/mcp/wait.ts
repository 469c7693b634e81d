// Waiting for a run in place of a client: until it has ended, there is something to come back for, or it takes too long.
// Whoever leaves ends the wait and nothing else: the run goes on.

import { hasEnded, type RunId } from "../../run/model.ts";
import type { Caller } from "./caller.ts";
import { lookAt, type House, type SeenRun } from "./house.ts";

export type Wish = {
  readonly run: RunId;
  /** null: as long as it takes. */
  readonly timeoutMs: number | null;
  /** Nobody waits any more. */
  readonly signal: AbortSignal;
  /** Whether a run that is like this is worth coming back for before it has ended. */
  readonly isEnough: (seen: SeenRun) => boolean;
  /** A step of the run has moved: how many have ended by now, and what has happened. */
  readonly onStep?: (ended: number, message: string) => void;
};

/** The run as it was when the wait was over. */
export async function waitFor(house: House, caller: Pick<Caller, "engine" | "reads">, wish: Wish): Promise<SeenRun> {
  const { run, timeoutMs, signal, isEnough, onStep } = wish;
  const over = new AbortController();
  const end = (): void => over.abort();
  const timer = timeoutMs === null ? null : house.clock.after(timeoutMs, end);
  if (signal.aborted) end();
  signal.addEventListener("abort", end, { once: true });
  const ended = new Set<number>();
  let waiting: ReadonlySet<number> = new Set();
  try {
    for await (const news of caller.engine.changes({ run, signal: over.signal })) {
      if (news.kind === "changes") {
        for (const { step, stepName, status } of news.changes) {
          if (step !== null && isOver.has(status)) ended.add(step);
          onStep?.(ended.size, stepName === null ? `the run is ${status}` : `${stepName}: ${status}`);
        }
        if (!news.changes.some((change) => isTelling(change, waiting))) continue;
      }
      const seen = await lookAt(house, caller, run);
      if (hasEnded(seen.run) || isEnough(seen)) return seen;
      waiting = new Set(seen.questions.flatMap(({ row }) => (row === null ? [] : [row.id])));
    }
  } finally {
    timer?.cancel();
    signal.removeEventListener("abort", end);
  }
  return lookAt(house, caller, run);
}

const isOver: ReadonlySet<string> = new Set(["done", "failed", "skipped", "cancelled"]);

type Change = { readonly step: number | null; readonly status: string };

/** Only then can the run have ended, have begun to wait or wait no more: all other steps need no look at the whole of it. */
function isTelling({ step, status }: Change, waiting: ReadonlySet<number>): boolean {
  return step === null || status === "pending" || status === "uncertain" || waiting.has(step);
}
