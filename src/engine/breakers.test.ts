import { describe, expect, test } from "vitest";
import { createDesk, createWorld, type OpenedEngine } from "../testing/engine.ts";
import { ToolError } from "../tool/function.ts";
import type { Tool } from "../tool/tool.ts";
import type { Json } from "../flow/json.ts";
import type { Notice } from "./notice.ts";

const minute = 60_000;

/** A tool that answers, or fails as long as it is down. */
function createLine(): {
  readonly call: () => string;
  readonly calls: () => number;
  /** null: it works. */
  readonly set: (problem: Error | null) => void;
} {
  let problem: Error | null = new Error("the line is dead");
  let calls = 0;
  return {
    call: () => {
      calls += 1;
      if (problem !== null) throw problem;
      return "hello";
    },
    calls: () => calls,
    set: (next) => {
      problem = next;
    },
  };
}

const once = (tool: string, more: Readonly<Record<string, Json>> = {}): Json => ({
  start: { tool, effect: "read", retry: false, done: true, ...more },
});

/** How so many runs of one call end, one after the other: their outputs, or the codes of their errors. */
async function callTimes({ engine }: OpenedEngine, times: number, flow: Json = once("line")): Promise<readonly Json[]> {
  const ends: Json[] = [];
  for (let time = 0; time < times; time++) {
    const { id } = await engine.start(flow);
    const { output, error } = await engine.result(id);
    ends.push(error?.code ?? output);
  }
  return ends;
}

const stateOf = async ({ engine }: OpenedEngine, tool = "line"): Promise<string> =>
  (await engine.breakers.list()).find((one) => one.tool === tool)?.state ?? "none";

describe("a tool that keeps failing", () => {
  test("AC-39: is left alone after three failures in a row; five minutes later one call tests it, and its success lets all through", async () => {
    await using world = createWorld("memory");
    const line = createLine();
    const notices: Notice[] = [];
    const opened = await world.open({ tools: { line: line.call }, onNotice: (notice) => void notices.push(notice) });
    expect(await callTimes(opened, 3)).toEqual(["tool_failed", "tool_failed", "tool_failed"]);
    expect(notices.map(({ kind }) => kind)).toEqual(["breaker_opened"]);
    expect(await callTimes(opened, 2)).toEqual(["circuit_open", "circuit_open"]);
    expect(line.calls()).toBe(3);
    await world.clock.advance(5 * minute - 1);
    expect(await stateOf(opened)).toBe("open");
    expect(await callTimes(opened, 1)).toEqual(["circuit_open"]);
    await world.clock.advance(1);
    expect(await stateOf(opened)).toBe("half_open");
    line.set(null);
    expect(await callTimes(opened, 3)).toEqual(["hello", "hello", "hello"]);
    expect(notices.map(({ kind }) => kind)).toEqual(["breaker_opened", "breaker_closed"]);
    expect(await stateOf(opened)).toBe("closed");
  });

  test("AC-40: is counted by itself, from its last success on, and its failed test opens it again with the same count", async () => {
    await using world = createWorld("memory");
    const [line, other] = [createLine(), createLine()];
    const opened = await world.open({ tools: { line: line.call, other: other.call } });
    await callTimes(opened, 2);
    await callTimes(opened, 2, once("other"));
    line.set(null);
    await callTimes(opened, 1);
    line.set(new Error("dead again"));
    await callTimes(opened, 2);
    expect(await opened.engine.breakers.list()).toMatchObject([
      { tool: "line", state: "closed", count: 2 },
      { tool: "other", state: "closed", count: 2 },
    ]);
    await callTimes(opened, 1);
    expect(await stateOf(opened, "other")).toBe("closed");
    await world.clock.advance(5 * minute);
    expect(await callTimes(opened, 2)).toEqual(["tool_failed", "circuit_open"]);
    expect(await opened.engine.breakers.list()).toMatchObject([
      { tool: "line", state: "open", count: 3, openedAt: world.clock.now(), openUntil: world.clock.now() + 5 * minute },
      { tool: "other" },
    ]);
  });

  test("AC-40: every try counts, and what is to be tried again when the circuit is open fails", async () => {
    await using world = createWorld("memory");
    const line = createLine();
    const opened = await world.open({ tools: { line: line.call } });
    const { id } = await opened.engine.start(once("line", { retry: { attempts: 9, backoff: ["1s"] } }));
    await world.clock.advance(10_000);
    expect(await opened.engine.get(id)).toMatchObject({ status: "failed", error: { code: "circuit_open" } });
    expect(line.calls()).toBe(3);
  });

  test("has one breaker, whichever of its names a step calls it by", async () => {
    await using world = createWorld("memory");
    const line = createLine();
    const opened = await world.open({ tools: { "phone.line": line.call } });
    await callTimes(opened, 2, once("phone.line"));
    await callTimes(opened, 1, once("line"));
    expect(await callTimes(opened, 1, once("phone.line"))).toEqual(["circuit_open"]);
    expect(await opened.engine.breakers.reset("line")).toBe(true);
    expect(await opened.engine.breakers.list()).toMatchObject([{ tool: "phone.line", state: "closed", count: 0 }]);
  });

  test("AC-42: is told of with its name, the count, the minutes and the last error cut to 200 characters", async () => {
    await using world = createWorld("memory");
    const line = createLine();
    const notices: Notice[] = [];
    const opened = await world.open({ tools: { line: line.call }, onNotice: (notice) => void notices.push(notice) });
    await callTimes(opened, 2);
    line.set(new Error("x".repeat(300)));
    const { id } = await opened.engine.start(once("line"));
    await opened.engine.result(id);
    await world.settle();
    const cut = `${"x".repeat(199)}…`;
    const told = { tool: "line", count: 3, retryMinutes: 5, lastError: cut };
    const message = `The tool "line" has failed 3 times in a row and is not called for 5 minutes. The last error: ${cut}`;
    expect(notices).toEqual([{ kind: "breaker_opened", at: world.clock.now(), run: id, ...told, message }]);
    expect(await opened.engine.history(id)).toContainEqual(
      expect.objectContaining({ event: "breaker_opened", data: { ...told, message } }),
    );
    const refused = await opened.engine.start(once("line"));
    const { error } = await opened.engine.result(refused.id);
    const again = new Date(world.clock.now() + 5 * minute).toISOString();
    expect(error?.message).toBe(
      `The tool "line" has failed 3 times in a row and is not called for now; it is tried again in 5 minutes, at ${again}. The last error: ${cut}`,
    );
    line.set(null);
    await world.clock.advance(5 * minute);
    const healed = await opened.engine.start(once("line"));
    await opened.engine.result(healed.id);
    await world.settle();
    expect(notices.at(-1)).toMatchObject({ kind: "breaker_closed", run: healed.id, tool: "line", count: 3 });
    expect(notices.at(-1)?.message).toBe(
      `The tool "line", which had failed 3 times in a row, is called again: a test call succeeded. The last error: ${cut}`,
    );
    expect(await opened.events(healed.id)).toContain("breaker_closed");
  });
});

describe("what counts as a failure of a tool", () => {
  test("its time limit does, once, whatever it answers later", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const opened = await world.open({ tools: { line: desk.call } });
    for (let time = 0; time < 2; time++) await opened.engine.start(once("line", { timeout: "1s" }));
    await world.clock.advance(1000);
    for (const call of desk.calls) call.done("late");
    await world.settle();
    expect(await opened.engine.breakers.list()).toMatchObject([
      { count: 2, state: "closed", lastError: "It took longer than 1000 ms." },
    ]);
  });

  test("so does that of each item of a list, all in one instant", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const opened = await world.open({ tools: { line: desk.call } });
    const each = { items: [1, 2], concurrency: 2, on_item_error: "collect" };
    await opened.engine.start(once("line", { each, timeout: "1s" }));
    await world.clock.advance(1000);
    expect(desk.calls).toHaveLength(2);
    expect(await opened.engine.breakers.list()).toMatchObject([{ count: 2 }]);
  });

  test("a call that runs over its time in a paused run does, though the run waits for it", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const opened = await world.open({ tools: { line: desk.call } });
    const { id } = await opened.engine.start(once("line", { timeout: "1s" }));
    await world.settle();
    await opened.engine.pause(id);
    await world.clock.advance(1000);
    desk.last().done("after all");
    await world.settle();
    await opened.engine.resume(id);
    expect((await opened.engine.result(id)).output).toBe("after all");
    expect(await opened.engine.breakers.list()).toMatchObject([{ count: 1 }]);
  });

  test("a lost connection does", async () => {
    await using world = createWorld("memory");
    const schemas = { input: null, output: null, outcomes: [] };
    const line: Tool = { name: "line", description: null, effect: "read", ...schemas, call: () => ({ kind: "lost" }) };
    const opened = await world.open({ tools: [line] });
    await callTimes(opened, 1);
    expect(await opened.engine.breakers.list()).toMatchObject([{ count: 1, lastError: "The connection broke." }]);
  });

  test.each(["bad_args", "not_allowed", "unknown_tool", "secret_missing"])(
    "%s does not: what was asked was wrong, not the tool",
    async (code) => {
      await using world = createWorld("memory");
      const line = createLine();
      line.set(new ToolError({ code, message: "not like this", isFinal: true }));
      const opened = await world.open({ tools: { line: line.call } });
      expect(await callTimes(opened, 4)).toEqual([code, code, code, code]);
      expect(await opened.engine.breakers.list()).toEqual([]);
    },
  );

  test("a tool or a secret that is not there does not", async () => {
    await using world = createWorld("memory");
    const opened = await world.open({ tools: { line: () => "hello" } });
    expect(await callTimes(opened, 1, once("nothing"))).toEqual(["unknown_tool"]);
    expect(await callTimes(opened, 1, once("line", { args: { key: "{{ secrets.key }}" } }))).toEqual([
      "secret_missing",
    ]);
    expect(await opened.engine.breakers.list()).toEqual([]);
  });

  test("a call that nobody wants any more does not", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const opened = await world.open({ tools: { line: desk.call } });
    const { id } = await opened.engine.start(once("line"));
    await world.settle();
    await opened.engine.cancel(id);
    desk.last().fail(new Error("aborted"));
    await world.settle();
    expect(await opened.events(id)).toContain("late_result");
    expect(await opened.engine.breakers.list()).toEqual([]);
  });

  test("a success of a tool that has not failed writes nothing", async () => {
    await using world = createWorld("memory");
    const line = createLine();
    const opened = await world.open({ tools: { line: line.call } });
    line.set(null);
    await callTimes(opened, 2);
    line.set(new Error("once"));
    await callTimes(opened, 1);
    line.set(null);
    await callTimes(opened, 3);
    const written = opened.store.batches.flatMap(({ entries }) => entries.map(({ value }) => value));
    expect(written).toMatchObject([{ count: 1 }, { count: 0, lastError: "once" }]);
  });
});
