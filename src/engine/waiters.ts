// Those who wait for a run to end. The owner knows it from the batch; a guest looks now and then.

import { StepwellError } from "../error.ts";
import type { Json } from "../flow/json.ts";
import type { TerminalKind } from "../flow/plan.ts";
import { LiveMap } from "../live-map.ts";
import { hasEnded, type Failure, type RunId, type RunRow, type RunStatus } from "../run/model.ts";

export type RunResult = {
  readonly id: RunId;
  readonly status: RunStatus;
  readonly terminalKind: TerminalKind | null;
  readonly output: Json;
  readonly error: Failure | null;
};

type Waiter = { readonly resolve: (result: RunResult) => void; readonly reject: (error: StepwellError) => void };

export class Waiters {
  readonly #byRun = new LiveMap<RunId, Set<Waiter>>();

  get size(): number {
    return this.#byRun.size;
  }

  runs(): readonly RunId[] {
    return [...this.#byRun.keys()];
  }

  has(run: RunId): boolean {
    return this.#byRun.has(run);
  }

  /** Takes back what it gave when nobody waits any more. */
  wait(run: RunId): { readonly result: Promise<RunResult>; readonly leave: () => void } {
    const { promise, resolve, reject } = Promise.withResolvers<RunResult>();
    const waiter = { resolve, reject };
    const waiting = this.#byRun.get(run) ?? new Set();
    this.#byRun.set(run, waiting.add(waiter));
    const leave = (): void => {
      waiting.delete(waiter);
      if (waiting.size === 0 && this.#byRun.get(run) === waiting) this.#byRun.delete(run);
    };
    return { result: promise, leave };
  }

  /** The run, as it is on disk now. */
  note(run: RunRow): void {
    const waiting = hasEnded(run) ? this.#byRun.get(run.id) : undefined;
    if (waiting === undefined) return;
    this.#byRun.delete(run.id);
    for (const { resolve } of waiting) resolve(toResult(run));
  }

  rejectAll(error: StepwellError): void {
    const all = [...this.#byRun.values()];
    this.#byRun.clear();
    for (const waiting of all) for (const { reject } of waiting) reject(error);
  }
}

export function toResult({ id, status, terminalKind, output, error }: RunRow): RunResult {
  return { id, status, terminalKind, output, error };
}
