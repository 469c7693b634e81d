// Everything that people get wrong at the door: a sentence and a code, the documented exit code, and nothing lost.

import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoFlow, makePlace, type Finished } from "./command.ts";
import { openInside, type Inside } from "./inside.ts";

let inside: Inside;
const hello = demoFlow("hello");

beforeAll(() => {
  inside = openInside();
});

afterAll(() => inside.remove());

type Refusal = { readonly code: string; readonly exitCode: number | null; readonly stderr: string };

async function refusalOf(...args: readonly string[]): Promise<Refusal> {
  return toRefusal(await inside.call(...args));
}

/** Told in one sentence, with a code, without a word of the program's own, and nothing on stdout. */
function toRefusal({ exitCode, stdout, stderr }: Finished): Refusal {
  expect(stdout).toBe("");
  expect(stderr).not.toMatch(/^ {4}at /m);
  const [, code = ""] = /^error: \S.*\S \(([A-Z_]+)\)$/m.exec(stderr) ?? [];
  return { code, exitCode, stderr };
}

describe("flags of every command", () => {
  test("--tz that is no zone is refused, also where no time is shown", async () => {
    for (const command of ["list", "ps", "inbox", "workflow list", "user list", "tool list", "validate"]) {
      const { code, exitCode, stderr } = await refusalOf(...command.split(" "), "--tz", "Mars/Olympus");
      expect([command, code, exitCode]).toEqual([command, "USAGE", 2]);
      expect(stderr).toContain('"Mars/Olympus" is no time zone');
    }
  });

  test("--as is refused by commands that act in nobody's name", async () => {
    const nobodys = [
      "doctor",
      "backup x.db",
      "restore x.db",
      "validate x.yaml",
      "examples",
      "test x.yaml",
      "tool list",
      "tool show log",
      "schema flow",
      "schema config",
      "completion bash",
      "help",
      "version",
      "demo",
    ];
    for (const line of nobodys) {
      const { code, exitCode, stderr } = await refusalOf(...line.split(" "), "--as", "ann");
      expect([line, code, exitCode]).toEqual([line, "USAGE", 2]);
      expect(stderr).toContain("acts in nobody's name: leave --as out.");
    }
  });

  test("--as that is no name of a user is refused by those who look, as by those who act", async () => {
    const other = openInside();
    await other.call("run", other.write("one.yaml", "start: { tool: time.now, done: true }\n"));
    for (const line of ["list", "inbox", "workflow list", "emit x"]) {
      const { code } = toRefusal(await other.call(...line.split(" "), "--as", "local"));
      expect([line, code]).toEqual([line, "NOT_ALLOWED"]);
    }
    other.remove();
  });
});

describe("a flow that cannot be run", () => {
  test("is no JSON: the line and the column", async () => {
    const file = inside.write("broken.json", '{ "start": { "tool": "log", "done": true }\n');
    const { code, exitCode, stderr } = await refusalOf("run", file);
    expect([code, exitCode]).toEqual(["FLOW_UNREADABLE", 6]);
    expect(stderr).toMatch(/^ {2}\d+:\d+ {2}error not_json: /m);
  });

  test("has errors: all of them, each with its place", async () => {
    const file = inside.write("wrong.yaml", "start: { tool: log, next: tel }\ntell: { tool: log, nxt: end }\n");
    const { code, exitCode, stderr } = await refusalOf("run", file);
    expect([code, exitCode]).toEqual(["FLOW_INVALID", 6]);
    expect(stderr).toContain('1:27  error dangling_name: There is no step "tel". Did you mean "tell"?');
    expect(stderr).toContain('2:20  error unknown_key: Step "tell" has no key "nxt". Write "next".');
  });

  test("is not there, or is a folder", async () => {
    const missing = await refusalOf("run", "nowhere.yaml");
    expect([missing.code, missing.exitCode]).toEqual(["FILE_NOT_FOUND", 3]);
    const folder = await refusalOf("run", inside.folder);
    expect([folder.code, folder.exitCode]).toEqual(["FILE_NOT_FOUND", 3]);
  });

  test("leaves no store behind", () => {
    expect(existsSync(inside.store)).toBe(false);
  });
});

describe("an input that cannot be used", () => {
  test.each([
    ["is no JSON", ["--input", "{who: Ada}"], "INPUT_INVALID", 6],
    ["is no object", ["--input", "[1]"], "INPUT_INVALID", 6],
    ["is in a file that is not there", ["--input", "@nowhere.json"], "FILE_NOT_FOUND", 3],
    ["is no key=value", ["Ada"], "USAGE", 2],
    ["has no key", ["=Ada"], "USAGE", 2],
    ["has a key twice", ["who=Ada", "who=Bob"], "USAGE", 2],
    ["says := and gives no JSON", ["who:=Ada"], "INPUT_INVALID", 6],
  ])("%s", async (_, args, code, exitCode) => {
    const refusal = await refusalOf("run", hello, ...args);
    expect([refusal.code, refusal.exitCode]).toEqual([code, exitCode]);
  });

  test("does not fit the flow's schema, and no run is made", async () => {
    const refusal = await refusalOf("run", hello, "who:=5", "--store", join(inside.folder, "schema.db"));
    expect([refusal.code, refusal.exitCode]).toEqual(["INPUT_INVALID", 6]);
    expect(refusal.stderr).toContain("who");
    using database = new DatabaseSync(join(inside.folder, "schema.db"), { readOnly: true });
    expect(database.prepare("select count(*) as runs from workflows").get()).toEqual({ runs: 0 });
  });
});

describe("a command that is not understood", () => {
  test.each([
    [["rum", "x.flow"], 'There is no command "rum". Did you mean "run"?'],
    [["--no-open", "rum"], 'There is no command "rum". Did you mean "run"?'],
    // The name of the command that takes it may be left out.
    [["--no-open", "--port", "99999"], '"99999" is no port.'],
    [["run"], "Say which flow to run."],
    [["run", hello, "--timeout", "soon"], '"soon" is no length of time.'],
    [["run", hello, "--durability", "some"], 'There is no durability "some".'],
    [["run", hello, "--sotre", "a.db"], "--sotre"],
    [["watch", "first"], '"first" is no id of a run.'],
  ])("%j", async (args, told) => {
    const { code, exitCode, stderr } = await refusalOf(...args);
    expect([code, exitCode]).toEqual(["USAGE", 2]);
    expect(stderr).toContain(told);
    expect(stderr).toContain("hint: ");
  });

  test("a run or a store that is not there is not found, and not made", async () => {
    const missing = await refusalOf("watch", "1", "--store", join(inside.folder, "none.db"));
    expect([missing.code, missing.exitCode]).toEqual(["FILE_NOT_FOUND", 3]);
    expect(existsSync(join(inside.folder, "none.db"))).toBe(false);
    const other = join(inside.folder, "other.db");
    await inside.call("run", hello, "--detach", "--store", other);
    const unknown = await refusalOf("watch", "1", "--store", other);
    expect([unknown.code, unknown.exitCode]).toEqual(["RUN_NOT_FOUND", 3]);
  });
});

describe("a store that cannot be used", () => {
  test("is no database, and stays what it is", async () => {
    const file = inside.write("letter.txt", "Dear database,\n".repeat(100));
    const { code, exitCode } = await refusalOf("run", hello, "--store", file);
    expect([code, exitCode]).toEqual(["STORE_NOT_OURS", 5]);
    expect(readFileSync(file, "utf8")).toBe("Dear database,\n".repeat(100));
    expect(readdirSync(inside.folder).filter((name) => name.startsWith("letter"))).toEqual(["letter.txt"]);
  });

  test("is a database of another program, and stays what it is", async () => {
    const file = join(inside.folder, "other-program.db");
    using database = new DatabaseSync(file);
    database.exec("create table notes (text text); insert into notes values ('mine')");
    const { code, exitCode } = await refusalOf("run", hello, "--store", file);
    expect([code, exitCode]).toEqual(["STORE_NOT_OURS", 5]);
    expect(database.prepare("select name from sqlite_schema").all()).toEqual([{ name: "notes" }]);
  });

  test("was written by a newer version, and keeps its runs", async () => {
    const file = join(inside.folder, "newer.db");
    const started = await inside.call("run", hello, "--store", file, "--json");
    const { id } = JSON.parse(started.stdout) as { readonly id: number };
    using database = new DatabaseSync(file);
    database.exec("pragma user_version = 9999");
    const { code, exitCode } = await refusalOf("run", hello, "--store", file);
    expect([code, exitCode]).toEqual(["STORE_NEWER", 5]);
    expect(database.prepare("select id, status from workflows").all()).toEqual([{ id, status: "completed" }]);
  });

  test("stands where a file is in the way", async () => {
    const file = inside.write("in-the-way", "");
    const { code, exitCode, stderr } = await refusalOf("run", hello, "--store", join(file, "stepwell.db"));
    expect([code, exitCode]).toEqual(["STORE_UNREADABLE", 5]);
    expect(stderr).toContain("in-the-way");
  });

  test("stands in a folder that must not be written", async (context) => {
    const place = makePlace();
    const folder = join(place.folder, "read-only");
    mkdirSync(folder);
    chmodSync(folder, 0o555);
    // Permissions do not bind root, unless it gives up its privileges.
    const isRoot = process.getuid?.() === 0;
    const wrapper = isRoot ? ["setpriv", "--bounding-set", "-all", "--inh-caps", "-all"] : [];
    const [giveUp] = wrapper;
    if (giveUp !== undefined && spawnSync(giveUp, ["--version"]).status !== 0) {
      context.skip("root ignores permissions, and there is no setpriv to change that");
    }
    const started = place.startWith(wrapper, ["run", hello, "--store", join(folder, "s.db")]);
    const { code, exitCode, stderr } = toRefusal(await started.finished);
    expect([code, exitCode]).toEqual(["STORE_READ_ONLY", 5]);
    expect(stderr).toContain("read-only");
    expect(readdirSync(folder)).toEqual([]);
    await place.remove();
  });
});

describe("with --json", () => {
  test.each([
    [["run", "nowhere.yaml"], "FILE_NOT_FOUND", 3],
    [["run", hello, "--input", "[1]"], "INPUT_INVALID", 6],
    [["run"], "USAGE", 2],
  ])("%j the error is one document on stdout, and nothing else is said", async (args, code, status) => {
    const { exitCode, stdout, stderr } = await inside.call(...args, "--json");
    expect([exitCode, stderr]).toEqual([status, ""]);
    const said: unknown = expect.any(String);
    expect(JSON.parse(stdout)).toEqual({ error: { code, message: said, hint: said } });
  });
});
