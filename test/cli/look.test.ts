// Commands that look: list, ps, show, history, inbox. Each with what people see, what programs read, and one wrong use.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoFlow } from "./command.ts";
import { openInside, refusalOf, wordOf, type Inside } from "./inside.ts";

let inside: Inside;
/** A run that completed, one that failed, one that waits. */
const ids = { hello: 0, failed: 0, publish: 0 };

beforeAll(async () => {
  inside = openInside();
  const echo = inside.write(
    "echo.yaml",
    "start: { tool: demo.echo, args: { text: 'Hi {{ input.who }}' }, done: true }\n",
  );
  const fail = inside.write(
    "fail.yaml",
    "start: { tool: demo.fail, args: { message: No paper, final: true }, done: true }\n",
  );
  ids.hello = Number((await inside.json("run", echo, "who=Ada", "--as", "ada"))["id"]);
  ids.failed = Number((await inside.json("run", fail))["id"]);
  ids.publish = Number((await inside.json("run", demoFlow("publish"), "--exit-on-wait"))["id"]);
});

afterAll(() => inside.remove());

describe("stepwell list", () => {
  test("shows runs newest first, with ids as short as they can be", async () => {
    const { exitCode, stdout } = await inside.call("list");
    const lines = stdout.trimEnd().split("\n");
    expect(exitCode).toBe(0);
    expect(lines[0]).toMatch(/^STATUS +RUN +FLOW +STEPS +STARTED +TOOK$/);
    expect(lines[1]).toMatch(/^◆ waiting +\d+ +publish +1\/2 +\S+ .* - +review: stepwell approve \d+$/);
    expect(lines[2]).toMatch(/^✘ failed +\d+ +fail +0\/1 .* No paper$/);
    expect(lines[3]).toMatch(/^✔ completed +\d+ +echo +1\/1 /);
    // Every one of them is understood.
    for (const line of lines.slice(1)) {
      const [, , short = ""] = line.split(/ +/);
      expect((await inside.call("show", short)).exitCode).toBe(0);
    }
  });

  test("as JSON gives whole ids, and as ids nothing else", async () => {
    const runs = await inside.list("list");
    expect(runs.map(({ id, status }) => [id, status])).toEqual([
      [ids.publish, "running"],
      [ids.failed, "failed"],
      [ids.hello, "completed"],
    ]);
    expect((await inside.call("list", "-q")).stdout).toBe(`${ids.publish}\n${ids.failed}\n${ids.hello}\n`);
    expect(await inside.list("list", "--status", "cancelled,paused")).toEqual([]);
    expect(await inside.call("list", "--status", "paused")).toEqual({ exitCode: 0, stdout: "", stderr: "No runs.\n" });
  });

  test("takes a status, a name, a time, a number and a place to go on from", async () => {
    const of = async (...args: readonly string[]): Promise<readonly unknown[]> =>
      (await inside.list("list", ...args)).map(({ id }) => id);
    expect(await of("--status", "failed,running")).toEqual([ids.publish, ids.failed]);
    expect(await of("--workflow", "echo")).toEqual([ids.hello]);
    expect(await of("--limit", "1")).toEqual([ids.publish]);
    expect(await of("--limit", "1", "--cursor", String(ids.publish))).toEqual([ids.failed]);
    expect(await of("--since", "1h")).toHaveLength(3);
    expect(await of("--since", "0s")).toEqual([]);
    expect(await of("--until", "1h")).toEqual([]);
    expect(await of("--since", "2026-01-01T00:00:00Z", "--until", "0s")).toHaveLength(3);
  });

  test("finds runs by a text anywhere in them, and by a field of their input", async () => {
    const of = async (...args: readonly string[]): Promise<readonly unknown[]> =>
      (await inside.list("list", ...args)).map(({ id }) => id);
    expect(await of("--text", "HI ADA")).toEqual([ids.hello]);
    expect(await of("--text", "no paper")).toEqual([ids.failed]);
    expect(await of("--text", "no paper", "--status", "completed,live")).toEqual([]);
    expect(await of("--field", "who=Ada")).toEqual([ids.hello]);
    expect(await of("--field", "who=ada")).toEqual([]);
  });

  test("gives the fields that are asked for, in a table or as JSON", async () => {
    expect(await inside.list("list", "--fields", "id,status", "--limit", "1")).toEqual([
      { id: ids.publish, status: "running" },
    ]);
    expect((await inside.call("list", "--fields", "status,name", "--workflow", "echo")).stdout).toBe(
      "STATUS     NAME\ncompleted  echo\n",
    );
    const { stdout } = await inside.call("list", "--jsonl", "--fields", "id");
    expect(stdout.trimEnd().split("\n")).toHaveLength(3);
  });

  test.each([
    [["--status", "runing"], 'There is no status "runing". Did you mean "running"?'],
    [["--limit", "many"], '"many" is no number of runs.'],
    [["--fields", "sttus"], 'There is no field "sttus". Did you mean "status"?'],
    [["--since", "soon"], '"soon" is no length of time.'],
    [["--field", "who"], '"who" is no field.'],
    [["one"], '"one" is too much.'],
  ])("refuses %j", async (args, told) => {
    expect(await refusalOf(inside, "list", ...args)).toEqual(["USAGE", 2, told]);
  });
});

describe("stepwell ps", () => {
  test("shows what is alive", async () => {
    expect((await inside.call("ps")).stdout.trimEnd().split("\n")).toHaveLength(2);
    expect(await inside.list("ps", "--fields", "id")).toEqual([{ id: ids.publish }]);
    expect((await refusalOf(inside, "ps", "--sttus", "x"))[2]).toBe("There is no flag --sttus.");
  });
});

describe("stepwell show", () => {
  test("shows the summary, the tree of steps, the error, and what to type", async () => {
    const failed = await inside.call("show", String(ids.failed));
    expect(failed.stdout).toContain(`✘ fail  ${ids.failed}  failed`);
    expect(failed.stdout).toContain("✘ start  demo.fail  No paper (demo_failed)");
    const waiting = await inside.call("show", String(ids.publish), "--tz", "UTC");
    expect(waiting.stdout).toMatch(/^ {2}started {3}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/m);
    expect(waiting.stdout).toMatch(/^ {4}stepwell approve \d+$/m);
  });

  test("as JSON gives the run with its steps", async () => {
    const run = await inside.json("show", String(ids.hello));
    expect(run).toMatchObject({
      id: ids.hello,
      name: "echo",
      status: "completed",
      created_by: "ada",
      output: "Hi Ada",
    });
    expect(run["steps"]).toEqual([
      expect.objectContaining({ workflow_id: ids.hello, name: "start", tool: "demo.echo", status: "done", attempt: 1 }),
    ]);
    for (const key of ["created_at", "updated_at", "started_at", "completed_at", "duration_ms"])
      expect(run[key]).toSatisfy(Number.isSafeInteger);
  });

  test("takes a uid or the beginning of an id, and gives one step or only what it gave", async () => {
    const { uid } = await inside.json("show", String(ids.hello));
    expect(await inside.json("show", wordOf(uid))).toMatchObject({ id: ids.hello });
    expect((await inside.call("show", String(ids.hello), "--step", "start", "--output")).stdout).toBe("Hi Ada\n");
    expect(await inside.json("show", String(ids.hello), "--step", "start")).toMatchObject({
      name: "start",
      result: "Hi Ada",
    });
    expect((await inside.call("show", String(ids.hello), "--output", "--json")).stdout).toBe('"Hi Ada"\n');
  });

  test("says what is not there", async () => {
    expect(await refusalOf(inside, "show", "999")).toEqual(["RUN_NOT_FOUND", 3, "There is no run 999."]);
    expect((await refusalOf(inside, "show", "1"))[0]).toBe("RUN_NOT_FOUND");
    const [, , told] = await refusalOf(inside, "show", String(ids.hello).slice(0, 5));
    expect(told).toMatch(/^"\d+" is not enough: /);
    expect((await refusalOf(inside, "show", String(ids.hello), "--step", "x"))[0]).toBe("STEP_NOT_FOUND");
    expect((await refusalOf(inside, "show", String(ids.hello), "--tz", "Mars/Base"))[2]).toContain("Mars/Base");
  });
});

describe("stepwell history", () => {
  test("tells what happened, in order", async () => {
    const { stdout } = await inside.call("history", String(ids.failed));
    const steps = stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.split(/ {2,}/).slice(2).join("|"));
    expect(steps).toEqual([
      "STEP|WHAT",
      "start|entered|start",
      "start|started",
      "start|failed|-> error, No paper (demo_failed)",
    ]);
    const entries = await inside.list("history", String(ids.hello));
    expect(entries.map(({ kind }) => kind)).toEqual(["entered", "started", "ended"]);
    expect(entries.at(-1)).toMatchObject({ status: "done", result: "Hi Ada", may_have_happened: false });
    expect(await refusalOf(inside, "history", "hello")).toEqual(["USAGE", 2, '"hello" is no id of a run.']);
  });
});

describe("stepwell inbox", () => {
  test("shows gates with how to answer them", async () => {
    const { stdout } = await inside.call("inbox");
    expect(stdout).toMatch(
      /^◆ Publish "All about tides"\?\n {2}publish \d+, review, .*\n {4}stepwell approve (\d+)\n {4}stepwell reject \1\n$/,
    );
    const [gate, ...others] = await inside.list("inbox");
    expect(others).toEqual([]);
    expect(gate).toMatchObject({
      kind: "gate",
      workflow_id: ids.publish,
      step: "review",
      title: 'Publish "All about tides"?',
    });
    expect(gate?.["commands"]).toContain(`stepwell approve ${wordOf(gate?.["step_id"])}`);
    expect((await refusalOf(inside, "inbox", "--limit", "0"))[0]).toBe("USAGE");
  });

  test("of a store without runs is an empty list, and says so to people", async () => {
    const other = openInside();
    await other.json("run", demoFlow("hello"), "--at", "in 30 minutes");
    expect(await other.list("inbox")).toEqual([]);
    expect(await other.call("inbox")).toEqual({ exitCode: 0, stdout: "", stderr: "Nothing waits for a person.\n" });
    expect(await other.list("list", "--status", "failed")).toEqual([]);
    other.remove();
  });
});

test("a store that is not there is not made by looking", async () => {
  const other = openInside({ isWithoutStore: true });
  for (const command of ["list", "ps", "inbox"]) {
    expect(await refusalOf(other, command)).toEqual(["FILE_NOT_FOUND", 3, `There is no store "${other.storeName}".`]);
  }
  expect(await other.json("list")).toMatchObject({ error: { code: "FILE_NOT_FOUND" } });
  other.remove();
});
