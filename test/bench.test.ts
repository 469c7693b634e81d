import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseArguments } from "../bench/arguments.ts";
import { completeRuns, openBenchEngine } from "../bench/bench-engine.ts";
import { checkRows, countRows } from "../bench/count-rows.ts";
import { chainFlow } from "../bench/flows.ts";
import { fillFinished } from "../bench/growth/finished.ts";
import { mergeMeasurements, toLine, type Line, type Measurement } from "../bench/measurement.ts";
import { fromPeerLines } from "../bench/peers.ts";
import { measureGrowth, measureWorkloads, type Measure } from "../bench/plan.ts";
import { replacePart } from "../bench/report/page.ts";
import { drawPlot } from "../bench/report/plot.ts";
import { lineTable, peerTable, toMarkdown, toText } from "../bench/report/table.ts";
import { judge } from "../bench/report/targets.ts";
import { runChild } from "../bench/run-child.ts";
import { tinySizes } from "../bench/sizes.ts";
import { median, percentile } from "../bench/statistics.ts";
import { measure, type Task } from "../bench/task.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stepwell-bench-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const sizes = { ...tinySizes, repeats: 2 };
const measureHere: Measure = (task: Task) => measure({ task, folder, sizes });

function line(subject: string, workload: string, value: number, notes: Line["notes"] = {}): Line {
  const unit = workload.startsWith("W2") || workload.startsWith("W3") ? "ms" : "steps/s";
  return { subject, workload, unit, value, runs: [value], min: value, max: value, foreign_cpu_pct: [0], notes };
}

describe("what is measured", () => {
  test("every workload counts its rows and answers with one value for each repetition", async () => {
    const lines = await measureWorkloads({ sizes, only: [], measure: measureHere });
    const found = Object.fromEntries(lines.map(({ workload, runs }) => [workload, runs.length]));
    expect(found).toEqual({
      W1: 2,
      W1j: 2,
      W2: 2,
      "W3-5": 2,
      W4: 2,
      W5: 1,
      fdatasync: 3,
      "sqlite-1": 3,
      "sqlite-100": 3,
      "sqlite-1000": 3,
    });
    for (const { value } of lines) expect(value).toBeGreaterThan(0);
    const w1 = lines.find(({ workload }) => workload === "W1");
    expect(w1?.notes).toMatchObject({ completedRuns: 20, doneSteps: 60 });
    expect(readdirSync(folder)).toEqual([]);
  });

  test("files that have grown are counted as well", async () => {
    const lines = await measureGrowth({ sizes, only: [], measure: measureHere }, folder);
    expect(lines.map(({ workload }) => workload)).toEqual([
      "finished-1",
      "finished-10",
      "finished-50",
      "schedule",
      "due-of-0",
      "due-of-50",
      "each-20",
      "unbounded",
      "budget",
    ]);
    for (const { value } of lines) expect(value).toBeGreaterThanOrEqual(0);
  });

  test("a child of its own answers the same way", async () => {
    const measured = await runChild({ task: { kind: "solo" }, folder, sizes });
    expect(measured).toMatchObject({ workload: "W2", unit: "ms", notes: { completedRuns: 3, doneSteps: 9 } });
    expect(measured.values).toHaveLength(2);
  });

  test("only what is named is measured", async () => {
    const lines = await measureWorkloads({ sizes, only: ["W2"], measure: measureHere });
    expect(lines.map(({ workload }) => workload)).toEqual(["W2"]);
  });
});

describe("the count of rows", () => {
  test("rows that are missing or too many are an error", async () => {
    const file = join(folder, "count.db");
    {
      await using engine = await openBenchEngine(file);
      await completeRuns(engine, chainFlow(3), 4);
    }
    const counts = checkRows(file, { completedRuns: 4, doneSteps: 12 });
    expect(counts.commits).toBeGreaterThan(0);
    expect(() => checkRows(file, { completedRuns: 5, doneSteps: 12 })).toThrow('runs {"completed":4}');
    expect(() => checkRows(file, { completedRuns: 4, doneSteps: 11 })).toThrow('steps {"done":12}');
    expect(() => checkRows(file, { completedRuns: 4, doneSteps: 12, scheduledRuns: 1 })).toThrow("scheduled");
  });

  test("copied runs are runs as the engine makes them", async () => {
    const file = join(folder, "copies.db");
    await fillFinished(file, 20, sizes);
    expect(countRows(file)).toMatchObject({ runs: { completed: 20 }, steps: { done: 60 } });
    await using engine = await openBenchEngine(file);
    const runs = await engine.list({ status: "completed", limitMax: 100 });
    expect(runs).toHaveLength(20);
    const [newest, oldest] = [runs[0], runs.at(-1)];
    if (newest === undefined || oldest === undefined) throw new Error("there are no runs");
    const whole = await engine.get(newest.run.id);
    const copy = await engine.get(oldest.run.id);
    expect(copy.uid).not.toBe(whole.uid);
    expect(copy.output).toEqual(whole.output);
    expect(copy.steps.map(({ name, status }) => [name, status])).toEqual(
      whole.steps.map(({ name, status }) => [name, status]),
    );
  });
});

describe("what is told", () => {
  test("medians, percentiles and merged children are what they should be", () => {
    expect([median([3, 1, 2]), median([4, 1, 2, 3]), percentile([1, 2, 3, 4], 50), percentile([1, 2, 3], 99)]).toEqual([
      2, 2.5, 2, 3,
    ]);
    const part = (value: number): Measurement => ({
      workload: "x",
      unit: "ms",
      values: [value],
      foreignCpu: [value],
      notes: { p50: value, driver: "same" },
    });
    expect(toLine("us", mergeMeasurements([part(3), part(1), part(8)]))).toMatchObject({
      value: 3,
      min: 1,
      max: 8,
      runs: [3, 1, 8],
      foreign_cpu_pct: [3, 1, 8],
      notes: { p50: 3, driver: "same" },
    });
  });

  test("a figure is met or missed by its ratio to the same run's limits", () => {
    const judged = judge([
      line("stepwell", "W1", 30_000),
      line("stepwell", "W2", 10),
      line("limit", "sqlite-1000", 100_000),
      line("limit", "sqlite-1", 3000, { commit_p50_ms: 0.3 }),
      line("restate", "W1", 4000),
    ]);
    expect(judged.map(({ name, isMet }) => [name, isMet])).toEqual([
      ["W1 / raw SQLite, 1,000 steps a commit", true],
      ["W1 / Restate", false],
      ["W2 / eleven single commits", false],
    ]);
  });

  test("peers stand beside us with what we are to them", () => {
    const own = [line("stepwell", "W1", 40_000), line("stepwell", "W2", 5)];
    const { lines, problems } = fromPeerLines("restate", [
      '{"workload":"W1","steps_per_s":2000,"runs":[2000],"min":2000,"max":2000,"worker_rss_mb":200,"server_pss_mb":300}',
      '{"workload":"W2","workflow_ms_p50":20,"workflow_ms_p99":30,"runs":[20],"min":20,"max":20}',
      '{"workload":"W4","error":"no end after 120s"}',
    ]);
    expect(problems).toEqual(["restate: W4 no end after 120s "]);
    expect(lines.map(({ workload, value }) => [workload, value])).toEqual([
      ["W1", 2000],
      ["W5", 500],
      ["W2", 20],
    ]);
    const table = peerTable([...own, ...lines]);
    expect(table.rows).toEqual([
      ["stepwell", "40,000", "5", "–", "–", "–", "–"],
      ["restate", "2,000 (20×)", "20 (4×)", "–", "–", "–", "500"],
    ]);
    expect(toMarkdown(table).split("\n")[2]).toBe("| stepwell | 40,000 | 5 | – | – | – | – |");
    expect(toText(lineTable(lines))).toContain("worker_mb 200, server_mb 300");
  });

  test("the plot has a bar for everyone, longer by the logarithm", () => {
    const plot = drawPlot([line("stepwell", "W1", 10_000), line("a<b", "W1", 100), line("limit", "sqlite-100", 1000)]);
    const widths = [...plot.matchAll(/class="(own|peer|limit)" [^>]*width="([\d.]+)"/g)];
    expect(widths.map(([, tone]) => tone)).toEqual(["own", "limit", "peer"]);
    const [own = 0, limit = 0] = widths.map(([, , width]) => Number(width));
    expect(own / limit).toBeCloseTo(2, 1);
    expect(plot).toContain("a&lt;b");
    expect(plot).toContain("prefers-color-scheme: dark");
  });

  test("the page keeps its words and gets new tables", () => {
    const page = "before\n<!-- latest: written by npm run bench -->\nold\n<!-- end of latest -->\nafter\n";
    const replaced = replacePart(page, "latest", "new");
    expect(replaced).toBe(
      "before\n<!-- latest: written by npm run bench -->\n\nnew\n\n<!-- end of latest -->\nafter\n",
    );
    expect(() => replacePart(page, "growth", "new")).toThrow('no part "growth"');
  });

  test("the page about performance has both parts", () => {
    const page = new URL("../docs/performance.md", import.meta.url);
    expect(existsSync(page)).toBe(true);
    const text = readFileSync(page, "utf8");
    for (const part of ["latest", "growth"]) expect(() => replacePart(text, part, "")).not.toThrow();
  });

  test("what is not understood is told, not guessed", () => {
    expect(parseArguments(["--peers", "restate,pg-boss", "--only", "W1"])).toMatchObject({
      ok: true,
      value: { peers: ["restate", "pg-boss"], only: ["W1"], isTiny: false },
    });
    expect(parseArguments(["--peer", "restate"])).toMatchObject({ ok: false });
  });
});
