// Stores at addresses of any kind: with live runs that a killed process has left, and what they come to.

import { openStore } from "../../src/store/open.ts";
import { createWorld, type OpenedEngine, type World } from "../../src/testing/engine.ts";
import { morning } from "../../src/testing/kernel.ts";
import type { Tools } from "../../src/tool/registry.ts";
import { beginRuns, endRuns, holdingTools, tools as answeringTools, type LiveRun } from "./live-runs.ts";
import { observe, type Observed } from "./observe.ts";

const secretKey = "5e".repeat(32);

type OpenedSide = AsyncDisposable & { readonly opened: OpenedEngine; readonly world: World };

/** With a clock of its own, which says `now`. */
async function openSide(address: string, now: number, tools: Tools): Promise<OpenedSide> {
  const world = createWorld({ path: address }, { now, duties: "once" });
  const store = await openStore(address, { clock: () => world.clock.now() });
  // Calls that last until the process dies must not keep others waiting.
  const limits = { calls: 100_000 };
  const opened = await world.open({ tools, secretKey, store, limits, breaker: { perTool: { flaky: false } } });
  return { world, opened, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

export type Begun = { readonly runs: readonly LiveRun[]; readonly now: number };

/** The process is killed in the middle of everything; then somebody writes a message that nobody reads. */
export async function beginOn(address: string, count: number): Promise<Begun> {
  const begun = await beginAndDie(address, count);
  await using store = await openStore(address, { clock: () => begun.now });
  await store.post({ kind: "emit", id: "posted-1", event: "posted", data: { said: "while nobody was there" } }, "ann");
  return begun;
}

async function beginAndDie(address: string, count: number): Promise<Begun> {
  await using side = await openSide(address, morning, holdingTools);
  const runs = await beginRuns({ engine: side.opened.engine, world: side.world }, count);
  return { runs, now: side.world.clock.now() };
}

/** Another process goes on with them until all have ended. */
export async function endOn(address: string, { runs, now }: Begun): Promise<Observed> {
  await using side = await openSide(address, now, answeringTools);
  const { engine, problems } = side.opened;
  await endRuns({ engine, world: side.world }, runs);
  const [problem] = problems;
  if (problem !== undefined) throw problem;
  const observed = await observe(engine, runs);
  const alive = observed.runs.find((run) => "completedAt" in run && run.completedAt === null);
  if (alive !== undefined) throw new Error(`a run has not ended: ${JSON.stringify(alive).slice(0, 500)}`);
  return observed;
}
