import { describe, expect, test } from "vitest";
import { openEngine } from "../open-engine.ts";
import { createDesk, createWorld, type World } from "../testing/engine.ts";
import { createTimeResolver, toClockTime, toInstant, toZone } from "./instant.ts";

/** The clock of the tests' world begins on Monday, 5 January 2026, at 08:00 UTC: 03:00 in New York. */
const now = Date.parse("2026-01-05T08:00:00Z");
const oneStep = { start: { tool: "work", done: true } };

function atOf(text: string): number {
  return Date.parse(text);
}

/** Days pass by setting the clock; the last few seconds pass as they do, since the engine looks every second. */
async function passUntil({ clock }: World, at: number): Promise<void> {
  clock.jump(Math.max(0, at - clock.now() - 3000));
  await clock.advance(at - clock.now());
}

async function problemOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => "no problem",
    ({ code, message, hint }: { code: string; message: string; hint: string }) => ({ code, message, hint }),
  );
}

describe("a start at an instant", () => {
  test.each([
    ["in 30 minutes", "2026-01-05T08:30:00Z"],
    ["tomorrow at 2pm", "2026-01-06T19:00:00Z"],
    ["tomorrow at 9am", "2026-01-06T14:00:00Z"],
    ["next monday 9am", "2026-01-12T14:00:00Z"],
    ["tomorrow at 9am Europe/Berlin", "2026-01-06T08:00:00Z"],
    ["2026-01-05T09:00", "2026-01-05T14:00:00Z"],
    ["1767700800", "2026-01-06T12:00:00Z"],
    [1_767_700_800, "2026-01-06T12:00:00Z"],
    [1_767_700_800_000, "2026-01-06T12:00:00Z"],
    [new Date("2026-01-06T12:00:00Z"), "2026-01-06T12:00:00Z"],
  ])("E3-14, E3-38: is scheduled for it: %s", async (at, expected) => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine, steps } = await world.open({ tools: { work: desk.call }, zone: "America/New_York" });
    const { id, status } = await engine.start(oneStep, { at });
    expect(status).toBe("scheduled");
    expect((await engine.get(id)).alarms).toEqual([{ kind: "start", at: atOf(expected) }]);
    expect(await steps(id)).toBe("start pending");
    await passUntil(world, atOf(expected) - 1);
    expect((await engine.get(id)).status).toBe("scheduled");
    await passUntil(world, atOf(expected));
    expect((await engine.get(id)).status).toBe("running");
    desk.last().done("well");
    expect(await engine.result(id)).toMatchObject({ status: "completed", output: "well" });
  });

  test("is read in the zone that the caller gives", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools: { work: () => null }, zone: "America/New_York" });
    const { id } = await engine.start(oneStep, { at: "tomorrow at 9am", tz: "Asia/Kolkata" });
    expect((await engine.get(id)).alarms).toEqual([{ kind: "start", at: atOf("2026-01-06T03:30:00Z") }]);
  });

  test.each([
    [{ at: "today at 2am" }, "Mon 5 Jan 2026, 02:00 EST (America/New_York), and that is over", "tomorrow at 9am"],
    [{ at: "every monday at 9am" }, "comes again and again", "next monday 9am"],
    [{ at: "tomorrow" }, "does not say at what time", "tomorrow at 9am"],
    [{ at: 17 }, "17 is no unix time", "10 digits"],
    [{ at: new Date(Number.NaN) }, '"Invalid Date"', "Write it like"],
    [{ at: new Date(now - 61_000) }, "and that is over", "tomorrow at 9am"],
    [{ at: "tomorrow at 9am", tz: "Europe/Berln" }, '"Europe/Berln" is no time zone', "Europe/Berlin"],
    [{ tz: "Mars/Phobos" }, '"Mars/Phobos" is no time zone', "UTC"],
  ])("is refused with the reason, and nothing is written: %j", async (options, message, hint) => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools: { work: () => null }, zone: "America/New_York" });
    expect(await problemOf(engine.start(oneStep, options))).toEqual({
      code: "INPUT_INVALID",
      message: expect.stringContaining(message),
      hint: expect.stringContaining(hint),
    });
    expect(await engine.list({ status: "all" })).toEqual([]);
  });
});

describe("an engine", () => {
  test("is not opened in a zone that nobody knows", async () => {
    const opening = openEngine({ store: ":memory:", tz: "Europe/Berln" });
    expect(await problemOf(opening)).toMatchObject({ code: "INPUT_INVALID", hint: "Did you mean Europe/Berlin?" });
  });

  test("reads times in the zone that it was opened with", async () => {
    await using engine = await openEngine({ store: ":memory:", tz: "UTC+2", tools: { work: () => null } });
    const { id } = await engine.start(oneStep, { at: "tomorrow at 00:30" });
    const [alarm] = (await engine.get(id)).alarms;
    expect(new Date(alarm?.at ?? 0).toISOString()).toContain("T22:30:00.000Z");
  });

  test("reads them in the machine's zone when none was given", () => {
    const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
    expect(toZone(undefined)).toBeNull();
    expect(toInstant("noon", { now, zone: null })).toBe(toInstant("noon", { now, zone }));
    expect(createTimeResolver(null)("noon", null, now)).toEqual(createTimeResolver(zone)("noon", null, now));
  });
});

describe("a wait until an instant", () => {
  const flow = {
    start: { wait: { until: "{{ input.at }}" }, next: "berlin" },
    berlin: { wait: { until: "tomorrow at 9am", zone: "Europe/Berlin" }, done: true },
  };

  test("E3-40: in words is understood once, in its zone or the engine's, and survives the engine", async () => {
    await using world = createWorld("file");
    const first = await world.open({ zone: "America/New_York" });
    const { id } = await first.engine.start(flow, { input: { at: "today at 9am" } });
    await world.settle();
    expect((await first.row(id, "start")).alarms).toEqual([{ kind: "sleep", at: atOf("2026-01-05T14:00:00Z") }]);
    await first.crash();
    const second = await world.open({ zone: "Asia/Kolkata" });
    await passUntil(world, atOf("2026-01-05T14:00:00Z"));
    expect(await second.steps(id)).toBe("start done, berlin pending");
    expect((await second.row(id, "berlin")).alarms).toEqual([{ kind: "sleep", at: atOf("2026-01-06T08:00:00Z") }]);
    await passUntil(world, atOf("2026-01-06T08:00:00Z"));
    expect(await second.engine.result(id)).toMatchObject({ status: "completed" });
  });

  test.each([
    ["today at 2am", "start done, berlin pending"],
    [1_767_513_600, "start done, berlin pending"],
    ["soon", "start failed"],
    [17, "start failed"],
  ])("that is over ends at once; what is not understood fails: %j", async (at, expected) => {
    await using world = createWorld("memory");
    const { engine, steps } = await world.open({ zone: "America/New_York" });
    const { id } = await engine.start(flow, { input: { at } });
    await world.settle();
    expect(await steps(id)).toBe(expected);
  });

  test("says why it was not understood", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    const { id } = await engine.start(flow, { input: { at: "every monday" } });
    expect((await engine.result(id)).error).toMatchObject({
      code: "bad_time",
      message: '"start" cannot wait: "every monday" comes again and again; one instant is needed here.',
    });
  });
});

describe("a clock of a test", () => {
  test.each([
    [undefined, null],
    [0, 0],
    ["2001-01-01", 978_307_200_000],
    [new Date(12), 12],
  ])("is set to any instant: %s", (at, expected) => {
    expect(toClockTime(at)).toBe(expected);
  });

  test("is not set by words", () => {
    expect(() => toClockTime("tomorrow at 9am")).toThrow("write it as");
    expect(() => toClockTime(Number.NaN)).toThrow("write it as");
  });
});
