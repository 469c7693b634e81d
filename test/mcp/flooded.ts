// An engine in a process of its own, one of whose servers misbehaves: `node flooded.ts http SWITCH`, with a switch of badhttp,
// or `node flooded.ts stdio SWITCH`, with one of badtool. It says in a line of JSON what became of the call, how other
// runs went meanwhile, and how much memory it took. How long another run takes is told in what this thread has worked
// until it was over: what keeps others waiting is work here, and not that of other programs on the machine.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { openEngine } from "../../src/open-engine.ts";
import { configured } from "./servers.ts";

const [, , kind, mode = ""] = process.argv;
const badhttp = fileURLToPath(new URL("badhttp.ts", import.meta.url));
const child = spawn(process.execPath, [badhttp, mode], { stdio: ["ignore", "pipe", "inherit"] });
let said = "";
child.stdout.on("data", (chunk: Buffer) => void (said += chunk.toString()));
await once(child.stdout, "data");
const url = `http://127.0.0.1:${Number.parseInt(said, 10)}/mcp`;
/** Whatever becomes of a call, nobody needs to be asked. */
const effects = { echo: "read", go: "read" } as const;
const engine = await openEngine({
  store: ":memory:",
  lock: false,
  tools: { greet: () => "hello" },
  mcpServers: { bad: kind === "http" ? { url, effects } : { ...configured(mode), effects } },
  onProblem: () => {},
});

async function other(): Promise<number> {
  const before = process.threadCpuUsage();
  const { id } = await engine.start({ steps: { greet: { tool: "greet", args: {}, done: true } } });
  await engine.result(id);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** Timers have theirs as well. */
async function takeTurn(): Promise<void> {
  await new Promise((resolve) => void setTimeout(resolve, 5));
}

for (let count = 0; count < 10_000; count++) await other();
globalThis.gc?.();
const before = process.memoryUsage.rss();
let [others, slowestMs, most] = [0, 0, before];
async function look(): Promise<void> {
  slowestMs = Math.max(slowestMs, await other());
  others += 1;
  most = Math.max(most, process.memoryUsage.rss());
  await takeTurn();
}

// Whoever pours into a stream of its own does so before and after the call.
if (mode === "own-stream") {
  const pouring = once(child.stdout, "data");
  child.kill("SIGUSR2");
  await pouring;
  for (let count = 0; count < 50; count++) await look();
}
/** Those that end only with their time; the others end by themselves, however slow the machine is. */
const isEndless = mode === "notifications" || mode === "never-reads";
const step = {
  tool: kind === "http" ? "bad.go" : "bad.echo",
  args: {},
  timeout: isEndless ? "2s" : "30s",
  retry: { attempts: 1 },
  done: true,
};
const { id } = await engine.start({ steps: { flooded: step } });
const over = new AbortController();
const result = engine.result(id).finally(() => over.abort());
while (!over.signal.aborted) await look();
const { status } = await result;
const [row] = (await engine.get(id)).steps;
const grownMb = Math.round((most - before) / 1e6);
// The server may see later that its stream was closed.
if (kind === "http" && mode !== "values-json" && mode !== "own-stream") {
  const enough = performance.now() + 20_000;
  while (!said.includes("closed") && performance.now() < enough) await other();
}
const isClosed = said.includes("closed");
const line = { mode, status, error: row?.error ?? null, others, slowestMs: Math.round(slowestMs), grownMb, isClosed };
process.stdout.write(`${JSON.stringify(line)}\n`);
await engine.stop({ now: true });
child.kill("SIGKILL");
