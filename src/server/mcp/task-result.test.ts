// What the list of acceptance asks of tasks and their results, word by word.

import { describe, expect, test } from "vitest";
import { systemClock } from "../../engine/clock.ts";
import type { Json, JsonObject } from "../../flow/json.ts";
import { createWorld, type OpenedEngine } from "../../testing/engine.ts";
import { openWire, tasks, type Wire, type WireWish } from "../../testing/mcp-wire.ts";

const flows: Readonly<Record<string, Json>> = {
  fine: { steps: { start: { set: { a: 1 }, done: { output: { list: [1, "two", null] } } } } },
  words: { steps: { start: { set: {}, done: { output: "in words" } } } },
  bad: { steps: { start: { tool: "fail", retry: { attempts: 1 }, done: true } } },
  three: {
    steps: {
      start: { tool: "work", next: "two" },
      two: { tool: "work", next: "three" },
      three: { tool: "work", done: true },
    },
  },
};

const toolsOf = {
  work: (): string => "done",
  fail: (): never => {
    throw new Error("out of order");
  },
};

type Opened = OpenedEngine & { readonly wire: Wire } & AsyncDisposable;

async function open(wish: WireWish): Promise<Opened> {
  const world = createWorld("memory");
  const opened = await world.open({ tools: toolsOf, clock: systemClock });
  for (const [name, flow] of Object.entries(flows)) await opened.engine.save(flow, { name });
  const wire = await openWire(opened.engine, { quickMs: 0, waitMs: 60_000, ...wish });
  return {
    ...opened,
    wire,
    [Symbol.asyncDispose]: async () => {
      await wire[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

/** Without what belongs to one run, or to the way in which it is told. */
function plainOf(result: JsonObject): Json {
  const { _meta: meta, resultType: _, ...rest } = result;
  const { run_id: run } = rest["structuredContent"] as { readonly run_id: string };
  const kind = (meta as JsonObject)["stepwell/terminal_kind"] ?? null;
  return JSON.parse(JSON.stringify({ ...rest, kind }).replaceAll(run, "RUN")) as Json;
}

describe("SB-32: the result of a task is that of the plain call", () => {
  test.each(["fine", "words", "bad"])("SB-32: of %s in 2025-11-25", async (name) => {
    await using opened = await open({ era: "legacy" });
    const { wire } = opened;
    const plain = await wire.call(`workflow_${name}`);
    const { task } = await wire.call(`workflow_${name}`, {}, { task: {} });
    const { taskId } = task as { readonly taskId: string };
    const { result } = await wire.ask("tasks/result", { taskId });
    expect(plainOf(result)).toEqual(plainOf(plain));
  });

  test.each(["fine", "words", "bad"])("SB-32: of %s in 2026-07-28", async (name) => {
    await using opened = await open({});
    const plain = await opened.wire.call(`workflow_${name}`);
    await using other = await openWire(opened.engine, { capabilities: tasks });
    const { run_id: taskId } = plain["structuredContent"] as { readonly run_id: string };
    const { result } = (await other.ask("tasks/get", { taskId })).result;
    expect(plainOf(result as JsonObject)).toEqual(plainOf(plain));
  });
});

test("SB-31: who calls with a progress token hears of each step after the start, and the numbers only rise", async () => {
  await using opened = await open({ era: "legacy" });
  const { wire } = opened;
  await wire.call("workflow_three", {}, { _meta: { progressToken: "p" } });
  const heard: { readonly progress: number; readonly message: string }[] = [];
  do heard.push((await wire.heard("notifications/progress")) as unknown as (typeof heard)[number]);
  while (heard.at(-1)?.message !== "the run is completed");
  const [first, ...others] = heard;
  expect(first?.message).toMatch(/^run \S+ has started$/);
  expect(others.map(({ message }) => message)).toEqual(
    expect.arrayContaining(["start: done", "two: done", "three: done"]),
  );
  const numbers = heard.map(({ progress }) => progress);
  expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
  expect(new Set(numbers).size).toBe(numbers.length);
});

describe.each(["modern", "legacy"] as const)("over a %s connection", (era) => {
  test("SB-28: what nobody has foreseen is -32603, and its words stay in the log", async () => {
    const problems: unknown[] = [];
    await using opened = await open({ era, capabilities: tasks, onProblem: (error) => void problems.push(error) });
    const { wire, store } = opened;
    const { id } = await opened.engine.start("fine", { as: "ann" });
    const { uid: taskId } = await opened.engine.get(id);
    const secret = new Error("the password is x");
    store.faults.beforeVerb = (verb) => (verb === "findRunByUid" ? Promise.reject(secret) : undefined);
    const { error } = await wire.ask("tasks/get", { taskId });
    store.faults.beforeVerb = null;
    expect(error).toMatchObject({ code: -32603 });
    expect(JSON.stringify(error)).not.toContain("password");
    expect(problems).toContain(secret);
  });
});
