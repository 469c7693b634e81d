// The subject's tools. Each waits a little, writes its line, waits again and answers, so that a kill falls before the
// effect, between effect and answer, and after it.

import { setTimeout as wait } from "node:timers/promises";
import { isObject, own, type Json } from "../../src/flow/json.ts";
import type { Ledger } from "./ledger.ts";

type SubjectContext = {
  readonly run: number;
  readonly step: number;
  readonly attempt: number;
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
};

type SubjectTool = (input: Json, context: SubjectContext) => Promise<Json>;

export type Bench = {
  readonly ledger: Ledger;
  readonly delayMs: number;
  /** Told of every call before anything else. */
  readonly onCall: () => void;
};

export function createTools(bench: Bench): Record<string, SubjectTool> {
  const { ledger } = bench;
  const act = (tool: string, answer: (input: Json, earlier: number, key: string) => Json): SubjectTool => {
    return async (input, context) => {
      bench.onCall();
      const calledAt = Date.now();
      await wait(Math.random() * bench.delayMs);
      // Whoever is told to stop before anything was done does nothing.
      if (tool === "pay") context.signal.throwIfAborted();
      const key = context.idempotencyKey;
      const earlier = ledger.countOf(key);
      const { run, step: row, attempt } = context;
      await ledger.write({ key, run, row, attempt, tool, pid: process.pid, calledAt, at: Date.now() });
      await wait(Math.random() * bench.delayMs);
      return answer(input, earlier, key);
    };
  };
  return {
    work: act("work", (input) => ({ n: numberOf(input, "n") })),
    undo: act("undo", () => null),
    pay: act("pay", (input) => ({ n: numberOf(input, "n") })),
    was_paid: act("was_paid", (_input, _earlier, key) => ({
      happened: ledger.countOf(key.replace(/:probe$/, "")) > 0,
      result: null,
    })),
    broken: act("broken", () => {
      throw new Error("It is broken.");
    }),
    flaky: act("flaky", (input, earlier) => {
      if (earlier < numberOf(input, "failures")) throw new Error(`Failure ${earlier + 1}.`);
      return null;
    }),
  };
}

function numberOf(input: Json, name: string): number {
  const value = isObject(input) ? own(input, name) : undefined;
  return typeof value === "number" ? value : 0;
}
