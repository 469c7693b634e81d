// Runs of the seeds' flows: the kernel, a clock that a test moves, and tools that answer what the test says.

import type { Json, JsonObject, Plan } from "../src/index.ts";
import { isObject } from "../src/flow/json.ts";
import type { Row } from "../src/run/model.ts";
import { startKernel, type Kernel, type KernelOptions } from "../src/testing/kernel.ts";
import { parsed, planFrom, planOf, seeds } from "./example-files.ts";

export const second = 1000;
export const minute: number = 60 * second;
export const hour: number = 60 * minute;
export const day: number = 24 * hour;

/** `startSeed("003-notify")` has a run of this flow whose first row is ready. */
export function startSeed(name: string, options: KernelOptions = {}): Kernel {
  return startKernel(planOf(`${seeds}/${name}.json`), options);
}

/** A flow of the seeds in which one step says something more. */
export function variant(name: string, step: string, more: JsonObject): Plan {
  const flow = parsed(`${seeds}/${name}.json`);
  const known = flow[step];
  return planFrom({ ...flow, [step]: { ...(isObject(known) ? known : {}), ...more } });
}

/** Lets everything run that can run; a tool that the test says nothing of answers null. */
export function play(kernel: Kernel, answers: { readonly [tool: string]: Json } = {}): void {
  kernel.admitAll();
  for (let calls = callsOf(kernel); calls.length > 0; calls = callsOf(kernel)) {
    for (const { step, tool } of calls) kernel.finish(step, answers[tool ?? ""] ?? null);
    kernel.admitAll();
  }
}

/** The calls that are under way. */
function callsOf(kernel: Kernel): readonly Row[] {
  return [...kernel.frontier.rows.values()].filter((row) => row.token !== null);
}

/** What was called with what, in order. */
export function called(kernel: Kernel): readonly (readonly [string, Json])[] {
  return kernel.calls.map(({ tool, args }) => [tool, args]);
}

/** Every row so far, as people see it: `search: done`. */
export function rowsSeen(kernel: Kernel): readonly string[] {
  return kernel.rows().map(({ name, status }) => `${name}: ${status}`);
}
