// What the shells are told, and that bash takes it.

import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { completionScripts } from "../../src/cli/completion-scripts.ts";
import { demoFlow } from "./command.ts";
import { openInside, refusalOf, type Inside } from "./inside.ts";

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
      ["reject", "ready", "resolve", "resume", "retry", "rerun", "restore"],
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
    const checked = spawnSync(shell, ["-n"], { input: completionScripts[shell], encoding: "utf8" });
    if (checked.error !== undefined) skip(`${shell} is not on this machine`);
    expect([checked.status, checked.stderr]).toEqual([0, ""]);
  });

  test("bash completes with it, and runs nothing of what was typed", ({ skip }) => {
    const program = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
    const ask = (...words: readonly string[]): { readonly replies: readonly string[]; readonly stderr: string } => {
      const script = `${completionScripts.bash}
stepwell() { "$NODE" "$PROGRAM" "$@"; }
COMP_WORDS=(stepwell "$@"); COMP_CWORD=$#
_stepwell
printf '%s\\n' "\${COMPREPLY[@]}"`;
      const env = { ...process.env, NODE: process.execPath, PROGRAM: program, STEPWELL_STORE: inside.store };
      const { stdout, stderr, error } = spawnSync("bash", ["-c", script, "bash", ...words], {
        cwd: inside.folder,
        env,
        encoding: "utf8",
      });
      if (error !== undefined) skip("bash is not on this machine");
      return { replies: stdout.trimEnd().split("\n"), stderr };
    };
    mkdirSync(join(inside.folder, "flows"));
    inside.write("flow one.yaml", "");
    expect(ask("lis").replies).toEqual(["list"]);
    expect(ask("show", "").replies).toEqual([run]);
    expect(ask("run", "flow").replies.toSorted()).toEqual(["flow one.yaml", "flows"]);
    const hostile = ask("show", "$(touch made)", "");
    expect([hostile.replies, hostile.stderr]).toEqual([[""], ""]);
    expect(spawnSync("ls", { cwd: inside.folder, encoding: "utf8" }).stdout).not.toContain("made");
  });
});
