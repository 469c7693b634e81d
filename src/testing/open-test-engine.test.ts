import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { StepwellError } from "../error.ts";
import { outcome } from "../tool/function.ts";
import { codeOfRejection } from "./engine.ts";
import { turnOnce } from "./fake-clock.ts";
import { fakeTool, never, throws } from "./fake-tool.ts";
import { openTestEngine } from "./open-test-engine.ts";
import { areStoresFiles } from "./store-place.ts";

const wait = { start: { wait: "24h", next: "then" }, then: { tool: "work", done: true } };
const read = { start: { tool: "work", effect: "read", done: true } };

describe("the clock of a test engine", () => {
  test("stands still until it is moved", async () => {
    await using t = await openTestEngine({ now: "2026-03-29T09:00:00Z", tools: [fakeTool("work")] });
    const run = await t.start(wait);
    await t.settle();
    expect(t.now).toBe(Date.parse("2026-03-29T09:00:00Z"));
    expect(t.nextAt).toBe(t.now + 86_400_000);
    expect(await t.steps(run.id)).toEqual(["start pending"]);
  });

  test("fires what is due in order, each in its own moment", async () => {
    const work = fakeTool("work");
    await using t = await openTestEngine({ now: 0, tools: [work] });
    const start = (pause: string): Promise<unknown> =>
      t.start({ start: { wait: pause, next: "then" }, then: { tool: "work", args: { pause }, done: true } });
    for (const pause of ["3h", "1h", "2h"]) await start(pause);
    await t.advance("24h");
    expect(work.calls.map(({ input, at }) => [input, at])).toEqual([
      [{ pause: "1h" }, 3_600_000],
      [{ pause: "2h" }, 7_200_000],
      [{ pause: "3h" }, 10_800_000],
    ]);
    expect(t.now).toBe(86_400_000);
  });

  test("lets a chain of waits pass in one go, and ten years are no longer than a day", async () => {
    await using t = await openTestEngine({ now: 0, tools: [fakeTool("work")] });
    const run = await t.start({ start: { wait: "5d", next: "more" }, more: { wait: "3000d", next: "end" } });
    await t.advance("3650d");
    const { completedAt } = await t.get(run.id);
    expect(completedAt).toBe(3005 * 86_400_000);
  });

  test.each(["soon", "", "-1h", -1, Number.NaN, Infinity])("does not let %j pass", async (time) => {
    await using t = await openTestEngine();
    expect(await codeOfRejection(t.advance(time))).toBe("USAGE");
  });
});

describe("settling", () => {
  test("ends when only a tool that hangs, time or a person could move anything", async () => {
    const work = fakeTool("work", never());
    await using t = await openTestEngine({ tools: [work] });
    const hangs = await t.start(read);
    const asks = await t.start({ start: { gate: {}, next: "end" } });
    await t.settle();
    expect([await t.steps(hangs.id), await t.steps(asks.id)]).toEqual([["start running"], ["start pending"]]);
  });

  test("waits for a function that takes real time, and not for one that was told to stop", async () => {
    let isOver = false;
    const work = async (): Promise<number> => {
      for (let turn = 0; turn < 100; turn++) await turnOnce();
      isOver = true;
      return 1;
    };
    const deaf = (): Promise<never> => new Promise(() => {});
    await using t = await openTestEngine({ tools: { work, deaf } });
    const run = await t.start(read);
    await t.settle();
    expect([isOver, await t.steps(run.id)]).toEqual([true, ["start done"]]);
    const stopped = t.start({
      start: { tool: "deaf", effect: "read", timeout: "5s", retry: { attempts: 1 }, done: true },
    });
    const { id } = await stopped;
    await t.cancel(id);
    await t.settle();
    expect((await t.get(id)).status).toBe("cancelled");
  });
});

describe("a crash", () => {
  test.each(["in memory", "of a file"])(
    "cuts calls off, %s, and the next engine goes on from the rows",
    async (place) => {
      const folder = mkdtempSync(join(tmpdir(), "stepwell-"));
      const store = place === "in memory" ? ":memory:" : join(folder, "a.db");
      const work = fakeTool("work", [never(), "of a living one"]);
      {
        await using t = await openTestEngine({ store, tools: [work] });
        const run = await t.start(read);
        const pending = await t.start(wait);
        await t.settle();
        expect(work.hanging).toBe(1);
        const { engine } = t;
        await t.crash();
        expect([work.hanging, t.engine === engine]).toEqual([0, false]);
        await t.settle();
        expect(await t.steps(run.id)).toEqual(["start failed", "start done"]);
        expect((await t.result(run.id)).output).toBe("of a living one");
        const [before, after] = work.calls;
        expect(after).toEqual({ ...before });
        expect(await t.steps(pending.id)).toEqual(["start pending"]);
      }
      expect(existsSync(join(folder, "a.db"))).toBe(place === "of a file");
      rmSync(folder, { recursive: true });
    },
  );

  test("asks a person about a write that may have happened", async () => {
    const work = fakeTool("work", never(), { effect: "write" });
    await using t = await openTestEngine({ tools: [work] });
    const run = await t.start({ start: { tool: "work", done: true } });
    await t.settle();
    await t.crash();
    await t.settle();
    expect((await t.get(run.id)).attention).toMatchObject({ code: "uncertain" });
    await t.resolve((await t.step(run.id, "start")).id, { how: "done", result: "it was there" });
    expect((await t.result(run.id)).output).toBe("it was there");
  });

  test("rejects whoever waited for the one that died", async () => {
    await using t = await openTestEngine({ tools: [fakeTool("work")] });
    const run = await t.start(wait);
    const waiting = codeOfRejection(t.result(run.id));
    await t.settle();
    await t.crash();
    expect(await waiting).toBe("ENGINE_STOPPED");
  });

  test("rejects a start that nobody has waited for", async () => {
    await using t = await openTestEngine({ tools: [fakeTool("work")] });
    const started = codeOfRejection(t.start(wait));
    const saved = codeOfRejection(t.save({ name: "w", steps: wait }));
    await t.crash();
    expect([await started, await saved]).toEqual(["ENGINE_STOPPED", "ENGINE_STOPPED"]);
  });
});

describe("tools that nobody gave", () => {
  const flow = { start: { tool: "feed.fetch", next: "then" }, then: { tool: "other", done: true } };

  test("refuse the start, all at once, with the name that was meant", async () => {
    await using t = await openTestEngine({ tools: [fakeTool("feed.fetsh")] });
    const error = await t.start(flow).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StepwellError);
    expect(error).toMatchObject({
      code: "USAGE",
      message:
        'The flow calls what the test did not give. Unknown tool: feed.fetch. Did you mean "feed.fetsh"? Unknown tool: other.',
      hint: 'Given: feed.fetsh. Add a fakeTool, or open the test engine with missingTools: "echo".',
    });
    expect(await t.list({ status: "all" })).toEqual([]);
  });

  test("refuse a flow that steps start by name when the engine is opened", async () => {
    expect(await codeOfRejection(openTestEngine({ flows: { child: flow } }))).toBe("USAGE");
  });

  test("refuse the start of a saved workflow, of those that it starts, and in the name of a user", async () => {
    await using t = await openTestEngine({
      tools: [fakeTool("feed.fetch")],
      flows: { own: { start: { set: {}, done: true } } },
    });
    await t.save({ name: "inner", steps: flow });
    await t.save({
      name: "outer",
      steps: { go: { flow: "inner", next: "more" }, more: { flow: "outer", done: true } },
    });
    await t.access.save("ann", { keys: ["130001", "tool:*"] });
    const told = "The flow calls what the test did not give. Unknown tool: other.";
    for (const given of ["inner", "inner@1", "outer", { go: { flow: "inner@1", done: true } }, flow]) {
      await expect(t.start(given)).rejects.toMatchObject({ code: "USAGE", message: told });
      await expect(t.as("ann").start(given)).rejects.toMatchObject({ code: "USAGE", message: told });
    }
    expect(await t.list({ status: "all" })).toEqual([]);
    expect(await codeOfRejection(t.start("nobody"))).toBe("WORKFLOW_NOT_FOUND");
    const run = await t.as("ann").start("own");
    expect((await t.as("ann").result(run.id)).status).toBe("completed");
  });

  test("answer with their arguments where the test says so", async () => {
    await using t = await openTestEngine({ missingTools: "echo" });
    const run = await t.start({ start: { tool: "any.thing", args: { a: 1 }, done: true } });
    expect((await t.result(run.id)).output).toEqual({ a: 1 });
  });

  test("fail the step as in a real engine where the test says so", async () => {
    await using t = await openTestEngine({ missingTools: "fail" });
    const run = await t.start(flow);
    await t.settle();
    expect((await t.get(run.id)).error?.code).toBe("unknown_tool");
  });
});

describe("the verbs of a test engine", () => {
  test("read times in UTC, or in the zone that the test wants", async () => {
    const startOf = async (tz: string | undefined): Promise<number | undefined> => {
      await using t = await openTestEngine({
        now: "2026-01-05T08:00:00Z",
        missingTools: "echo",
        ...(tz === undefined ? {} : { tz }),
      });
      const run = await t.start(read, { at: "tomorrow at 9am" });
      return (await t.get(run.id)).alarms.find(({ kind }) => kind === "start")?.at;
    };
    expect(await startOf(undefined)).toBe(Date.parse("2026-01-06T09:00:00Z"));
    expect(await startOf("Europe/Berlin")).toBe(Date.parse("2026-01-06T08:00:00Z"));
    expect(await codeOfRejection(openTestEngine({ tz: "Berlin" }))).toBe("INPUT_INVALID");
  });

  test("are those of the engine, and of the one that lives after a crash", async () => {
    await using t = await openTestEngine({ tools: { work: () => outcome("empty", []) } });
    const run = await t.start({
      start: { tool: "work", routes: { empty: "ask" }, next: "end" },
      ask: { gate: {}, routes: { approved: "end" } },
    });
    await t.settle();
    await t.crash();
    await t.approve((await t.step(run.id, "ask")).id, { by: "ann" });
    expect((await t.result(run.id)).status).toBe("completed");
    expect([t.isOwner, t.problems]).toEqual([true, []]);
    expect(t.store.name).toMatch(areStoresFiles() ? /^:memory:$/ : /^postgres:/);
  });

  test("name the steps that are there when one is missing", async () => {
    await using t = await openTestEngine({ tools: [fakeTool("work")] });
    const run = await t.start(wait);
    await expect(t.step(run.id, "then")).rejects.toThrow(`Run ${run.id} has no step "then"; it has start pending.`);
  });

  test("want a store that nobody else has", async () => {
    const folder = mkdtempSync(join(tmpdir(), "stepwell-"));
    const store = join(folder, "a.db");
    {
      await using first = await openTestEngine({ store });
      expect(first.isOwner).toBe(true);
      expect(await codeOfRejection(openTestEngine({ store }))).toBe("STORE_BUSY");
    }
    rmSync(folder, { recursive: true });
  });
});

describe("a fake tool", () => {
  const flow = { start: { tool: "work", args: { n: 1 }, retry: { attempts: 5, backoff: ["1s"] }, done: true } };

  test("answers in turn, and keeps its calls", async () => {
    const work = fakeTool("work", [throws("one"), throws(new Error("two")), ({ n }: { n: number }) => n + 1]);
    await using t = await openTestEngine({ now: 0, tools: { work } });
    const run = await t.start(flow);
    await t.advance("1m");
    expect((await t.result(run.id)).output).toBe(2);
    const key = work.calls[0]?.idempotencyKey;
    expect(work.calls).toEqual(
      [0, 1000, 2000].map((at, index) => ({
        input: { n: 1 },
        attempt: index + 1,
        idempotencyKey: key,
        at,
        run: run.id,
      })),
    );
  });

  test("fails for good when it is called more often than it has answers", async () => {
    const work = fakeTool("work", [throws("one")]);
    await using t = await openTestEngine({ tools: [work] });
    const run = await t.start(flow);
    await t.advance("1m");
    const message = 'The fake tool "work" was given 1 answer, and this is call 2.';
    expect((await t.result(run.id)).error).toMatchObject({ message: expect.stringContaining(message) as unknown });
  });

  test("that hangs answers when it is released, and is over when nobody waits any more", async () => {
    const work = fakeTool("work", never(), { effect: "read" });
    await using t = await openTestEngine({ tools: [work] });
    const [first, second, third] = [await t.start(read), await t.start(read), await t.start(read)];
    await t.settle();
    expect(work.hanging).toBe(3);
    work.release("one");
    work.release(throws({ code: "gone", message: "It is gone.", isFinal: true }));
    await t.cancel(third.id);
    await t.settle();
    expect(work.hanging).toBe(0);
    expect((await t.result(first.id)).output).toBe("one");
    expect((await t.result(second.id)).error).toMatchObject({ code: "gone" });
    expect(() => work.release()).toThrow('No call of the fake tool "work" hangs.');
  });

  test("may decide by its input, also later, what to do", async () => {
    const work = fakeTool("work", async ({ n }: { n: number }) =>
      n > 0 ? throws({ message: "Too many", isFinal: true }) : n,
    );
    await using t = await openTestEngine({ tools: [work] });
    const run = await t.start(flow);
    await t.settle();
    expect((await t.result(run.id)).error?.message).toContain("Too many");
  });
});
