// Runs of every kind, each brought to the middle of its life, and what brings them to their ends. Two stores that hold the
// same runs, and are told the same from there on, must show the same in the end.

import type { Engine } from "../../src/engine/engine.ts";
import type { Json, JsonObject } from "../../src/flow/json.ts";
import type { ToolContext } from "../../src/tool/function.ts";
import type { Tools } from "../../src/tool/registry.ts";
import type { World } from "../../src/testing/engine.ts";

const minute = 60_000;
const hour = 60 * minute;

/** Longer than what stands in a row. */
const longText = "0123456789".repeat(9000);

const after: JsonObject = { tool: "work", args: { text: "{{ previous }}" }, done: true };

/** By name: a flow that stops half way. */
const flows: Readonly<Record<string, JsonObject>> = {
  gate: {
    start: { tool: "work", args: { text: "{{ input.n }}" }, next: "ask" },
    ask: {
      gate: { title: "Number {{ input.n }}?", remind_after: "30m" },
      routes: { rejected: "no" },
      next: "after",
    },
    after,
    no: { set: { said: "no" }, done: true },
  },
  timer: { start: { wait: "2h", next: "after" }, after },
  fork: {
    start: { tool: "work", args: { text: "begin" }, parallel: ["quick", "slow", "asked"], join: "all" },
    quick: { tool: "long" },
    slow: { wait: "1h", next: "later" },
    later: { tool: "flaky", retry: { attempts: 3, backoff: ["10m", "20m"] } },
    asked: { gate: { title: "This branch?" } },
    all: { tool: "work", args: { text: "{{ steps.later.result }}" }, done: true },
  },
  parent: { start: { flow: "child", input: { n: "{{ input.n }}" }, next: "after" }, after },
  list: {
    start: { each: { items: [1, 2, 3], concurrency: 2 }, flow: "child", input: { n: "{{ item }}" }, next: "after" },
    after,
  },
  retry: { start: { tool: "flaky", retry: { attempts: 3, backoff: ["10m", "3h"] }, next: "after" }, after },
  event: { start: { wait: { event: "paid" }, next: "news" }, news: { wait: { event: "news" }, next: "after" }, after },
  posted: { start: { wait: { event: "posted" }, next: "after" }, after },
  early: { start: { gate: { title: "First" }, next: "news" }, news: { wait: { event: "news" }, next: "after" }, after },
  loop: {
    start: { wait: "20m", next: "look" },
    look: { tool: "work", args: { text: 1 }, branch: [{ if: "steps.start.visits < 6", then: "start" }], else: "after" },
    after,
  },
  undone: {
    start: { tool: "work", args: { text: "book" }, compensate: { tool: "work", args: { text: "free" } }, next: "ask" },
    ask: { gate: { title: "Keep it?" }, next: "after" },
    after,
  },
  secret: {
    start: { wait: "1h", next: "send" },
    send: { tool: "work", args: { text: "{{ secrets.API_KEY }}" }, done: true },
  },
  called: { start: { tool: "held", effect: "read", timeout: "1d", next: "after" }, after },
  written: { start: { tool: "held", effect: "write", timeout: "1d", next: "after" }, after },
  broken: {
    start: { tool: "broken", retry: false, on_error: "rest", next: "rest" },
    rest: { wait: "46m", next: "again" },
    again: { tool: "broken", retry: false, on_circuit_open: "skip", on_error: "after", next: "after" },
    after,
  },
  machine: {
    format: "stepwell/v1",
    name: "machine",
    states: { here: { initial: true }, there: {}, over: { terminal: "success" } },
    transitions: [
      { name: "go", from: "here", to: "there" },
      { name: "stop", from: "there", to: "over" },
    ],
  },
};

const child: JsonObject = {
  format: "stepwell/v1",
  name: "child",
  steps: {
    start: { tool: "work", args: { text: "{{ input.n }}" }, next: "rest" },
    rest: { wait: "90m", next: "after" },
    after,
  },
};

/** What they call. Nothing is remembered in them: what a call gives depends on what it is given alone. */
export const tools: Tools = {
  work: ({ text }: { text: Json }) => ({ text }),
  long: () => ({ text: longText }),
  flaky: (_: JsonObject, { attempt }: ToolContext) => {
    if (attempt < 3) throw new Error(`attempt ${attempt}`);
    return { attempt };
  },
  broken: () => {
    throw new Error("never works");
  },
  held: () => ({ text: "held" }),
};

/** The same, while the call of one of them lasts until its process dies. */
export const holdingTools: Tools = { ...tools, held: () => new Promise<never>(() => {}) };

/** A root, and what is to become of it. */
export type LiveRun = { readonly id: number; readonly kind: string; readonly n: number };

export type Side = { readonly engine: Engine; readonly world: Pick<World, "clock" | "settle"> };

/** So many runs, each kind in its turn, and all else that a store keeps; half an hour and more of their lives. */
export async function beginRuns({ engine, world }: Side, count: number): Promise<readonly LiveRun[]> {
  await engine.access.save("ann", { groups: ["staff"], keys: ["130001"] });
  await engine.access.save("group:staff", { keys: ["tool:*"] });
  await engine.secrets.set("API_KEY", "a secret that nobody sees");
  await engine.save(child);
  await engine.save({ format: "stepwell/v1", name: "saved", steps: { start: { set: { a: 1 }, done: true } } });
  const kinds = [...Object.keys(flows), "scheduled", "paused", "keyed"];
  const numbers = Array.from({ length: count }, (_, n) => n);
  const runs = await inTurns(numbers, async (n): Promise<LiveRun> => {
    const kind = kinds[n % kinds.length] ?? "";
    return { id: await begin(engine, kind, n), kind, n };
  });
  await world.settle();
  await inTurns(runs, async ({ id, kind }) => {
    if (kind === "early") await engine.signal(id, "news", { said: "early" });
    if (kind === "paused") await engine.pause(id);
  });
  await world.clock.advance(45 * minute);
  return runs;
}

async function begin(engine: Engine, kind: string, n: number): Promise<number> {
  const options = { input: { n }, as: n % 2 === 0 ? "ann" : "local" };
  const gate = flows["gate"] ?? {};
  if (kind === "scheduled") return (await engine.start(gate, { ...options, at: "in 3 hours" })).id;
  if (kind === "keyed") return (await engine.start(gate, { ...options, idempotencyKey: `key-${n}` })).id;
  return (await engine.start(flows[kind] ?? gate, options)).id;
}

/** Everything that they wait for, in the same order everywhere, and time enough for the rest. */
export async function endRuns({ engine, world }: Side, runs: readonly LiveRun[]): Promise<void> {
  await world.settle();
  await inTurns(runs, async ({ id, kind, n }) => {
    if (kind === "paused") await engine.resume(id);
    if (kind === "undone") await engine.cancel(id, { by: "ann", reason: "changed my mind" });
    if (kind === "machine") for (const transition of ["go", "stop"]) await engine.fire(id, { transition });
    // The same key gives the same run.
    if (kind === "keyed" && (await begin(engine, kind, n)) !== id) throw new Error(`key-${n} was forgotten`);
    if (kind === "written")
      await engine.resolve(await rowOf(engine, id, "start"), { by: "ann", how: "done", result: 7 });
  });
  await world.settle();
  await inTurns(runs, (run) => answerGates(engine, run));
  await engine.emit("paid", { sum: 7 });
  await world.settle();
  await inTurns(runs, async ({ id, kind }) => {
    if (kind === "event") await engine.signal(id, "news", { said: "late" });
  });
  await world.clock.advance(4 * hour);
  await inTurns(runs, (run) => answerGates(engine, run));
  await world.clock.advance(hour);
}

async function answerGates(engine: Engine, { id, n }: LiveRun): Promise<void> {
  const { steps } = await engine.get(id);
  for (const row of steps.filter(({ gate, status }) => gate !== null && status === "pending")) {
    if (n % 3 === 0) await engine.reject(row.id, { by: "ann", comment: "no" });
    else await engine.approve(row.id, { by: "ann", data: { n } });
  }
}

/** Many at a time: what is asked together goes to disk together. */
export async function inTurns<One, Result>(
  list: readonly One[],
  act: (one: One) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < list.length; from += atOnce)
    results.push(...(await Promise.all(list.slice(from, from + atOnce).map(act))));
  return results;
}

const atOnce = 200;

async function rowOf(engine: Engine, run: number, step: string): Promise<number> {
  const row = (await engine.get(run)).steps.findLast((each) => each.step === step);
  if (row === undefined) throw new Error(`run ${run} has no row of "${step}"`);
  return row.id;
}
