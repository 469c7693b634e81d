// Clients of the SDK hang up when one message has more than 10 MB, and lose all that is under way on the connection.

import { STDIO_DEFAULT_MAX_BUFFER_SIZE as readMax } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../engine/clock.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Json, JsonObject } from "../../flow/json.ts";
import { createWorld, type World } from "../../testing/engine.ts";
import { openWire, tasks, type Wire, type WireWish } from "../../testing/mcp-wire.ts";

let world: World;
let engine: Engine;

const manyBytes = 4_000_000;
const tools = {
  /** Two signs each, and four in a text of JSON. */
  quotes: (): Json => ['"'.repeat(manyBytes / 2)],
  /** Six signs each, and seven in a text of JSON. */
  bells: (): Json => "\u0007".repeat(manyBytes / 6),
  letters: (): Json => "a".repeat(manyBytes),
};

beforeAll(async () => {
  world = createWorld("memory");
  ({ engine } = await world.open({ tools, clock: systemClock }));
  for (const tool of Object.keys(tools)) await engine.save({ steps: { start: { tool, done: true } } }, { name: tool });
  await engine.save(
    {
      steps: {
        start: { tool: "quotes", next: "two" },
        two: { tool: "letters", next: "end" },
        end: { tool: "quotes", done: true },
      },
    },
    { name: "many" },
  );
  const output = { one: "{{ steps.start.result }}", two: "{{ steps.two.result }}", three: "{{ steps.three.result }}" };
  await engine.save(
    {
      steps: {
        start: { tool: "letters", next: "two" },
        two: { tool: "letters", next: "three" },
        three: { tool: "letters", next: "end" },
        end: { set: {}, done: { output } },
      },
    },
    { name: "sum" },
  );
});

afterAll(() => world[Symbol.asyncDispose]());

const whole = { quickMs: 60_000, waitMs: 60_000 };

function bytesOf(value: Json): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function runOf(result: JsonObject): string {
  return (result["structuredContent"] as { readonly run_id: string }).run_id;
}

function open(wish: WireWish): Promise<Wire> {
  return openWire(engine, { ...whole, capabilities: tasks, ...wish });
}

describe.each(["modern", "legacy"] as const)("over a %s connection", (era) => {
  test.each(["quotes", "bells", "letters"] as const)(
    "a run that gave %s of 4 MB is answered in a message that clients read, with all of it",
    async (name) => {
      await using wire = await open({ era });
      const called = await wire.call(`workflow_${name}`);
      const seen = await wire.call("run_get", { run_id: runOf(called) });
      for (const result of [called, seen]) {
        expect(bytesOf(result)).toBeLessThan(readMax);
        const { output, status } = result["structuredContent"] as { readonly output: Json; readonly status: string };
        expect(status).toBe("completed");
        // Not by comparing them: what differs would be shown.
        expect(JSON.stringify(output) === JSON.stringify(tools[name]())).toBe(true);
      }
      const isCut = JSON.stringify(called["content"]).includes("structuredContent has all of it");
      expect(isCut).toBe(name === "quotes");
    },
  );

  test("its task too", async () => {
    await using wire = await open({ era });
    const { id } = await engine.start("quotes", { as: "ann" });
    await engine.result(id);
    const { uid: run } = await engine.get(id);
    const method = era === "modern" ? "tasks/get" : "tasks/result";
    const { result } = await wire.ask(method, { taskId: run });
    expect(bytesOf(result)).toBeLessThan(readMax);
    expect(JSON.stringify(result)).toContain("structuredContent has all of it");
  });
});

describe("what is more than that", () => {
  let run: string;
  beforeAll(async () => {
    const { id } = await engine.start("many", { as: "ann" });
    await engine.result(id);
    run = (await engine.get(id)).uid;
  });

  test.each(["modern", "legacy"] as const)("is left out of how a run ended, over a %s connection", async (era) => {
    await using wire = await open({ era });
    const ended = { status: "completed", terminal_kind: "success", note: expect.stringContaining("stepwell show") };
    const called = await wire.call("workflow_sum");
    expect(called).toMatchObject({
      structuredContent: ended,
      content: [{ text: expect.stringContaining("more than") }],
    });
    expect(called).not.toHaveProperty("isError");
    expect(called["structuredContent"]).not.toHaveProperty("output");
    const method = era === "modern" ? "tasks/get" : "tasks/result";
    const { result } = await wire.ask(method, { taskId: runOf(called) });
    expect(era === "modern" ? result["result"] : result).toMatchObject({ structuredContent: ended });
  });

  test.each<[string, JsonObject]>([
    ["workflow_get", { id: "RUN" }],
    ["workflow_list", { limit: 50 }],
  ])("is refused by %s in words that say what to do", async (name, args) => {
    await using wire = await open({});
    const result = await wire.call(name, { ...args, ...("id" in args ? { id: run } : {}) });
    expect(bytesOf(result)).toBeLessThan(10_000);
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { error: { code: "TOO_LARGE", hint: expect.stringMatching(/run_get|limit/) } },
    });
  });

  test("is refused as a resource", async () => {
    await using wire = await open({});
    for (const uri of [`stepwell://runs/${run}`, "stepwell://runs/list"]) {
      const { error } = await wire.ask("resources/read", { uri });
      expect(error).toMatchObject({ code: 413, data: { code: "TOO_LARGE" } });
    }
  });

  test("is told page by page where there are pages", async () => {
    await using wire = await open({});
    const [kinds, pages]: [string[], number[]] = [[], []];
    for (let from: number | null = 0; from !== null;) {
      const result = await wire.call("run_history", { run_id: run, from });
      pages.push(bytesOf(result));
      type Page = { readonly entries: readonly { readonly kind: string }[]; readonly next: number | null };
      const { entries, next } = result["structuredContent"] as Page;
      kinds.push(...entries.map(({ kind }) => kind));
      from = next;
    }
    expect(Math.max(...pages)).toBeLessThan(readMax);
    expect(kinds).toHaveLength((await engine.history((await engine.overview.find(run)).runs[0] ?? 0)).length);
  });
});
