// What the shells are told, and that they take it.

import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { completionScripts } from "../../src/cli/completion-scripts.ts";
import { demoFlow } from "./command.ts";
import { openInside, refusalOf, type Inside } from "./inside.ts";
import { askFish, findReasonToSkip, openShell } from "./shells.ts";

let inside: Inside;
let run = "";

beforeAll(async () => {
  inside = openInside();
  run = (await inside.call("run", demoFlow("publish"), "--exit-on-wait", "-q")).stdout.trim();
});

afterAll(() => inside.remove());

/** The candidates, and how they are to be taken. */
async function complete(...words: readonly string[]): Promise<readonly [readonly string[], string]> {
  const { exitCode, stdout, stderr } = await inside.call("complete", "--", ...words);
  expect([exitCode, stderr]).toEqual([0, ""]);
  const lines = stdout.trimEnd().split("\n");
  return [lines.slice(0, -1).map((line) => line.split("\t")[0] ?? ""), lines.at(-1) ?? ""];
}

describe("completion", () => {
  test("offers commands and files first", async () => {
    expect(await complete("re")).toEqual([
      ["reject", "ready", "resolve", "resume", "retry", "rerun", "restore", "remove"],
      ":files",
    ]);
    expect(await complete("schema", "fl")).toEqual([["flow"], ":plain"]);
    expect(await complete("run", "")).toEqual([[], ":files"]);
  });

  test("offers flags, and their values", async () => {
    expect(await complete("list", "--s")).toEqual([["--status", "--since", "--store"], ":plain"]);
    expect(await complete("list", "--durability", "f")).toEqual([["full", "fast"], ":plain"]);
    expect(await complete("list", "--status", "sch")).toEqual([["scheduled"], ":plain"]);
    expect(await complete("list", "--store", "")).toEqual([[], ":files"]);
    expect(await complete("--js")).toEqual([["--json", "--jsonl"], ":plain"]);
    expect(await complete("list", "--status=sch")).toEqual([["--status=scheduled"], ":plain"]);
    expect(await complete("list", "--store=")).toEqual([[], ":files"]);
    expect(await complete("list", "--json=")).toEqual([[], ":plain"]);
  });

  test("reads flags that stand before the command", async () => {
    expect(await complete("--tz", "UTC", "-q", "sho")).toEqual([["show"], ":files"]);
    expect(await complete("--store", inside.store, "show", "")).toEqual([[run], ":ordered"]);
    expect(await complete("--store", "nowhere.db", "show", "")).toEqual([[], ":ordered"]);
    expect(await complete("template", "dif")).toEqual([["diff"], ":plain"]);
  });

  test("offers runs, steps that wait, and names of steps", async () => {
    expect(await complete("show", "")).toEqual([[run], ":ordered"]);
    expect(await complete("show", "9")).toEqual([[], ":ordered"]);
    expect(await complete("show", run, "--step", "")).toEqual([["write", "review"], ":ordered"]);
    const [steps, how] = await complete("approve", "");
    expect([steps.length, how]).toEqual([1, ":ordered"]);
    expect(await complete("resolve", steps[0] ?? "", "")).toEqual([["retry", "done", "failed"], ":plain"]);
    expect(await complete("cancel", run, "")).toEqual([[run], ":ordered"]);
  });

  test("says nothing where there is nothing, and never what is wrong", async () => {
    expect(await complete("show", run, "")).toEqual([[], ":plain"]);
    expect(await complete("shwo", "")).toEqual([[], ":plain"]);
    expect((await complete("show", "--store", "nowhere.db", ""))[0]).toEqual([]);
    expect((await complete("show", "--nonsense", ""))[0]).toEqual([]);
  });
});

describe("stepwell completion", () => {
  test("prints the script of each shell, for people and programs", async () => {
    for (const shell of ["bash", "zsh", "fish"] as const) {
      expect((await inside.call("completion", shell)).stdout).toBe(`${completionScripts[shell]}\n`);
      expect(await inside.json("completion", shell)).toEqual({ shell, script: completionScripts[shell] });
    }
    expect(await refusalOf(inside, "completion", "bsh")).toEqual([
      "USAGE",
      2,
      'Say for which shell: bash, zsh or fish. Did you mean "bash"?',
    ]);
  });

  test.for(["bash", "zsh", "fish"] as const)("the script of %s is one", (shell, { skip }) => {
    const path = inside.write(`script.${shell}`, completionScripts[shell]);
    const checked = spawnSync(shell, ["-n", path], { encoding: "utf8" });
    if (checked.error !== undefined) skip(`${shell} is not on this machine`);
    expect([checked.status, checked.stderr]).toEqual([0, ""]);
  });
});

/** What is typed, and which words the command then has. */
const typed: readonly (readonly [line: string, words: readonly string[]])[] = [
  ["stepwell li", ["list"]],
  ["stepwell list --stat", ["list", "--status"]],
  ["stepwell list --status sch", ["list", "--status", "scheduled"]],
  ["stepwell list --status=sch", ["list", "--status=scheduled"]],
  ["stepwell -q --tz UTC doc", ["-q", "--tz", "UTC", "doctor"]],
  ["stepwell --store=file:o", ["--store=file:one.yaml"]],
  ["stepwell workflow versi", ["workflow", "versions"]],
  ["stepwell run two", ["run", "two words"]],
  ["stepwell run two\\ w", ["run", "two words"]],
  ["stepwell run 'two w", ["run", "two words"]],
  ['stepwell run "two w', ["run", "two words"]],
  ["stepwell run col", ["run", "colon:ed"]],
  ["stepwell run colon:", ["run", "colon:ed"]],
  ["stepwell workflow show colon:e", ["workflow", "show", "colon:ed"]],
  ["stepwell workflow show doll", ["workflow", "show", "dollar$HOME"]],
  ['stepwell workflow show "doll', ["workflow", "show", "dollar$HOME"]],
  ["stepwell workflow show it", ["workflow", "show", "it's"]],
  ["stepwell graph file:o", ["graph", "file:one.yaml"]],
  ["stepwell validate some\\ flows/fl", ["validate", "some flows/flow one.yaml"]],
  ['stepwell validate "some flows/fl', ["validate", "some flows/flow one.yaml"]],
  ["stepwell tool show text.upp", ["tool", "show", "text.upper"]],
];

describe("a shell with the script", () => {
  beforeAll(async () => {
    for (const name of ["two words", "colon:ed", "dollar$HOME", "it's", "line\nbroken"]) {
      const flow = { format: "stepwell/v1", name, start: "go", steps: { go: { tool: "time.now", done: true } } };
      await inside.call("workflow", "save", inside.write("saved.json", JSON.stringify(flow)));
    }
    mkdirSync(join(inside.folder, "some flows"));
    inside.write("some flows/flow one.yaml", "");
    inside.write("file:one.yaml", "");
  });

  test.for(["bash", "zsh"] as const)("%s completes what is typed, and runs nothing of it", async (shell, { skip }) => {
    skip(findReasonToSkip(shell) !== undefined, findReasonToSkip(shell));
    const typist = await openShell(shell, inside);
    try {
      for (const [line, words] of typed) expect(await typist.complete(line)).toEqual(words);
      expect(await typist.complete(`stepwell show ${run.slice(0, 5)}`)).toEqual(["show", run]);
      // A folder first, then what is in it.
      expect(await typist.complete("stepwell validate some", 2)).toEqual(["validate", "some flows/flow one.yaml"]);
      typist.tryOut("stepwell show $(touch made) ");
      typist.tryOut("stepwell show `touch made` ");
      expect(await typist.complete("stepwell li")).toEqual(["list"]);
    } finally {
      await typist.leave();
    }
    expect(readdirSync(inside.folder)).not.toContain("made");
  });

  test("fish completes what is typed, and runs nothing of it", ({ skip }) => {
    skip(findReasonToSkip("fish") !== undefined, findReasonToSkip("fish"));
    for (const [line, words] of typed) {
      expect([line, askFish(line, inside)]).toEqual([line, { offered: words.slice(-1), stderr: "" }]);
    }
    expect(askFish("stepwell show ", inside).offered).toEqual([run]);
    expect(askFish("stepwell validate some", inside).offered).toEqual(["some flows/"]);
    expect(askFish("stepwell show (touch made) ", inside)).toEqual({ offered: [], stderr: "" });
    expect(readdirSync(inside.folder)).not.toContain("made");
  });
});
