// `npm run bench -- mcp`: steps that call a tool of a server over stdio, beside the same calls by the bare client of the SDK,
// in turns and in one run: calls per second with 32 before the server, and what a step takes beyond a call and a commit.
//
// A step is under way from the batch that writes its beginning to the one that writes its end; before the server its call
// is for a part of that time only. So there are two figures: `steps` has more steps under way than the server may have
// calls, as any flow may; `strict` has 32 steps under way, those counted whose row is being written.
//
// `npm run bench -- mcp everything`: the same with the reference server of that name, as an example of what people have; it
// cannot be asked how many calls it has had at once.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { isArray, type Json, type JsonObject } from "../../src/flow/json.ts";
import { openEngine } from "../../src/open-engine.ts";
import { raiseServer, raiseSession } from "../priority.ts";
import { median } from "../statistics.ts";
import { benchServerNames, findBenchServer, smallServer } from "./bench-servers.ts";

/** Many: on a machine that others use too a turn is now and then twice as long as the next. */
const turns = 15;
/** Before the server, of either side. */
const atOnce = 32;
/** Steps under way beside them: being written, or waiting in front of the server. */
const stepsUnderWay = 256;
const calls = 8000;
const inARow = 300;
/** To see that no more are before the server than we say. */
const counted = 2000;
const serverName = process.argv[3] ?? smallServer;
const server = findBenchServer(serverName);
if (server === undefined) throw new Error(`There is no server "${serverName}", only ${benchServerNames.join(", ")}.`);
const { tool, input: given, ...command } = { ...server, args: [...server.args] };

/** Runs of many items each: what is measured is the calling, not the starting. */
function manyFlow(concurrency: number, name = tool, result: "none" | "list" = "none"): JsonObject {
  const each = { items: "{{ input.items }}", concurrency, result };
  const done = { output: result === "none" ? null : "{{ result }}" };
  return {
    format: "stepwell/v1",
    input: { type: "object" },
    steps: { many: { tool: `bench.${name}`, args: given, each, done } },
  };
}

function rowFlow(): JsonObject {
  const names = Array.from({ length: inARow }, (_none, at) => `s${at}`);
  const steps = names.map((name, at): [string, Json] => [
    name,
    { tool: `bench.${tool}`, args: given, ...(at + 1 < inARow ? { next: `s${at + 1}` } : { done: { output: null } }) },
  ]);
  return { format: "stepwell/v1", start: "s0", steps: Object.fromEntries(steps) };
}

const lowerSession = raiseSession();
// The engine's server is in a session of its own.
raiseServer(process.pid);
mkdirSync(".stepwell", { recursive: true });
const folder = mkdtempSync(join(".stepwell", "bench-mcp-"));
const figures = {
  raw: [] as number[],
  steps: [] as number[],
  strict: [] as number[],
  rawMs: [] as number[],
  commitMs: [] as number[],
  stepMs: [] as number[],
};
try {
  const client = new Client({ name: "bench", version: "1.0.0" });
  await client.connect(new StdioClientTransport(command));
  await using engine = await openEngine({
    store: join(folder, "stepwell.db"),
    mcpServers: { bench: { ...command, concurrency: atOnce } },
  });
  if (serverName === smallServer) await checkAtOnce();
  const call = (): Promise<unknown> => client.callTool({ name: tool, arguments: given });
  const items = Array.from({ length: calls }, (_none, at) => at);
  // The first turn is for the compiler.
  for (let turn = 0; turn <= turns; turn++) {
    const found = {
      raw: calls / (await secondsOf(() => callMany(call))),
      steps: calls / (await secondsOf(() => runFlow(manyFlow(stepsUnderWay), { items }))),
      strict: calls / (await secondsOf(() => runFlow(manyFlow(atOnce), { items }))),
      rawMs: ((await secondsOf(() => callInARow(call))) * 1000) / inARow,
      commitMs: measureCommit(join(folder, `raw-${turn}.db`)),
      stepMs: ((await secondsOf(() => runFlow(rowFlow(), {}))) * 1000) / inARow,
    };
    if (turn > 0) for (const name of keysOf(figures)) figures[name].push(found[name]);
  }
  await client.close();

  async function runFlow(flow: JsonObject, input: JsonObject): Promise<Json> {
    const { id } = await engine.start(flow, { input });
    const { status, error, output } = await engine.result(id);
    if (status !== "completed") throw new Error(`The run ${status}: ${error?.message}`);
    return output;
  }

  /** As the server has seen it. */
  async function checkAtOnce(): Promise<void> {
    const some = Array.from({ length: counted }, (_none, at) => at);
    const seen = await runFlow(manyFlow(stepsUnderWay, "together", "list"), { items: some });
    const most = Math.max(...(isArray(seen) ? seen.map(Number) : [Number.NaN]));
    if (most !== atOnce) throw new Error(`The server had ${most} calls before it at once, not ${atOnce}.`);
  }
} finally {
  lowerSession();
  rmSync(folder, { recursive: true });
}

const [raw, ours, strict] = [median(figures.raw), median(figures.steps), median(figures.strict)];
const [rawMs, commitMs, stepMs] = [median(figures.rawMs), median(figures.commitMs), median(figures.stepMs)];
console.log(`raw client: ${Math.round(raw)} calls/s with ${atOnce} before the server (${shown(figures.raw)})`);
console.log(
  `stepwell:   ${Math.round(ours)} steps/s with ${atOnce} before the server and ${stepsUnderWay} steps under way (${shown(figures.steps)}), ${ofRaw(figures.steps)}`,
);
console.log(
  `            ${Math.round(strict)} steps/s with ${atOnce} steps under way (${shown(figures.strict)}), ${ofRaw(figures.strict)}`,
);
console.log(
  `one after another: a raw call ${rawMs.toFixed(2)} ms, a raw commit ${commitMs.toFixed(2)} ms, a step ${stepMs.toFixed(2)} ms: ${(stepMs - rawMs - commitMs).toFixed(2)} ms beyond both`,
);

/** Turn by turn: what slows the machine down for some seconds slows down both. And of all turns, which it does not. */
function ofRaw(rates: readonly number[]): string {
  const ratios = rates.map((rate, turn) => rate / (figures.raw[turn] ?? Number.NaN));
  return `${median(ratios).toFixed(2)} of raw in the same turn, ${(median(rates) / raw).toFixed(2)} by medians of all turns`;
}

async function secondsOf(act: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await act();
  return (performance.now() - from) / 1000;
}

async function callMany(call: () => Promise<unknown>): Promise<void> {
  let left = calls;
  const work = async (): Promise<void> => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: atOnce }, work));
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
    insert.run(JSON.stringify(given));
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
