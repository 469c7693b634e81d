import { describe, expect, test } from "vitest";
import { codeOfRejection, createDesk, createWorld } from "../testing/engine.ts";
import { areStoresFiles } from "../testing/store-place.ts";
import { createBreakerRules } from "./breaker-rules.ts";
import { systemClock } from "./clock.ts";
import type { Notice } from "./notice.ts";

const once = { start: { tool: "line", retry: false, done: true } };

function fail(): never {
  throw new Error("the line is dead");
}

describe("the settings of breakers", () => {
  test("AC-41: are three failures and five minutes, for all tools or for one", () => {
    expect(createBreakerRules()("line")).toEqual({ failures: 3, openMs: 300_000 });
    const rules = createBreakerRules({ failures: 5, perTool: { line: { openMs: 1000 }, log: false } });
    expect(rules("line")).toEqual({ failures: 5, openMs: 1000 });
    expect(rules("log")).toBeNull();
    expect(rules("other")).toEqual({ failures: 5, openMs: 300_000 });
    expect(createBreakerRules(false)("line")).toBeNull();
  });

  test.each([
    [{ failures: 0 }, "breaker.failures must be a whole number from 1 on, not 0."],
    [{ failures: 1.5 }, "breaker.failures must be a whole number from 1 on, not 1.5."],
    [{ openMs: -1 }, "breaker.openMs must be milliseconds, from 0 to 31536000000, not -1."],
    [
      { perTool: { line: { openMs: Number.POSITIVE_INFINITY } } },
      'breaker.perTool["line"].openMs must be milliseconds, from 0 to 31536000000, not Infinity.',
    ],
  ])("%o are refused", (options, message) => {
    expect(() => createBreakerRules(options)).toThrow(message);
  });

  test("AC-41: hold from the next start on, also for what was kept before", async () => {
    await using world = createWorld("file");
    const desk = createDesk();
    const first = await world.open({ tools: { line: fail }, breaker: { failures: 1 } });
    await first.engine.result((await first.engine.start(once)).id);
    expect(await first.engine.breakers.list()).toMatchObject([{ state: "open", count: 1 }]);
    await first.engine.stop();
    const without = await world.open({ tools: { line: desk.call }, breaker: { perTool: { line: false } } });
    expect(await without.engine.breakers.list()).toEqual([]);
    await without.engine.start(once);
    await world.settle();
    expect(desk.calls).toHaveLength(1);
    await without.crash();
    const shorter = await world.open({ tools: { line: desk.call }, breaker: { openMs: 1000 } });
    await world.clock.advance(1000);
    expect(await shorter.engine.breakers.list()).toMatchObject([{ state: "half_open", count: 1 }]);
  });
});

describe("a breaker that is reset", () => {
  test("AC-41: lets all calls through at once, and is told of", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const notices: Notice[] = [];
    const onNotice = (notice: Notice): void => void notices.push(notice);
    const { engine } = await world.open({ tools: { line: desk.call }, breaker: { failures: 1 }, onNotice });
    await engine.start(once);
    await world.settle();
    desk.last().fail(new Error("down"));
    await world.settle();
    expect(await engine.breakers.reset("line")).toBe(true);
    expect(await engine.breakers.list()).toEqual([
      { tool: "line", state: "closed", count: 0, lastError: null, openedAt: null, openUntil: null, isTesting: false },
    ]);
    expect(notices.map(({ kind, run }) => [kind, run === null])).toEqual([
      ["breaker_opened", false],
      ["breaker_closed", true],
    ]);
    expect(notices[1]?.message).toBe(
      'The tool "line", which had failed once, is called again: local has closed its circuit. The last error: down',
    );
    await engine.start(once);
    await engine.start(once);
    await world.settle();
    expect(desk.calls).toHaveLength(3);
  });

  test("that was never made is none", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools: { line: fail } });
    expect(await engine.breakers.reset("line")).toBe(false);
    expect(await engine.breakers.list()).toEqual([]);
  });

  test("can be reset by a guest, who sees the same", async () => {
    await using world = createWorld("file");
    // They find each other by looking, on the system's own clock.
    const owner = await world.open({ clock: systemClock, tools: { line: fail }, breaker: { failures: 1 } });
    const guest = await world.open({ clock: systemClock });
    expect(guest.engine.isOwner).toBe(false);
    await owner.engine.result((await owner.engine.start(once)).id);
    expect(await guest.engine.breakers.list()).toEqual(await owner.engine.breakers.list());
    expect(await guest.engine.breakers.reset("line")).toBe(true);
    expect(await owner.engine.breakers.list()).toMatchObject([{ state: "closed", count: 0 }]);
  });
});

describe("whoever listens for notices", () => {
  test.each([
    ["throws", fail],
    ["rejects", () => Promise.reject(new Error("the line is dead"))],
  ])("and %s disturbs nothing, and is told of as a problem", async (_how, onNotice) => {
    await using world = createWorld("memory");
    const { engine, problems } = await world.open({ tools: { line: fail }, breaker: { failures: 1 }, onNotice });
    await engine.result((await engine.start(once)).id);
    await world.settle();
    expect(problems.map(({ message }) => message)).toEqual([
      "What was given as onNotice has thrown: Error: the line is dead",
    ]);
    expect(await engine.breakers.list()).toMatchObject([{ state: "open" }]);
  });

  test("is told when it is on disk, not before", async () => {
    await using world = createWorld("memory");
    const seen: string[] = [];
    const { engine, store } = await world.open({
      tools: { line: fail },
      breaker: { failures: 1 },
      onNotice: ({ kind }) => void seen.push(kind),
    });
    store.faults.afterCommit = (committed, { entries }) => {
      if (entries.length > 0) seen.push("written");
      return committed;
    };
    await engine.result((await engine.start(once)).id);
    await world.settle();
    expect(seen).toEqual(["written", "breaker_opened"]);
  });

  test("is not told of what could not be written, and the engine has stopped", async ({ skip }) => {
    if (!areStoresFiles()) skip("an engine does not stop with a server: it claims the store again, and writes it anew");
    await using world = createWorld("memory");
    const seen: string[] = [];
    const { engine, store } = await world.open({
      tools: { line: fail },
      breaker: { failures: 1 },
      onNotice: ({ kind }) => void seen.push(kind),
    });
    store.faults.beforeCommit = ({ entries }) =>
      entries.length > 0 ? { kind: "unknown", message: "nobody knows" } : undefined;
    const { id } = await engine.start(once);
    expect(await codeOfRejection(engine.result(id))).toBe("OUTCOME_UNKNOWN");
    await world.settle();
    expect(seen).toEqual([]);
  });
});
