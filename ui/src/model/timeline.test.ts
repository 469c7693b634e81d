import { expect, test } from "vitest";
import { sampleGraph } from "./graph-sample.ts";
import { sampleHeld, sampleOutline, sampleRun, sampleStep } from "./run-sample.ts";
import { findGaps, makeScale, move, place, ticksOf, wholeWindow, within, zoom } from "./time-scale.ts";
import { buildTimeline, legendOf, sayRow, type Timeline } from "./timeline.ts";

const hour = 3_600_000;

function segmentsOf({ rows }: Timeline): string[][] {
  return rows.map(({ id, segments }) => [
    id,
    ...segments.map(({ kind, token, from, to }) => `${kind} ${token} ${from}-${to}`),
  ]);
}

test("rows are in the order in which steps began, one for each step", () => {
  const steps = [
    sampleStep({ id: 1, key: "late", createdAt: 3000, readyAt: 3000, startedAt: 3000, completedAt: 4000 }),
    sampleStep({ id: 2, key: "early", createdAt: 1000, readyAt: 1000, startedAt: 1200, completedAt: 2000 }),
    sampleStep({ id: 3, key: "early", visit: 2, createdAt: 5000, readyAt: 5000, startedAt: 5000, completedAt: 5500 }),
  ];
  expect(segmentsOf(buildTimeline(sampleOutline(steps), 9000))).toEqual([
    ["early", "queued ready 1000-1200", "running done 1200-2000", "running done 5000-5500"],
    ["late", "running done 3000-4000"],
  ]);
});

test("a step that a crash has cut off was at work by the last sign of life, then cut off somewhere, then works again", () => {
  const error = { code: "interrupted", message: "It may or may not have happened: the engine stopped." };
  const steps = [
    sampleStep({ id: 1, key: "first", completedAt: 1030 }),
    sampleStep({ id: 2, key: "long", status: "failed", error, createdAt: 1030, startedAt: 1030, completedAt: 3400 }),
    sampleStep({ id: 3, key: "side", createdAt: 1030, startedAt: 1030, completedAt: 1400 }),
    sampleStep({
      id: 4,
      key: "long",
      causedBy: 2,
      interruptions: 1,
      createdAt: 3400,
      startedAt: 3400,
      completedAt: 5000,
    }),
  ];
  const timeline = buildTimeline(sampleOutline(steps, { run: sampleRun({ status: "completed" }) }), 9000);
  expect(segmentsOf(timeline)[1]).toEqual([
    "long",
    "cut running 1030-1400",
    "lost running 1400-3400",
    "running done 3400-5000",
  ]);
  expect(timeline.rows[1]?.shown.word).toBe("done");
  expect(legendOf(timeline).map(({ word }) => word)).toEqual(["done", "at work", "cut off somewhere here"]);
});

test("a long time in which the process was down is told apart from waiting", () => {
  const error = { code: "interrupted", message: "The engine stopped." };
  const steps = [
    sampleStep({ id: 2, key: "long", status: "failed", error, completedAt: 2 * hour }),
    sampleStep({ id: 4, key: "long", createdAt: 2 * hour, startedAt: 2 * hour, completedAt: 2 * hour + 50 }),
  ];
  expect(findGaps(buildTimeline(sampleOutline(steps), 2 * hour + 60)).map(({ text }) => text)).toEqual([
    "2 h, cut off in here",
  ]);
});

test("without any sign of life nothing says until when it was at work", () => {
  const error = { code: "interrupted", message: "The engine stopped." };
  const cut = sampleStep({ id: 2, key: "long", status: "failed", error, completedAt: 2600 });
  const timeline = buildTimeline(sampleOutline([cut]), 3000);
  expect(segmentsOf(timeline)).toEqual([["long", "lost running 1000-2600"]]);
  expect(timeline.rows[0]?.segments[0]?.title).toContain("somewhere here");
});

test("the legend names what is drawn, and nothing else", () => {
  const steps = [
    sampleStep({ id: 1, key: "a", readyAt: 1000, startedAt: 1200 }),
    sampleStep({ id: 2, key: "b", status: "failed" }),
    sampleStep({ id: 3, key: "c", status: "running", completedAt: null }),
  ];
  const words = legendOf(buildTimeline(sampleOutline(steps), 3000)).map(({ word }) => word);
  expect(words).toEqual(["done", "failed", "running", "queued"]);
});

test("tries of one step are parts of one bar with the back-off between them", () => {
  const steps = [
    sampleStep({ id: 1, key: "ask", status: "failed", completedAt: 1100 }),
    sampleStep({
      id: 2,
      key: "ask",
      attempt: 2,
      attemptsMax: 3,
      status: "failed",
      createdAt: 1100,
      readyAt: 2100,
      startedAt: 2150,
      completedAt: 2200,
    }),
    sampleStep({
      id: 3,
      key: "ask",
      attempt: 3,
      attemptsMax: 3,
      status: "pending",
      createdAt: 2200,
      readyAt: null,
      startedAt: null,
      completedAt: null,
      nextTryAt: 5000,
    }),
  ];
  const timeline = buildTimeline(sampleOutline(steps), 3000);
  expect(segmentsOf(timeline)).toEqual([
    [
      "ask",
      "running failed 1000-1100",
      "backoff retrying 1100-2100",
      "queued ready 2100-2150",
      "running failed 2150-2200",
      "backoff retrying 2200-3000",
    ],
  ]);
  expect(timeline.rows[0]).toMatchObject({ tries: 3, endedAt: null, shown: { word: "retrying" } });
});

test("waiting for a person, for an event and for an instant are told apart", () => {
  const graph = sampleGraph(["gate > nap", "nap > event"], {
    gate: { kind: "gate" },
    nap: { kind: "wait", detail: "sleep 1h" },
    event: { kind: "wait", detail: "event paid" },
  });
  const steps = ["gate", "nap", "event"].map((key, at) => sampleStep({ id: at, key }));
  const rows = buildTimeline(sampleOutline(steps, { graph }), 2000).rows;
  expect(rows.map(({ segments }) => `${segments[0]?.kind} ${segments[0]?.token}`)).toEqual([
    "waiting waiting",
    "waiting sleeping",
    "waiting waiting",
  ]);
});

test("what goes on ends now, even when the clock of whoever looks is behind", () => {
  const steps = [
    sampleStep({
      id: 1,
      key: "a",
      status: "running",
      startedAt: 5000,
      createdAt: 4000,
      readyAt: 4000,
      completedAt: null,
    }),
  ];
  expect(buildTimeline(sampleOutline(steps), 9000).to).toBe(9000);
  expect(buildTimeline(sampleOutline(steps), 100).to).toBe(5000);
  const ended = sampleRun({ status: "completed", completedAt: 6000 });
  expect(buildTimeline(sampleOutline([sampleStep({ id: 1, key: "a" })], { run: ended }), 9e9)).toMatchObject({
    to: 6000,
    isLive: false,
  });
});

test("a scheduled run begins when it started, not when it was made", () => {
  const run = sampleRun({ createdAt: 0, startedAt: 50_000 });
  const steps = [
    sampleStep({ id: 1, key: "a", createdAt: 0, readyAt: 50_000, startedAt: 50_000, completedAt: 51_000 }),
  ];
  expect(segmentsOf(buildTimeline(sampleOutline(steps, { run }), 60_000))).toEqual([["a", "running done 50000-51000"]]);
});

test("what begins later is not queued: it has no row until then", () => {
  const run = sampleRun({ status: "scheduled", createdAt: 0, startedAt: null, scheduledAt: 90_000 });
  const alarms = [{ kind: "start", at: 90_000 }];
  const step = sampleStep({
    id: 1,
    key: "a",
    status: "pending",
    alarms,
    readyAt: null,
    startedAt: null,
    completedAt: null,
  });
  expect(buildTimeline(sampleOutline([step], { run }), 60_000).rows).toEqual([]);
});

test("a step after which nothing says what follows goes on waiting for a person", () => {
  const step = sampleStep({ id: 1, key: "look", isHeld: true });
  const waiting = [sampleHeld(1)];
  const timeline = buildTimeline(sampleOutline([step], { waiting }), 5000);
  expect(segmentsOf(timeline)).toEqual([["look", "running done 1000-2000", "waiting waiting 2000-5000"]]);
  expect(timeline.rows[0]).toMatchObject({ endedAt: null, shown: { token: "waiting", word: "waiting" } });
});

test("a step in which the run ends as a failure is a failure, however short it was", () => {
  const graph = sampleGraph(["send > tell"], { tell: { kind: "end", ending: "failure" } });
  const steps = [
    sampleStep({ id: 1, key: "send" }),
    sampleStep({ id: 2, key: "tell", causedBy: 1, createdAt: 2000, readyAt: 2000, startedAt: null, completedAt: 2000 }),
  ];
  const run = sampleRun({ status: "failed", completedAt: 2000 });
  const timeline = buildTimeline(sampleOutline(steps, { graph, run }), 9000);
  expect(segmentsOf(timeline)[1]).toEqual(["tell", "running failed 2000-2000"]);
  expect(timeline.rows[1]?.shown).toEqual({ token: "failed", word: "failure" });
});

test("undoings have rows of their own; items have none", () => {
  const steps = [
    sampleStep({ id: 1, key: "pay" }),
    sampleStep({ id: 2, key: "pay", role: "undo" }),
    sampleStep({ id: 3, key: "pay", role: "item" }),
  ];
  expect(buildTimeline(sampleOutline(steps), 3000).rows.map(({ name }) => name)).toEqual(["pay", "pay (undo)"]);
});

test("a row is read aloud with its start and how long it took", () => {
  const step = sampleStep({ id: 1, key: "fetch", createdAt: 1000, startedAt: 1200, completedAt: 2400 });
  const timeline = buildTimeline(sampleOutline([step]), 3000);
  const [row] = timeline.rows;
  expect(row === undefined ? "" : sayRow(row, timeline)).toBe(
    "fetch, done, started 200 milliseconds after the beginning, took 1.2 seconds",
  );
});

test("what is said of a row that goes on does not change with the time", () => {
  const step = sampleStep({
    id: 1,
    key: "fetch",
    status: "running",
    createdAt: 1000,
    startedAt: 1200,
    completedAt: null,
  });
  const outline = sampleOutline([step], { run: sampleRun({ status: "running", completedAt: null }) });
  const said = [3000, 9000].map((now) => {
    const timeline = buildTimeline(outline, now);
    return timeline.rows.map((row) => sayRow(row, timeline));
  });
  expect(said[0]).toEqual(["fetch, running, started 200 milliseconds after the beginning"]);
  expect(said[1]).toEqual(said[0]);
});

const gateGraph = sampleGraph(["a > gate", "gate > b"], { gate: { kind: "gate" } });

function waited(ms: number): Timeline {
  const steps = [
    sampleStep({ id: 1, key: "a", completedAt: 2000 }),
    sampleStep({ id: 2, key: "gate", createdAt: 2000, startedAt: 2000, completedAt: 2000 + ms }),
    sampleStep({
      id: 3,
      key: "b",
      createdAt: 2000 + ms,
      readyAt: 2000 + ms,
      startedAt: 2000 + ms,
      completedAt: 3000 + ms,
    }),
  ];
  const run = sampleRun({ status: "completed", completedAt: 3000 + ms });
  return buildTimeline(sampleOutline(steps, { graph: gateGraph, run }), 0);
}

test("more than a minute in which nothing was at work is a gap, with its length in words", () => {
  expect(findGaps(waited(60_000))).toEqual([]);
  expect(findGaps(waited(52 * hour))).toEqual([{ from: 2000, to: 2000 + 52 * hour, text: "2 d 4 h waiting" }]);
});

test("there is no gap while another step is at work", () => {
  const steps = [
    sampleStep({ id: 1, key: "gate", startedAt: 1000, completedAt: 1000 + hour }),
    sampleStep({ id: 2, key: "a", startedAt: 1000, completedAt: 1000 + hour }),
  ];
  expect(findGaps(buildTimeline(sampleOutline(steps, { graph: gateGraph }), 1000 + hour))).toEqual([]);
});

test("a gap takes a small part of the line, and what is around it keeps its proportions", () => {
  const scale = makeScale(waited(52 * hour));
  expect(place(scale, 1000)).toBe(0);
  expect(place(scale, 2000)).toBeCloseTo(0.415);
  expect(place(scale, 2000 + 52 * hour)).toBeCloseTo(0.585);
  expect(place(scale, 2500 + 52 * hour)).toBeCloseTo(0.7925);
  expect(place(scale, 9e15)).toBeCloseTo(1);
  expect(place(scale, 0)).toBe(0);
});

test("a run that has only waited is one gap; many gaps share half of the line", () => {
  const step = sampleStep({ id: 1, key: "gate", status: "pending", completedAt: null });
  const scale = makeScale(buildTimeline(sampleOutline([step], { graph: gateGraph }), 1000 + hour));
  expect(scale.pieces.map(({ start, end }) => [start, end])).toEqual([[0, 1]]);
  const steps = Array.from({ length: 20 }, (_none, at) =>
    sampleStep({
      id: at,
      key: `s${at}`,
      createdAt: 1000 + at * hour,
      readyAt: null,
      startedAt: 1000 + at * hour,
      completedAt: 2000 + at * hour,
    }),
  );
  const many = makeScale(buildTimeline(sampleOutline(steps), 2000 + 19 * hour));
  expect(many.gaps).toHaveLength(19);
  const share = many.pieces.filter(({ gap }) => gap !== null).reduce((sum, { start, end }) => sum + end - start, 0);
  expect(share).toBeCloseTo(0.5);
});

test("ticks are few, at round times, in order, and never in a gap", () => {
  const scale = makeScale(waited(52 * hour));
  const ticks = ticksOf(scale, wholeWindow);
  expect(ticks.length).toBeGreaterThan(2);
  expect(ticks.length).toBeLessThan(13);
  expect(ticks[0]).toMatchObject({ position: 0, text: "0" });
  expect(ticks.filter(({ position }) => position > 0.416 && position < 0.584)).toEqual([]);
  expect(ticks.map(({ position }) => position)).toEqual(
    ticks.map(({ position }) => position).toSorted((one, other) => one - other),
  );
});

test("beyond a gap instants are told by how long after it they are, and none reads like another", () => {
  const scale = makeScale(waited(20 * 60_000 + 29_100));
  const texts = ticksOf(scale, wholeWindow).map(({ text }) => text);
  expect(new Set(texts).size).toBe(texts.length);
  const [first = 0] = texts.flatMap((text, at) => (text.startsWith("20 m") ? [at] : []));
  expect(first).toBeGreaterThan(0);
  expect(texts.slice(first + 1).every((text) => /^\+[\d.]+ m?s$/.test(text))).toBe(true);
  // Without a gap, from close by.
  const long = sampleStep({ id: 1, key: "a", completedAt: 1000 + hour });
  const whole = makeScale(buildTimeline(sampleOutline([long], { run: sampleRun({ status: "completed" }) }), 0));
  const close = ticksOf(whole, { from: 0.5, to: 0.5005 }).map(({ text }) => text);
  expect(close[1]).toMatch(/^\+/);
});

test("to zoom keeps the instant under the pointer, and neither zoom nor move leaves the line", () => {
  const closer = zoom(wholeWindow, 0.5, 0.25);
  expect(within(closer, 0.25)).toBeCloseTo(0.25);
  expect(closer.to - closer.from).toBeCloseTo(0.5);
  expect(zoom(closer, 100, 0.9)).toEqual(wholeWindow);
  expect(move(closer, 100)).toEqual({ from: 0.5, to: 1 });
  expect(move(closer, -100)).toEqual({ from: 0, to: 0.5 });
});

test("a thousand steps make a thousand rows", () => {
  const steps = Array.from({ length: 1000 }, (_none, at) =>
    sampleStep({ id: at, key: `s${at}`, createdAt: 1000 + at, startedAt: 1000 + at, completedAt: 1001 + at }),
  );
  expect(buildTimeline(sampleOutline(steps), 5000).rows).toHaveLength(1000);
});
