// An engine on a store of its own, as every workload uses it: FULL durability, no-op functions in process as tools.

import { setTimeout as sleep } from "node:timers/promises";
import type { Engine } from "../src/engine/engine.ts";
import type { JsonObject } from "../src/flow/json.ts";
import { openEngine } from "../src/open-engine.ts";

export type EngineChoice = {
  /** Tools take up to so long, by chance; 0: they answer at once. */
  readonly jitterMs?: number;
  readonly bytesMax?: number;
};

export async function openBenchEngine(store: string, { jitterMs = 0, bytesMax }: EngineChoice = {}): Promise<Engine> {
  const answerLate = async (input: unknown): Promise<JsonObject> => {
    await sleep(Math.random() * jitterMs);
    return answer(input);
  };
  return openEngine({
    store,
    durability: "full",
    tools: { work: jitterMs > 0 ? answerLate : answer },
    ...(bytesMax === undefined ? {} : { retention: { bytesMax } }),
  });
}

type WorkInput = { readonly i?: number };

function answer(input: unknown): JsonObject {
  return { ok: true, i: (input as WorkInput).i ?? 0 };
}

/** Starts a run and waits for its end; anything but success is an error of the benchmark. */
export async function completeRun(engine: Engine, flow: JsonObject, input: JsonObject = {}): Promise<void> {
  const { id } = await engine.start(flow, { input });
  const { status, error } = await engine.result(id);
  if (status !== "completed") throw new Error(`Run ${id} is ${status}: ${JSON.stringify(error)}`);
}

/** All of them at once. */
export async function completeRuns(engine: Engine, flow: JsonObject, count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, () => completeRun(engine, flow)));
}

/** All of them, at most `underWay` at a time. */
export async function completeRunsInTurn(work: () => Promise<void>, count: number, underWay: number): Promise<void> {
  let left = count;
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await work();
    }
  };
  await Promise.all(Array.from({ length: Math.min(underWay, count) }, lane));
}
