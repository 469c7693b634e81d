// What somebody new to it types, rightly or wrongly, and what comes back.

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoFlow, makePlace, type Place } from "./command.ts";
import { openInside, refusalOf, type Inside } from "./inside.ts";

let inside: Inside;
const hello = demoFlow("hello");

beforeAll(() => {
  inside = openInside();
});

afterAll(() => inside.remove());

describe("a slip of the pen", () => {
  test.each([
    ["workflow nope", 'There is no command "workflow nope".', "stepwell help workflow"],
    ["workflow lst", 'There is no command "workflow lst". Did you mean "workflow list"?', "stepwell help workflow"],
    ["--nope", "There is no flag --nope.", "stepwell up"],
    ["--jsno", "There is no flag --jsno. Did you mean --json?", "stepwell up"],
    ["demo crach", 'There is no part "crach" of the demo. Did you mean "crash"?', "stepwell demo [crash|clean]"],
    [`run ${hello} --input @no.json`, 'There is no file "no.json".', "name=Ada"],
    [`run ${hello} who=@no.txt`, 'There is no file "no.txt".', "name=Ada"],
    [`run ${hello} --input []`, 'What was given must be an object, such as {"name": "Ada"}.', "name=Ada"],
    [`run ${hello} --input {`, "What was given is no JSON, at 1:2: The text ends", "name=Ada"],
    [`run ${hello} --at yesterday`, '"yesterday" lies in the past.', "tomorrow at 9am"],
  ])("%s", async (line, sentence, hint) => {
    const { exitCode, stdout, stderr } = await inside.call(...line.split(" "));
    expect([exitCode === 0, stdout]).toEqual([false, ""]);
    expect(stderr).toContain(`error: ${sentence}`);
    expect(/^hint: (.*)$/m.exec(stderr)?.[1]).toContain(hint);
    // Told once, and before a store is made.
    expect(stderr.split("\n").filter((each) => each.startsWith("  "))).toEqual([]);
    expect(existsSync(inside.store)).toBe(false);
  });

  test("a flow's name without its ending is told with the file that is there", async () => {
    inside.write("digest.yaml", "start: { tool: time.now, done: true }\n");
    const name = join(inside.folder, "digest");
    expect((await refusalOf(inside, "run", name))[2]).toBe(`There is no file "${name}". Did you mean "${name}.yaml"?`);
    expect((await refusalOf(inside, "validate", name))[2]).toContain(`Did you mean "${name}.yaml"?`);
  });
});

describe("on a store", () => {
  let place: Place;
  let run = "";
  let step = "";

  beforeAll(async () => {
    place = makePlace();
    const { stdout } = await place.run("run", demoFlow("publish"), "--exit-on-wait", "--json");
    const document: { readonly id: number; readonly steps: readonly { readonly id: number }[] } = JSON.parse(stdout);
    run = String(document.id);
    step = String(document.steps.at(-1)?.id);
  });

  afterAll(() => place.remove());

  test("the usual place of the store need not be typed again", async () => {
    const { stderr } = await place.run("watch", run, "--exit-on-wait");
    expect(stderr).toContain(`stepwell approve ${step} (or reject)\n`);
    expect(stderr).toContain("waits for a person: stepwell inbox\n");
    expect(stderr).not.toContain("--store");
    const elsewhere = await place.run("run", demoFlow("publish"), "--exit-on-wait", "--store", "other.db");
    expect(elsewhere.stderr).toContain("stepwell inbox --store other.db\n");
  });

  test("the id of a step in place of a run's is told with its run", async () => {
    const { exitCode, stderr } = await place.run("show", step);
    expect([exitCode, stderr]).toEqual([
      3,
      `error: There is no run ${step}: that is a step of run ${run}. (RUN_NOT_FOUND)\nhint: stepwell show ${run}\n`,
    ]);
  });

  test("a workflow whose name has a hyphen is no uid of a run", async () => {
    await place.run("workflow", "save", demoFlow("hello"), "--name", "my-hello");
    const drawn = await place.run("graph", "my-hello");
    expect([drawn.exitCode, drawn.stdout]).toEqual([0, expect.stringContaining("breathe")]);
    const listed: readonly { readonly uid: string }[] = JSON.parse((await place.run("list", "--json")).stdout);
    expect((await place.run("graph", listed[0]?.uid ?? "")).stdout).toContain("review");
    expect((await place.run("graph", "my-helo")).stderr).toContain('Did you mean "my-hello"?');
  });

  test("a flow's name is told with the file of that name", async () => {
    writeFileSync(join(place.folder, "digest.yml"), "start: { tool: time.now, done: true }\n");
    for (const command of ["run", "graph"]) {
      const { exitCode, stderr } = await place.run(command, "digest");
      expect([exitCode, stderr]).toEqual([3, expect.stringContaining('There is no workflow "digest".')]);
      expect(stderr).toContain("hint: there is a file digest.yml\n");
    }
  });

  test("an input that the flow does not know is told, and goes along", async () => {
    const { exitCode, stderr } = await place.run("run", demoFlow("hello"), "whom=Ada");
    expect(exitCode).toBe(0);
    expect(stderr).toContain('warning: The flow names no input "whom". Did you mean "who"?');
    expect((await place.run("run", demoFlow("hello"), "who=Ada")).stderr).not.toContain("warning");
  });
});

test("help begins like a sentence", async () => {
  expect((await inside.call("help", "workflow", "save")).stdout).toMatch(
    /^Keep flows under their names, in versions\.\n/,
  );
  expect((await inside.call("list", "--help")).stdout).toMatch(/^Runs, newest first\.\n/);
});
