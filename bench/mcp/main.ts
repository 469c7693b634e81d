// `npm run bench -- mcp`: steps that call a tool of a server over stdio, beside the same calls by the bare client of the SDK,
// in turns and in one run: calls per second with 32 under way, and what a step takes beyond a call and a commit.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Json, JsonObject } from "../../src/flow/json.ts";
import { openEngine } from "../../src/open-engine.ts";
import { median } from "../statistics.ts";

const turns = 5;
const underWay = 32;
const calls = 8000;
const inARow = 300;
const program = fileURLToPath(new URL("echo-server.ts", import.meta.url));
const command = { command: process.execPath, args: [program] };
const text = "x".repeat(100);

/** Runs of many items each: what is measured is the calling, not the starting. */
const manyFlow: JsonObject = {
  format: "stepwell/v1",
  input: { type: "object" },
  steps: {
    many: {
      tool: "echo.say",
      args: { text },
      each: { items: "{{ input.items }}", concurrency: underWay, result: "none" },
      done: { output: null },
    },
  },
};

function rowFlow(): JsonObject {
  const names = Array.from({ length: inARow }, (_none, at) => `s${at}`);
  const steps = names.map((name, at): [string, Json] => [
    name,
    { tool: "echo.say", args: { text }, ...(at + 1 < inARow ? { next: `s${at + 1}` } : { done: { output: null } }) },
  ]);
  return { format: "stepwell/v1", start: "s0", steps: Object.fromEntries(steps) };
}

mkdirSync(".stepwell", { recursive: true });
const folder = mkdtempSync(join(".stepwell", "bench-mcp-"));
const figures = {
  raw: [] as number[],
  engine: [] as number[],
  rawMs: [] as number[],
  commitMs: [] as number[],
  stepMs: [] as number[],
};
try {
  const client = new Client({ name: "bench", version: "1.0.0" });
  await client.connect(new StdioClientTransport(command));
  await using engine = await openEngine({
    store: join(folder, "stepwell.db"),
    mcpServers: { echo: command },
    limits: { calls: underWay },
  });
  const call = (): Promise<unknown> => client.callTool({ name: "say", arguments: { text } });
  const items = Array.from({ length: calls }, (_none, at) => at);
  // The first turn is for the compiler.
  for (let turn = 0; turn <= turns; turn++) {
    const found = {
      raw: calls / (await secondsOf(() => callMany(call))),
      engine: calls / (await secondsOf(() => runFlow(manyFlow, { items }))),
      rawMs: ((await secondsOf(() => callInARow(call))) * 1000) / inARow,
      commitMs: measureCommit(join(folder, `raw-${turn}.db`)),
      stepMs: ((await secondsOf(() => runFlow(rowFlow(), {}))) * 1000) / inARow,
    };
    if (turn > 0) for (const name of keysOf(figures)) figures[name].push(found[name]);
  }
  await client.close();

  async function runFlow(flow: JsonObject, input: JsonObject): Promise<void> {
    const { id } = await engine.start(flow, { input });
    const { status, error } = await engine.result(id);
    if (status !== "completed") throw new Error(`The run ${status}: ${error?.message}`);
  }
} finally {
  rmSync(folder, { recursive: true });
}

const [raw, ours] = [median(figures.raw), median(figures.engine)];
const [rawMs, commitMs, stepMs] = [median(figures.rawMs), median(figures.commitMs), median(figures.stepMs)];
console.log(`raw client: ${Math.round(raw)} calls/s with ${underWay} under way (${shown(figures.raw)})`);
console.log(`stepwell:   ${Math.round(ours)} steps/s (${shown(figures.engine)}), ${(ours / raw).toFixed(2)} of raw`);
console.log(
  `one after another: a raw call ${rawMs.toFixed(2)} ms, a raw commit ${commitMs.toFixed(2)} ms, a step ${stepMs.toFixed(2)} ms: ${(stepMs - rawMs - commitMs).toFixed(2)} ms beyond both`,
);

async function secondsOf(act: () => Promise<void>): Promise<number> {
  const from = performance.now();
  await act();
  return (performance.now() - from) / 1000;
}

async function callMany(call: () => Promise<unknown>): Promise<void> {
  let left = calls;
  const work = async (): Promise<void> => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: underWay }, work));
}

async function callInARow(call: () => Promise<unknown>): Promise<void> {
  for (let made = 0; made < inARow; made++) await call();
}

/** One row, on disk before the next one. */
function measureCommit(path: string): number {
  const database = new DatabaseSync(path);
  database.exec(
    "pragma journal_mode = wal; pragma synchronous = full; create table rows (id integer primary key, text text)",
  );
  const insert = database.prepare("insert into rows (text) values (?)");
  const times: number[] = [];
  for (let made = 0; made < inARow; made++) {
    const from = performance.now();
    insert.run(text);
    times.push(performance.now() - from);
  }
  database.close();
  return median(times);
}

function keysOf<Key extends string>(record: Readonly<Record<Key, unknown>>): readonly Key[] {
  return Object.keys(record) as Key[];
}

function shown(values: readonly number[]): string {
  return values.map(Math.round).join(", ");
}
