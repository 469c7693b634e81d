import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseArguments } from "../bench/arguments.ts";
import { completeRuns, openBenchEngine } from "../bench/bench-engine.ts";
import { checkRows, countRows, type ExpectedRows, type RowCounts } from "../bench/count-rows.ts";
import { dropDatabase } from "../bench/database.ts";
import { chainFlow } from "../bench/flows.ts";
import { fillFinished } from "../bench/growth/finished.ts";
import { mergeMeasurements, toLine, type Line, type Measurement } from "../bench/measurement.ts";
import { fromPeerLines } from "../bench/peers.ts";
import { nameStore } from "../bench/place.ts";
import { measureGrowth, measureServerGrowth, measureWorkloads, type Measure } from "../bench/plan.ts";
import { replacePart } from "../bench/report/page.ts";
import { drawPlot } from "../bench/report/plot.ts";
import { lineTable, peerTable, toMarkdown, toText } from "../bench/report/table.ts";
import { judgePostgres } from "../bench/report/targets-postgres.ts";
import { judge } from "../bench/report/targets.ts";
import { runChild } from "../bench/run-child.ts";
import { tinySizes } from "../bench/sizes.ts";
import { median, percentile } from "../bench/statistics.ts";
import { measure, type Task } from "../bench/task.ts";
import { findServer } from "../src/testing/postgres.ts";

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
      "sqlite-300": 3,
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

describe("what is measured on a server", () => {
  const measureThere: Measure = (task: Task) => measure({ task, folder, server: findServer(), sizes });

  test("workloads and limits count their rows in databases of their own, and the flushes of the log", async () => {
    const lines = await measureWorkloads({ sizes, only: ["W1"], measure: measureThere });
    const [w1] = lines;
    expect(lines.map(({ workload }) => workload)).toEqual(["W1"]);
    expect(w1?.notes).toMatchObject({ completedRuns: 20, doneSteps: 60 });
    expect(w1?.runs).toHaveLength(2);
    const raw = await measureThere({ kind: "raw", stepsPerCommit: 100 });
    expect(raw).toMatchObject({ workload: "postgres-100", unit: "steps/s" });
    expect(raw.values[0]).toBeGreaterThan(0);
  });

  test("copied runs are runs as the engine makes them, and workloads beside them are a ratio", async () => {
    const server = nameStore(findServer(), "postgres");
    const lines = await measureServerGrowth({ sizes, only: ["W2"], measure: measureThere }, server);
    expect(lines).toMatchObject([{ workload: "W2-beside-50", unit: "x", notes: { turns: 6, runs_a_turn: 1 } }]);
    const store = nameStore(server, `bench_many_${process.pid}`);
    try {
      await using engine = await openBenchEngine(store);
      const [oldest] = (await engine.list({ status: "completed", limitMax: 100 })).slice(-1);
      const copy = await engine.get(oldest?.run.id ?? 0);
      expect(copy.uid).toMatch(/-copy$/);
      expect(copy.steps.map(({ name, status }) => `${name} ${status}`)).toEqual(["s0 done", "s1 done", "s2 done"]);
    } finally {
      for (const name of ["few", "many"]) await dropDatabase(nameStore(server, `bench_${name}_${process.pid}`));
    }
  });
});

describe("the count of rows", () => {
  test("rows that are missing or too many are an error", async () => {
    const file = join(folder, "count.db");
    {
      await using engine = await openBenchEngine(file);
      await completeRuns(engine, chainFlow(3), 4);
    }
    const counts = await checkRows(file, { completedRuns: 4, doneSteps: 12 });
    expect(counts.commits).toBeGreaterThan(0);
    const check = (expected: ExpectedRows): Promise<RowCounts> => checkRows(file, expected);
    await expect(check({ completedRuns: 5, doneSteps: 12 })).rejects.toThrow('runs {"completed":4}');
    await expect(check({ completedRuns: 4, doneSteps: 11 })).rejects.toThrow('steps {"done":12}');
    await expect(check({ completedRuns: 4, doneSteps: 12, scheduledRuns: 1 })).rejects.toThrow("scheduled");
  });

  test("copied runs are runs as the engine makes them", async () => {
    const file = join(folder, "copies.db");
    await fillFinished(file, 20, sizes);
    expect(await countRows(file)).toMatchObject({ runs: { completed: 20 }, steps: { done: 60 } });
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

  test("W1 on PostgreSQL is held against the floor of the peers' figures and the limit whose batches are as its own", () => {
    const judged = judgePostgres([
      line("stepwell", "W1", 20_000, { steps_per_commit: 280 }),
      line("stepwell", "W2", 16),
      line("limit", "postgres-100", 30_000),
      line("limit", "postgres-300", 50_000),
      line("limit", "postgres-1000", 80_000),
      line("pg-boss", "W1", 9000),
    ]);
    expect(judged.map(({ name, value, isMet }) => [name, Number(value.toFixed(2)), isMet])).toEqual([
      ["W1 / raw PostgreSQL, 100 steps a commit", 0.67, true],
      ["W1 / raw PostgreSQL, 300 steps a commit", 0.4, true],
      ["W1 / pg-boss", 2.22, true],
      ["W2, ms", 16, false],
    ]);
  });

  test("what many finished runs cost is a ratio to what one does", () => {
    const judged = judgePostgres([
      line("stepwell", "W1-beside-1000000", 1.25),
      line("stepwell", "W2-beside-1000000", 1.4),
    ]);
    expect(judged.map(({ name, isMet }) => [name, isMet])).toEqual([
      ["W1 beside 1000000 finished runs / beside one", true],
      ["W2 beside 1000000 finished runs / beside one", false],
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

  test("the page about performance has all parts", () => {
    const page = new URL("../docs/performance.md", import.meta.url);
    expect(existsSync(page)).toBe(true);
    const text = readFileSync(page, "utf8");
    const parts = ["latest", "growth", "postgres-latest", "postgres-growth"];
    for (const part of parts) expect(() => replacePart(text, part, "")).not.toThrow();
  });

  test("what is not understood is told, not guessed", () => {
    expect(parseArguments(["--peers", "restate,pg-boss", "--only", "W1"])).toMatchObject({
      ok: true,
      value: { peers: ["restate", "pg-boss"], only: ["W1"], isTiny: false },
    });
    expect(parseArguments(["--peer", "restate"])).toMatchObject({ ok: false });
    expect(parseArguments(["oracle"])).toMatchObject({ ok: false });
    expect(parseArguments(["postgres", "postgres"])).toMatchObject({ ok: false });
    expect(parseArguments(["mcp", "everything", "oracle"])).toMatchObject({ problem: '"oracle" is not known.' });
    expect(parseArguments(["mcp", "--tiny"])).toMatchObject({ problem: expect.stringContaining("without options") });
  });

  test("on PostgreSQL the peers that use it stand beside us, unless others are named or none", () => {
    const peersOf = (...args: string[]): unknown => {
      const parsed = parseArguments(args);
      return parsed.ok ? [parsed.value.dialect, ...parsed.value.peers] : parsed.problem;
    };
    expect(peersOf()).toEqual(["sqlite"]);
    expect(peersOf("postgres")).toEqual(["postgres", "dbos-pg", "pg-boss", "graphile-worker", "openworkflow-postgres"]);
    expect(peersOf("postgres", "--peers", "none")).toEqual(["postgres"]);
    expect(peersOf("postgres", "--peers", "restate")).toEqual(["postgres", "restate"]);
  });
});
