import { describe, expect, test } from "vitest";
import { createDesk, createWorld } from "../testing/engine.ts";
import { toTimeoutMs } from "./timeout.ts";

describe("how long to wait", () => {
  test.each([
    [{}, undefined],
    [{ timeout: "5m" }, 300_000],
    [{ timeout: "1h30m" }, 5_400_000],
    [{ timeout: "PT5S" }, 5000],
    [{ timeoutMs: 250 }, 250],
    [{ timeoutMs: 0 }, 0],
    [{ timeoutMs: Number.POSITIVE_INFINITY }, Number.POSITIVE_INFINITY],
  ])("%o is understood", (given, ms) => {
    expect(toTimeoutMs(given)).toBe(ms);
  });

  const given: Readonly<Record<string, object>> = {
    'timeout must be a duration such as "30s", "5m" or "1h30m", not "soon".': { timeout: "soon" },
    'timeout must be a duration such as "30s", "5m" or "1h30m", not "".': { timeout: "" },
    'timeout must be a duration such as "30s", "5m" or "1h30m", not "-5m".': { timeout: "-5m" },
    'timeout must be a duration such as "30s", "5m" or "1h30m", not 300000.': { timeout: 300_000 },
    'timeout must be a duration such as "30s", "5m" or "1h30m", not null.': { timeout: null },
    "timeoutMs must be milliseconds from 0 on, not -1.": { timeoutMs: -1 },
    "timeoutMs must be milliseconds from 0 on, not NaN.": { timeoutMs: Number.NaN },
    "timeoutMs must be milliseconds from 0 on, not 5m.": { timeoutMs: "5m" },
    "Both timeout and timeoutMs are given; give one of them.": { timeout: "5m", timeoutMs: 300_000 },
  };
  test.each(Object.entries(given))("%s", (message, options) => {
    expect(() => toTimeoutMs(options)).toThrow(expect.objectContaining({ code: "USAGE", message }));
  });

  test("is told to whoever waits for a run or a call, which both go on", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine } = await world.open({ tools: { work: desk.call } });
    const { id } = await engine.start({ start: { tool: "work", done: true } });
    const result = engine.result(id, { timeout: "20s" }).catch((error: unknown) => error);
    const called = engine.tools.call("work", {}, { timeout: "20s" }).catch((error: unknown) => error);
    await world.clock.advance(19_000);
    expect(desk.calls).toHaveLength(2);
    await world.clock.advance(1000);
    expect(await result).toMatchObject({ code: "WAIT_TIMED_OUT" });
    expect(await called).toMatchObject({ code: "WAIT_TIMED_OUT" });
    await expect(engine.result(id, { timeout: "a while" })).rejects.toMatchObject({ code: "USAGE" });
    await expect(engine.tools.call("work", {}, { timeout: "a while" })).rejects.toMatchObject({ code: "USAGE" });
    expect(desk.calls).toHaveLength(2);
    desk.calls[0]?.done("late");
    expect((await engine.result(id, { timeout: "1s" })).output).toBe("late");
  });
});
