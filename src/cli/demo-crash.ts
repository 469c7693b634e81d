// The last part of the demo: a second process runs a flow and is killed in the middle of a step, as `kill -9` or a power
// cut would. What it had done is on disk; another process takes the run up from there.

import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { setTimeout as sleep } from "node:timers/promises";
import type { Call } from "./command.ts";
import type { Screen } from "./screen.ts";
import { openStoreView } from "./store-view.ts";
import type { View } from "./view.ts";

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
  screen.say("\nPull the plug: another process runs this flow, and is killed (kill -9) in the middle of a step.");
  const stdio: StdioOptions = ["ignore", "pipe", "ignore"];
  const child = startAnother(["run", flow, "--jsonl"], { store, stdio, signal });
  const ended = once(child, "exit").catch(() => {});
  const run = child.stdout === null ? null : await findRun(child.stdout);
  if (run === null) return;
  await waitForStep({ ...plug, values: { ...plug.values, store } }, run);
  await sleep(intoStepMs, undefined, { signal }).catch(() => {});
  child.kill("SIGKILL");
  await ended;
  if (signal.aborted) return;
  await goOn(plug, run, child.pid ?? 0);
}

/** In a process that has seen nothing of it: all that it knows is on disk. It draws where this one draws. */
async function goOn({ screen, store, signal }: Plug, run: number, killed: number): Promise<void> {
  screen.settle();
  const child = startAnother(["watch", String(run)], { store, stdio: ["ignore", "ignore", 1], signal });
  screen.say(`Process ${killed} was killed. Run ${run} goes on in process ${child.pid ?? ""}, from what is on disk:`);
  await once(child, "exit").catch(() => {});
}

type Start = { readonly store: string; readonly stdio: StdioOptions; readonly signal: AbortSignal };

function startAnother(args: readonly string[], { store, stdio, signal }: Start): ChildProcess {
  const { execPath, argv, execArgv } = process;
  // By the environment: an address may hold a password, and everybody on the machine sees the words of a command.
  const env = { ...process.env, STEPWELL_STORE: store };
  const child = spawn(execPath, [...execArgv, argv[1] ?? "", ...args], { stdio, signal, env });
  // Told by its exit.
  child.on("error", () => {});
  return child;
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
  await using view = await openStoreView(plug);
  while (!plug.signal.aborted && !(await isInSecondStep(view, run))) await sleep(lookEveryMs);
}

async function isInSecondStep(view: View, run: number): Promise<boolean> {
  const rows = await view.listRows(run);
  return (
    rows.length === 0 || rows.some(({ step, status }) => step === "long" && status !== "ready" && status !== "pending")
  );
}
