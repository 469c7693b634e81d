// The last part of the demo: a second process runs a flow and is killed in the middle of a step, as `kill -9` or a power
// cut would. What it had done is on disk; this process takes the run up from there.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { setTimeout as sleep } from "node:timers/promises";
import type { Call } from "./command.ts";
import { followRun } from "./follow-run.ts";
import type { Screen } from "./screen.ts";
import { openSession } from "./session.ts";
import { openView, type View } from "./view.ts";

export type Plug = Pick<Call, "values" | "surroundings" | "out"> & {
  readonly screen: Screen;
  readonly store: string;
  readonly signal: AbortSignal;
};

/** Long enough into its second step. */
const intoStepMs = 400;
const lookEveryMs = 20;

export async function pullThePlug(plug: Plug): Promise<void> {
  const { screen, store, signal } = plug;
  const flow = fileURLToPath(new URL("../../examples/flows/survivor.yaml", import.meta.url));
  screen.say("\nPull the plug: another process runs this flow, and is killed in the middle of a step.");
  const { execPath, argv, execArgv } = process;
  const main = argv[1] ?? "";
  // Started here, so that the id is known; worked on there.
  const args = [...execArgv, main, "run", flow, "--store", store, "--jsonl"];
  const child = spawn(execPath, args, { stdio: ["ignore", "pipe", "ignore"], signal });
  child.on("error", () => {});
  const ended = once(child, "exit").catch(() => {});
  const run = await findRun(child.stdout);
  if (run === null) return;
  await waitForStep({ ...plug, values: { ...plug.values, store } }, run);
  await sleep(intoStepMs, undefined, { signal }).catch(() => {});
  child.kill("SIGKILL");
  await ended;
  screen.say(`Process ${child.pid ?? ""} was killed. Run ${run} goes on here, from what is on disk:`);
  await using session = await openSession({ ...plug, store, say: screen.say });
  await followRun({ engine: session.engine, run, plan: await planOf(plug, run), screen, signal });
  screen.settle();
}

/** The id of the run, from the first change that it tells; null: it has told none. Goes on reading: a process that nobody
 *  listens to stops by itself. */
function findRun(stream: NodeJS.ReadableStream): Promise<number | null> {
  const { promise, resolve } = Promise.withResolvers<number | null>();
  let text = "";
  stream.on("data", (chunk: Buffer) => {
    text += chunk.toString();
    const run = /"run":(\d+)/.exec(text)?.[1];
    if (run !== undefined) resolve(Number(run));
  });
  stream.on("close", () => resolve(null));
  return promise;
}

/** Until its second step runs. */
async function waitForStep(plug: Plug, run: number): Promise<void> {
  await using view = await openView(plug);
  while (!plug.signal.aborted && !(await isInSecondStep(view, run))) await sleep(lookEveryMs);
}

async function isInSecondStep(view: View, run: number): Promise<boolean> {
  const rows = await view.store.listRows(run);
  return rows.length === 0 || rows.some(({ step, status }) => step === "long" && status !== "ready" && status !== "pending");
}

async function planOf(plug: Plug, run: number): ReturnType<View["planOf"]> {
  await using view = await openView({ ...plug, values: { ...plug.values, store: plug.store } });
  return await view.planOf((await view.read(run)).flow);
}
