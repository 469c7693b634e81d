// Runs once more, and what `run` takes beside a file: each with what people see, what programs read, and one wrong use.

import { chmodSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openEngine } from "../../src/index.ts";
import { demoFlow } from "./command.ts";
import { openInside, refusalOf, type Inside } from "./inside.ts";

let inside: Inside;
let failed = "";

beforeAll(async () => {
  inside = openInside();
  const flow = `start: { tool: demo.echo, args: { text: "Hi {{ input.who }}" }, next: rest }
rest: { tool: demo.fail, args: { final: true }, done: true }
`;
  failed = (await inside.call("run", inside.write("fail.yaml", flow), "who=Ada", "-q")).stdout.trim();
});

afterAll(() => inside.remove());

describe("stepwell retry", () => {
  test("makes a new run of what failed, and follows it", async () => {
    const { exitCode, stderr } = await inside.call("retry", failed);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("failed: ")]);
    const again = await inside.json("retry", failed, "--detach");
    expect(again).toMatchObject({ origin: { kind: "retry", id: Number(failed) } });
    expect(await refusalOf(inside, "retry")).toEqual(["USAGE", 2, "Say which run: its id is a number."]);
    expect((await refusalOf(inside, "retry", failed, "--timeout", "x"))[0]).toBe("USAGE");
  });
});

describe("stepwell rerun", () => {
  test("takes over what was done before a step", async () => {
    const again = await inside.json("rerun", failed, "--from", "rest");
    expect(again).toMatchObject({ status: "failed", origin: { kind: "rerun" } });
    expect((await inside.call("rerun", failed, "--detach")).stdout).toMatch(/^\d+\n$/);
    expect((await refusalOf(inside, "rerun", failed, "--from", "nowhere")).slice(0, 2)).toEqual(["REFUSED", 10]);
  });

  test("lets the input be edited first", async () => {
    const script = inside.write("editor.sh", '#!/bin/sh\nsed -i s/Ada/Bob/ "$1"\n');
    chmodSync(script, 0o700);
    const editing = openInside({ environment: { EDITOR: script, STEPWELL_STORE: inside.store } });
    expect(await editing.json("rerun", failed, "--edit")).toMatchObject({
      input: { who: "Bob" },
      origin: { kind: "fork" },
    });
    editing.remove();
    const idle = openInside({ environment: { EDITOR: "true", STEPWELL_STORE: inside.store } });
    expect((await idle.call("rerun", failed, "--edit")).stderr).toContain(
      "The input was not changed; nothing was started.",
    );
    idle.remove();
    expect(await refusalOf(inside, "rerun", failed, "--edit")).toEqual([
      "USAGE",
      2,
      "There is no editor to change the input with.",
    ]);
  });
});

describe("stepwell fork", () => {
  test("goes on from a step with another input", async () => {
    const forked = await inside.json("fork", failed, "--from", "start", "who=Eve");
    expect(forked).toMatchObject({ input: { who: "Eve" }, origin: { kind: "fork", id: Number(failed) } });
    expect((await inside.call("fork", failed, "--from", "rest", "--detach")).stdout).toMatch(/^\d+\n$/);
    expect(await refusalOf(inside, "fork", failed)).toEqual(["USAGE", 2, "Say from which step: --from STEP."]);
  });
});

describe("stepwell run", () => {
  const hello = demoFlow("hello");

  test("takes the input as a whole, and single values over it", async () => {
    const file = inside.write("input.json", '{"who": "Bob", "times": 2}');
    const flow = inside.write(
      "echo.yaml",
      "start: { tool: demo.echo, args: { text: '{{ input.who }}' }, done: true }\n",
    );
    expect(await inside.json("run", flow, "--input", `@${file}`, "who=Ada")).toMatchObject({
      status: "completed",
      input: { who: "Ada", times: 2 },
      output: "Ada",
    });
    const [one, two] = [await inside.json("run", flow, "--key", "k"), await inside.json("run", flow, "--key", "k")];
    expect(two["id"]).toBe(one["id"]);
    expect((await inside.call("run", flow, "--durability", "fast", "--detach")).stderr).toContain("durability: fast");
  });

  test("says what failed, and ends with 1", async () => {
    const call = "{ tool: demo.fail, args: { message: No paper, final: true }, done: true }";
    // In a store of its own: where it has failed before, it is not called any more.
    const fresh = openInside();
    const { exitCode, stdout, stderr } = await fresh.call("run", fresh.write("paper.yaml", `start: ${call}\n`));
    fresh.remove();
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("No paper (demo_failed)");
    expect(stderr).toMatch(/^error: run \d+ failed: No paper$/m);
  });

  test("E3-38: at a time in plain words schedules the run, and says how it was understood", async () => {
    const { exitCode, stdout, stderr } = await inside.call(
      "run",
      hello,
      "--at",
      "tomorrow at 9am",
      "--tz",
      "Europe/Berlin",
    );
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^\d+\n$/)]);
    expect(stderr).toMatch(/^at: .* 09:00 \S+ \(Europe\/Berlin\)$/m);
    expect(await inside.json("show", stdout.trim())).toMatchObject({ status: "scheduled", started_at: null });
    expect((await inside.call("ps")).stdout).toMatch(/◷ scheduled +\d+ +hello +0\/1 +in /);
    expect((await refusalOf(inside, "run", hello, "--at", "every monday")).slice(0, 2)).toEqual(["INPUT_INVALID", 6]);
  });

  test("--dry-run says what would be started, and makes nothing", async () => {
    const fresh = openInside({ isWithoutStore: true });
    const { exitCode, stdout, stderr } = await fresh.call("run", hello, "who=Ada", "--dry-run");
    expect([exitCode, stderr]).toEqual([0, "Nothing was started.\n"]);
    expect(stdout).toBe(
      'would start  hello\ninput        {"who":"Ada"}\nwhen         now\nsteps        greet, breathe, think, tell\n',
    );
    expect(await fresh.json("run", hello, "--dry-run")).toMatchObject({ dry_run: true, input: { who: "world" } });
    expect((await refusalOf(fresh, "run", hello, "who:=5", "--dry-run"))[0]).toBe("INPUT_INVALID");
    expect((await refusalOf(fresh, "list"))[0]).toBe("FILE_NOT_FOUND");
    fresh.remove();
  });

  test("takes the name of a saved workflow", async () => {
    {
      await using engine = await openEngine({ store: inside.store });
      await engine.save({ start: { set: { said: "{{ input.word }}" }, done: true } }, { name: "say" });
    }
    expect(await inside.json("run", "say", "word=hi")).toMatchObject({ name: "say", output: { said: "hi" } });
    expect((await inside.call("graph", "say")).exitCode).toBe(0);
    const [code, exitCode, told] = await refusalOf(inside, "run", "sya");
    expect([code, exitCode]).toEqual(["WORKFLOW_NOT_FOUND", 3]);
    expect(told).toContain('"sya"');
  });

  test("acts with the rights of who is named with --as", async () => {
    const guarded = openInside();
    {
      await using engine = await openEngine({ store: guarded.store });
      await engine.access.save("ann", { keys: ["130001", "tool:*"] });
    }
    const { exitCode, stdout } = await guarded.call("run", hello, "--as", "ann", "-q", "--detach");
    expect(exitCode).toBe(0);
    for (const args of [["show", stdout.trim()], ["list"], ["cancel", stdout.trim()], ["run", hello]])
      expect((await refusalOf(guarded, ...args, "--as", "eve")).slice(0, 2)).toEqual(["NOT_ALLOWED", 4]);
    // To who may see only their own, it is as if it were not there.
    await guarded.call("user", "save", "bob", "--key", "130001.read.own", "--key", "130001.cancel.own");
    for (const command of ["show", "history", "cancel", "approve"]) {
      const [foreign, absent] = [stdout.trim(), "1234567890123"];
      const told = await refusalOf(guarded, command, absent, "--as", "bob");
      expect(told.slice(0, 2)).toEqual([command === "approve" ? "STEP_NOT_FOUND" : "RUN_NOT_FOUND", 3]);
      expect((await refusalOf(guarded, command, foreign, "--as", "bob"))[2]).toBe(told[2]?.replace(absent, foreign));
      expect((await refusalOf(guarded, command, foreign.slice(0, 8), "--as", "bob"))[1]).toBe(3);
    }
    // Whoever has the file may read it all the same.
    expect((await guarded.call("show", stdout.trim())).exitCode).toBe(0);
    guarded.remove();
  });
});
