// Ratings, outcomes and the audit on the command line.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openInside, refusalOf, wordOf, type Inside } from "./inside.ts";

let inside: Inside;
let run: string;

beforeAll(async () => {
  inside = openInside();
  const file = inside.write(
    "greet.json",
    JSON.stringify({
      name: "greet",
      steps: {
        start: { tool: "demo.echo", args: { text: "hello" }, next: "shout" },
        shout: { tool: "demo.fail", retry: false, done: true },
      },
    }),
  );
  await inside.call("run", file);
  run = wordOf((await inside.list("list", "--status", "all"))[0]?.["id"]);
}, 60_000);

afterAll(() => inside.remove());

describe("stepwell rate", () => {
  test("AC-62: shows the steps with their numbers, and rates all of them or one", async () => {
    const { stdout } = await inside.call("rate", run);
    expect(stdout.split("\n").map((line) => line.split(/ {2,}/).join("|"))).toEqual([
      "NO|STEP|TOOL|STATUS|RATED|TEXT",
      "1|start|demo.echo|done|-",
      "2|shout|demo.fail|failed|-",
      "",
    ]);
    expect(await inside.call("rate", run, "+", "well", "done")).toMatchObject({
      exitCode: 0,
      stdout: `${run}\n`,
      stderr: expect.stringContaining(`rated up: run ${run}\n`) as string,
    });
    expect(await inside.json("rate", run, "2", "-", "too loud")).toMatchObject({ id: Number(run), status: "rated" });
    await inside.call("rate", run, "start", "👍");
    const rated = (await inside.list("rate", run)).map(({ number, quality, feedback }) => [number, quality, feedback]);
    expect(rated).toEqual([
      [1, "up", null],
      [2, "down", "too loud"],
    ]);
  });

  test("AC-62: refuses what is no rating, no run or no step", async () => {
    expect((await refusalOf(inside, "rate", run, "maybe")).slice(0, 2)).toEqual(["INPUT_INVALID", 6]);
    expect((await refusalOf(inside, "rate", run, "1", "maybe")).slice(0, 2)).toEqual(["INPUT_INVALID", 6]);
    expect((await refusalOf(inside, "rate", run, "9", "up")).slice(0, 2)).toEqual(["STEP_NOT_FOUND", 3]);
    expect((await refusalOf(inside, "rate", "17", "up")).slice(0, 2)).toEqual(["RUN_NOT_FOUND", 3]);
    expect((await refusalOf(inside, "rate")).slice(0, 2)).toEqual(["USAGE", 2]);
  });
});

test("AC-60, AC-63: outcomes shows calls by their quality, and figures by tool", async () => {
  expect(await inside.list("outcomes", "--quality", "down")).toMatchObject([
    { tool: "demo.fail", feedback: "too loud" },
  ]);
  expect((await inside.call("outcomes", "--tool", "demo.echo")).stdout).toMatch(/demo\.echo +done +\d+ \w+ +up/u);
  expect(await inside.json("outcomes", "--figures", "--workflow", "greet")).toMatchObject({
    total: 2,
    up: 1,
    down: 1,
    failed: 1,
    groups: [{ tool: "demo.echo" }, { tool: "demo.fail" }],
  });
  expect((await inside.call("outcomes", "--tool", "none")).stderr).toContain("No calls.");
});

test("audit says who did what, and from where", async () => {
  const [entry] = await inside.list("audit", "--verb", "run.rate", "--limit", "1");
  expect(entry).toMatchObject({ verb: "run.rate", subject: run, source: "cli", details: { quality: "up" } });
  expect((await inside.call("audit", "--subject", run)).stdout).toContain("run.rate");
  expect((await inside.call("audit", "--user", "nobody")).stderr).toContain("Nothing is on record.");
  await inside.call("user", "save", "ann", "--key", "130001.read");
  expect((await refusalOf(inside, "audit", "--as", "ann")).slice(0, 2)).toEqual(["NOT_ALLOWED", 4]);
});
