import { describe, expect, test } from "vitest";
import { openTestEngine } from "../testing/open-test-engine.ts";
import { fakeTool } from "../testing/fake-tool.ts";
import { codeOfRejection, createDesk, createWorld } from "../testing/engine.ts";
import { defineTool } from "../tool/function.ts";
import type { Notice } from "./notice.ts";

const once = { start: { tool: "line", retry: false, done: true } };
const twice = {
  start: { tool: "line", retry: false, next: "then" },
  then: { tool: "line", retry: false, done: true },
};

function fail(): never {
  throw new Error("the line is dead");
}

describe("a tool that is loaded while the engine runs", () => {
  test("AC-41: is called from then on; one that was there before is replaced, and calls of it finish", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine } = await world.open({ tools: { line: desk.call } });
    const { id } = await engine.start(twice);
    await world.settle();
    expect(await engine.tools.load({ line: () => "new", "app.other": () => "other" })).toEqual({
      added: ["app.other"],
      replaced: ["line"],
    });
    desk.last().done("old");
    expect(await engine.result(id)).toMatchObject({ status: "completed", output: "new" });
    expect((await engine.get(id)).steps.map(({ result }) => result)).toEqual(["old", "new"]);
    expect((await engine.tools.call("other")).result).toBe("other");
    expect((await engine.tools.list()).map(({ name }) => name)).toEqual(["line", "app.other"]);
  });

  test("AC-41: has a breaker that is as new, also on disk, and calls of the one before it do not count", async () => {
    await using world = createWorld("file");
    const desk = createDesk();
    const notices: Notice[] = [];
    const breaker = { failures: 1 };
    const onNotice = (notice: Notice): void => void notices.push(notice);
    const { engine, crash } = await world.open({ tools: { line: desk.call }, breaker, onNotice });
    const [late, overdue] = await Promise.all([
      engine.start(once),
      engine.start({ start: { ...once.start, timeout: "10s" } }),
    ]);
    await world.settle();
    const first = await engine.start(once);
    await world.settle();
    desk.last().fail(new Error("the line is dead"));
    await engine.result(first.id);
    expect(await engine.breakers.list()).toMatchObject([{ tool: "line", state: "open" }]);
    await engine.tools.load([defineTool({ name: "line", call: () => "new" })]);
    expect(await engine.breakers.list()).toMatchObject([{ tool: "line", state: "closed", count: 0 }]);
    expect(notices.map(({ kind }) => kind)).toEqual(["breaker_opened", "breaker_closed"]);
    desk.calls[0]?.fail(new Error("of the one before"));
    await world.clock.advance(11_000);
    expect((await engine.result(late.id)).error?.message).toBe("of the one before");
    expect((await engine.result(overdue.id)).error?.code).toBe("timeout");
    expect(await engine.breakers.list()).toMatchObject([{ tool: "line", state: "closed", count: 0 }]);
    expect((await engine.tools.call("line")).result).toBe("new");
    await crash();
    const next = await world.open({ tools: { line: () => "next" }, breaker });
    expect((await next.engine.tools.call("line")).result).toBe("next");
  });

  test("is asked about flows that are saved and started from then on", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools: { work: () => null } });
    const flow = { name: "greet", steps: { start: { tool: "greet", args: { nme: "Ada" }, done: true } } };
    expect((await engine.save(flow)).warnings).toEqual([expect.stringContaining("Unknown tool: greet")]);
    const input = { type: "object", properties: { name: { type: "string" } }, additionalProperties: false };
    await engine.tools.load([defineTool({ name: "greet", input, call: () => "Hello" })]);
    expect(await codeOfRejection(engine.save({ ...flow, description: "again" }))).toBe("FLOW_INVALID");
    expect(await codeOfRejection(engine.save(flow))).toBe("FLOW_INVALID");
    expect((await engine.start("greet")).warnings).toEqual([expect.stringContaining("nme")]);
    await engine.tools.unload("greet");
    expect((await engine.save(flow)).warnings).toEqual([expect.stringContaining("Unknown tool: greet")]);
    expect((await engine.start("greet")).warnings).toEqual([expect.stringContaining("Unknown tool: greet")]);
  });

  test("comes with all others that were given, or none does", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools: { line: () => "old" } });
    const two = [defineTool({ name: "line", call: () => "new" }), defineTool({ name: "line", call: () => "newer" })];
    expect(await codeOfRejection(engine.tools.load(two))).toBe("USAGE");
    expect((await engine.tools.call("line")).result).toBe("old");
  });

  test("is loaded and unloaded by the program alone", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools: { line: () => "old" } });
    await engine.access.save("ann", { keys: ["130001", "tool:*"] });
    const ann = engine.as("ann");
    expect(await codeOfRejection(ann.tools.load({ line: () => "new" }))).toBe("NOT_ALLOWED");
    expect(await codeOfRejection(ann.tools.unload("line"))).toBe("NOT_ALLOWED");
    expect((await ann.tools.call("line")).result).toBe("old");
  });

  test("may be a fake one in a test engine", async () => {
    await using t = await openTestEngine({ tools: { work: () => null } });
    const line = fakeTool("line", "fake");
    await t.tools.load([line]);
    const { id } = await t.start(once);
    expect((await t.result(id)).output).toBe("fake");
    expect(line.calls).toHaveLength(1);
    await t.crash();
    expect((await t.tools.list()).map(({ name }) => name)).toEqual(["work", "line"]);
  });
});

describe("a tool that is unloaded", () => {
  test("AC-41: takes its breaker with it, also from the disk", async () => {
    await using world = createWorld("file");
    const { engine, store } = await world.open({ tools: { "app.line": fail }, breaker: { failures: 1 } });
    await engine.result((await engine.start(once)).id);
    expect(await store.store.listEntries("breaker")).toHaveLength(1);
    expect(await engine.tools.unload("line")).toBe(true);
    expect(await engine.breakers.list()).toEqual([]);
    expect(await store.store.listEntries("breaker")).toEqual([]);
    expect(await engine.tools.unload("line")).toBe(false);
    await engine.tools.load({ "app.line": () => "new" });
    expect((await engine.tools.call("line")).result).toBe("new");
    await engine.tools.load({ "app.line": fail });
    await engine.result((await engine.start(once)).id);
    expect(await engine.breakers.list()).toMatchObject([{ tool: "app.line", state: "open", count: 1 }]);
  });

  test("is missing for steps that come to it, and calls of it under way finish without a breaker", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine, steps } = await world.open({ tools: { line: desk.call }, breaker: { failures: 1 } });
    const [cut, done] = [await engine.start(once), await engine.start(twice)];
    const skipping = await engine.start({
      start: { tool: "line", next: "then" },
      then: { ...once.start, on_missing_tool: "skip" },
    });
    await world.settle();
    await engine.tools.unload("line");
    const [first, second, third] = desk.calls;
    first?.fail(new Error("too late"));
    second?.done("in time");
    third?.done("in time");
    expect((await engine.result(cut.id)).error?.message).toBe("too late");
    expect((await engine.result(done.id)).error?.code).toBe("unknown_tool");
    expect((await engine.result(skipping.id)).status).toBe("completed");
    expect(await steps(skipping.id)).toBe("start done, then skipped");
    expect(await engine.breakers.list()).toEqual([]);
    expect(await codeOfRejection(engine.tools.call("line"))).toBe("INPUT_INVALID");
  });
});
