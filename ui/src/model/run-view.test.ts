import { expect, test } from "vitest";
import { sampleEntry, sampleOutline, sampleRun, sampleStep } from "./run-sample.ts";
import {
  cancellationOf,
  failingRow,
  graphOfRows,
  needsPerson,
  rowsOf,
  showRunOf,
  spansOf,
  stepToShow,
  visitsOf,
} from "./run-view.ts";
import { sampleGraph } from "./graph-sample.ts";
import type { InboxItem } from "./run.ts";

const gate: InboxItem = {
  kind: "gate",
  run: 1,
  workflow: "digest",
  step: 7,
  stepName: "review",
  title: "Publish?",
  message: null,
  hash: "h",
  about: null,
  createdBy: "ann",
  since: 1,
  gate: null,
  actions: [],
  call: null,
  crossroads: null,
  change: null,
};
const failed = { status: "failed", error: { code: "down", message: "It is down" } } as const;

test("a failed run opens on the step that failed last, not on a try that was followed by another", () => {
  const steps = [
    sampleStep({ id: 2, key: "fetch", ...failed, attempt: 1, completedAt: 9000 }),
    sampleStep({ id: 3, key: "fetch", attempt: 2, completedAt: 3000 }),
    sampleStep({ id: 4, key: "send", ...failed, completedAt: 4000 }),
  ];
  const outline = sampleOutline(steps, { run: sampleRun({ status: "failed", terminalKind: "failure" }) });
  expect(failingRow(outline)?.id).toBe(4);
  expect(stepToShow(outline)).toBe("send");
});

test("a failure that a route has taken is none while the run goes on", () => {
  const outline = sampleOutline([sampleStep({ id: 2, key: "fetch", ...failed })]);
  expect(failingRow(outline)).toBeNull();
});

test("what waits for a person is shown before what runs, and nothing of a run that has completed", () => {
  const steps = [
    sampleStep({ id: 6, key: "count", status: "running", completedAt: null }),
    sampleStep({ id: 7, key: "review", tool: null, status: "pending", completedAt: null }),
  ];
  expect(stepToShow(sampleOutline(steps, { waiting: [gate] }))).toBe("review");
  expect(stepToShow(sampleOutline(steps))).toBe("count");
  expect(stepToShow(sampleOutline(steps, { run: sampleRun({ status: "completed" }) }))).toBeNull();
});

test("between two steps the page stays with the one that has just ended", () => {
  expect(stepToShow(sampleOutline([sampleStep({ id: 6, key: "count" }), sampleStep({ id: 7, key: "send" })]))).toBe(
    "send",
  );
});

test("a run waits for a person at a gate, not while a machine rests in a state", () => {
  expect(showRunOf(sampleOutline([], { waiting: [gate] })).word).toBe("waiting");
  expect(needsPerson(sampleOutline([], { waiting: [{ ...gate, kind: "state" }] }))).toBe(false);
  expect(needsPerson(sampleOutline([], { waiting: [gate], run: sampleRun({ status: "cancelled" }) }))).toBe(false);
});

test("tries are told apart by their visit; items and undoings are no tries", () => {
  const steps = [
    sampleStep({ id: 2, key: "loop", visit: 1 }),
    sampleStep({ id: 3, key: "loop", visit: 2, ...failed }),
    sampleStep({ id: 4, key: "loop", visit: 2, attempt: 2 }),
    sampleStep({ id: 5, key: "loop", role: "undo", serves: 2 }),
    sampleStep({ id: 6, key: "loop", role: "item", item: 0 }),
  ];
  const visits = visitsOf(rowsOf(sampleOutline(steps), "loop"));
  expect(visits.map(({ visit, tries }) => [visit, tries.map(({ id }) => id)])).toEqual([
    [1, [2]],
    [2, [3, 4]],
  ]);
});

test("the time in the queue is apart from the time at work", () => {
  const spans = spansOf(sampleStep({ id: 2, key: "a", readyAt: 1000, startedAt: 1400, completedAt: 2000 }));
  expect(spans).toEqual({ queuedMs: 400, from: 1400, to: 2000 });
  expect(
    spansOf(sampleStep({ id: 2, key: "a", readyAt: 1000, startedAt: null, completedAt: null })).queuedMs,
  ).toBeNull();
});

test("a run whose flow cannot be drawn still has a table of its steps", () => {
  const graph = graphOfRows(
    sampleOutline([sampleStep({ id: 2, key: "a" }), sampleStep({ id: 3, key: "a", attempt: 2 })]),
  );
  expect(graph.nodes.map(({ key }) => key)).toEqual(["a"]);
});

test("who has cancelled a run, and why, is told by its history", () => {
  const begun = sampleEntry({ kind: "started" });
  const told = { kind: "event", event: "cancelled", by: "ann" } as const;
  const cancelled = sampleEntry({ ...told, data: { reason: "Not needed" } });
  expect(cancellationOf([begun, cancelled])).toEqual({ by: "ann", reason: "Not needed" });
  expect(cancellationOf([sampleEntry({ ...told, data: { reason: null } })])).toEqual({ by: "ann", reason: null });
  expect(cancellationOf([begun])).toEqual({ by: null, reason: null });
});

test("a run is as what is live in it, and at work as long as anything is", () => {
  const open = { status: "pending", completedAt: null } as const;
  const asleep = sampleStep({ id: 1, key: "nap", ...open, alarms: [{ kind: "sleep", at: 9000 }] });
  const resting = sampleStep({ id: 2, key: "ask", ...open, startedAt: null, attempt: 2, nextTryAt: 9000 });
  const busy = sampleStep({ id: 3, key: "work", status: "running", completedAt: null });
  const event = sampleStep({ id: 4, key: "paid", ...open, tool: null });
  const graph = sampleGraph(["paid > done"], { paid: { kind: "wait", detail: "event paid" } });
  const show = (...steps: readonly (typeof asleep)[]): string => showRunOf(sampleOutline(steps, { graph })).token;
  expect(show(asleep)).toBe("sleeping");
  expect(show(asleep, resting)).toBe("retrying");
  expect(show(asleep, resting, event)).toBe("waiting");
  expect(show(asleep, resting, event, busy)).toBe("running");
  expect(show(sampleStep({ id: 5, key: "a" }))).toBe("running");
});
