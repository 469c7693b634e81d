import { describe, expect, test } from "vitest";
import type { Change } from "./change.ts";
import { foldOutline, foldRun, foldRuns, newestOf } from "./fold.ts";
import type { Outline, Run, Step } from "./run.ts";

const run = { id: 7, name: "a", status: "running", updatedAt: 100, startedAt: 90, completedAt: null } as Run;
const step = { id: 70, status: "ready", startedAt: null, completedAt: null, nextTryAt: null } as Step;
const outline = { run, steps: [step] } as unknown as Outline;

function change(given: Partial<Change>): Change {
  return { run: 7, step: null, name: "a", stepName: null, status: "running", at: 200, ...given };
}

describe("changes that are folded in", () => {
  test("of each run and step the newest counts", () => {
    const told = [change({ step: 70, status: "running" }), change({}), change({ step: 70, status: "done", at: 300 })];
    expect(newestOf(told).map(({ status }) => status)).toEqual(["done", "running"]);
  });

  test("a run that ends has its end", () => {
    expect(foldRun(run, [change({ status: "completed" })])).toMatchObject({ status: "completed", completedAt: 200 });
  });

  test("what is older than what was read changes nothing", () => {
    expect(foldRun(run, [change({ status: "completed", at: 99 })])).toBe(run);
  });

  test("a list of which nothing has changed is the same list", () => {
    const runs = [run];
    expect(foldRuns(runs, [change({ run: 8 })])).toBe(runs);
    expect(foldRuns(runs, [change({ status: "failed" })])[0]?.status).toBe("failed");
  });

  test("a run that is removed goes from lists, and its outline stands until it has been looked for", () => {
    const other = { ...run, id: 8 };
    const gone = [change({ status: "removed" })];
    expect(foldRuns([run, other], gone)).toEqual([other]);
    const kept = [other];
    expect(foldRuns(kept, gone)).toBe(kept);
    expect(foldOutline(outline, gone)).toBe(outline);
  });

  test("a step that has begun and ended has both times, and an end is never taken back", () => {
    const begun = foldOutline(outline, [change({ step: 70, status: "running", at: 210 })]);
    const ended = foldOutline(begun, [change({ step: 70, status: "done", at: 220 })]);
    expect(ended.steps).toMatchObject([{ status: "done", startedAt: 210, completedAt: 220 }]);
    expect(foldOutline(ended, [change({ step: 70, status: "running", at: 210 })]).steps).toEqual(ended.steps);
  });

  test("a run does not end before the steps are there that have begun since it was read", () => {
    const begun = foldOutline(outline, [change({ step: 71, status: "running", at: 210 })]);
    const ended = foldOutline(begun, [change({ step: 71, status: "done" }), change({ status: "completed", at: 220 })]);
    expect(ended.run.status).toBe("running");
    expect(foldOutline(outline, [change({ status: "completed" })]).run.status).toBe("completed");
  });

  test("the outline of another run stays as it is", () => {
    expect(foldOutline(outline, [change({ run: 8, step: 70, status: "done" })])).toBe(outline);
  });
});
