// Users, tokens and secrets on the command line.

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readBytes } from "../../src/testing/database-bytes.ts";
import { openInside, refusalOf, type Inside } from "./inside.ts";

const program = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

let inside: Inside;

beforeAll(async () => {
  inside = openInside();
  await inside.call("tool", "call", "demo.echo", "text=a");
});

afterAll(() => inside.remove());

describe("stepwell user", () => {
  test("list says that nobody is named, as long as nobody is", async () => {
    expect(await inside.call("user", "list")).toEqual({
      exitCode: 0,
      stdout: "",
      stderr: "No user is named: everybody who has the store may do everything.\n",
    });
    expect(await inside.list("user", "list")).toEqual([]);
  });

  test("save, grant and revoke say what a user may do then", async () => {
    expect((await inside.call("user", "save", "group:staff", "--key", "130001.read")).stdout).toBe("group:staff\n");
    expect(
      await inside.json("user", "save", "ann", "--group", "staff", "--key", "130001.start", "--key", "tool:demo.*"),
    ).toEqual({
      id: "user:ann",
      groups: ["staff"],
      keys: ["130001.start", "tool:demo.*"],
    });
    expect((await inside.call("user", "grant", "ann", "130001.cancel", "130001.signal")).stderr).toContain(
      "user:ann has 130001.start, tool:demo.*, 130001.cancel, 130001.signal\nin staff\n",
    );
    expect(await inside.json("user", "revoke", "ann", "130001.cancel", "130001.signal")).toMatchObject({
      keys: ["130001.start", "tool:demo.*"],
    });
    const { stdout } = await inside.call("user", "list");
    expect(stdout.split("\n").map((line) => line.split(/ {2,}/).join("|"))).toEqual([
      "WHO|IN|MAY",
      "group:staff|130001.read",
      "user:ann|staff|130001.start, tool:demo.*",
      "user:local|130001, tool:*",
      "",
    ]);
  });

  test("refuses keys that are none, users that are not there, and what nobody is named for", async () => {
    expect((await refusalOf(inside, "user", "grant", "ann", "130001.cancl"))[2]).toContain(
      'Did you mean "130001.cancel"?',
    );
    expect((await refusalOf(inside, "user", "revoke", "bob", "130001")).slice(0, 2)).toEqual([
      "PRINCIPAL_NOT_FOUND",
      3,
    ]);
    expect((await refusalOf(inside, "user", "save"))[2]).toBe("Say which user, or which group as group:NAME.");
    expect((await refusalOf(inside, "user", "grant", "ann"))[2]).toMatch(/^Say which permission/);
    for (const command of [
      ["user", "list"],
      ["token", "list"],
      ["user", "save", "eve", "--key", "130001"],
    ])
      expect((await refusalOf(inside, ...command, "--as", "ann")).slice(0, 2)).toEqual(["NOT_ALLOWED", 4]);
  });

  test("remove asks first, and takes the tokens along", async () => {
    await inside.call("user", "save", "bob");
    await inside.call("token", "create", "bob", "--name", "x");
    expect(await refusalOf(inside, "user", "remove", "bob")).toEqual([
      "USAGE",
      2,
      "Remove bob with its tokens? Nobody is here to answer.",
    ]);
    expect(await inside.json("user", "remove", "bob", "--yes")).toEqual({ id: "bob", removed: true });
    expect(
      (await inside.list("token", "list")).filter(({ user, revoked_at }) => user === "bob" && revoked_at === null),
    ).toEqual([]);
    expect((await inside.call("user", "save", "bob")).exitCode).toBe(0);
    expect((await inside.call("user", "remove", "bob", "--yes")).stderr).toMatch(/removed: bob\n$/);
  });
});

describe("stepwell user password", () => {
  test("reads it from standard input, and takes it away again; as an argument it is not taken", async () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [program, "user", "password", "ann", "-", "--store", inside.store],
      { input: "correct horse\n", encoding: "utf8" },
    );
    expect([status, stdout, stderr]).toEqual([0, "ann\n", "ann logs in with it from now on\n"]);
    expect((await readBytes(inside.store)).includes("correct horse")).toBe(false);
    expect(await inside.json("user", "password", "ann", "--remove")).toEqual({ user: "ann", has_password: false });
    const [code, , sentence] = await refusalOf(inside, "user", "password", "ann", "correct horse");
    expect([code, sentence]).toEqual(["USAGE", expect.not.stringContaining("horse")]);
    expect((await refusalOf(inside, "user", "password", "ann"))[2]).toBe("Nobody is here to type the password.");
    expect((await refusalOf(inside, "user", "password", "nobody", "--remove"))[0]).toBe("PRINCIPAL_NOT_FOUND");
  });
});

describe("stepwell token", () => {
  test("create takes scopes in words", async () => {
    const token = await inside.json("token", "create", "ann", "--name", "x", "--scope", "approve", "--scope", "tool:a");
    expect(token["scopes"]).toEqual(["130001.read", "130001.answer", "tool:a"]);
    expect((await refusalOf(inside, "token", "create", "ann", "--name", "x", "--scope", "aprove"))[2]).toContain(
      "A token may also be for read, run, approve, save, admin.",
    );
  });

  test("create shows it once; nowhere else is it kept", async () => {
    const { stdout, stderr } = await inside.call(
      "token",
      "create",
      "ann",
      "--name",
      "nightly",
      "--scope",
      "130001.read",
      "--expires",
      "90d",
    );
    expect(stdout).toMatch(/^swk_\S{32}\n$/);
    expect(stderr).toMatch(/token tok_\S+ of ann, until \d{4}-.*: it is not shown again\n$/);
    expect((await readBytes(inside.store)).includes(stdout.trim())).toBe(false);
    const token = await inside.json("token", "create", "ann", "--name", "other");
    expect(token).toMatchObject({
      user: "ann",
      name: "other",
      scopes: null,
      expires_at: null,
      text: expect.stringMatching(/^swk_/),
    });
    const listed = await inside.call("token", "list");
    expect(listed.stdout).toMatch(/^TOKEN +USER +STATE +EXPIRES +LAST USED +ONLY +NAME\n/);
    expect(listed.stdout).toMatch(/^tok_\S+ +ann +good +\d{4}-\S+ \S+ +never +130001\.read +nightly$/m);
    expect(listed.stdout).not.toContain("swk_");
    expect(JSON.stringify(await inside.list("token", "list"))).not.toMatch(/swk_|hash/);
  });

  test("revoke lets nobody in with it any more", async () => {
    const create = async (): Promise<string> =>
      (await inside.call("token", "create", "ann", "--name", "short", "-q")).stdout.trim();
    const id = await create();
    expect((await inside.call("token", "revoke", id)).stdout).toBe(`${id}\n`);
    expect((await inside.list("token", "list")).find((token) => token["id"] === id)).toMatchObject({
      revoked_at: expect.any(Number),
    });
    const second = await create();
    expect(await inside.list("token", "revoke", second)).toEqual([{ id: second, revoked: true }]);
    expect((await refusalOf(inside, "token", "revoke", "tok_x")).slice(0, 2)).toEqual(["TOKEN_NOT_FOUND", 3]);
  });

  test.each([
    [["ann"], "Say what it is for: --name TEXT."],
    [[], "Say for which user."],
    [["ann", "--name", "x", "--expires", "yesterday"], expect.stringMatching(/past|yesterday/)],
  ])("create refuses %j", async (args, told) => {
    expect(await refusalOf(inside, "token", "create", ...args)).toEqual(["USAGE", 2, told]);
  });
});

describe("stepwell secret", () => {
  test("set reads the value from standard input, without the line break at its end", async () => {
    const { status, stdout } = spawnSync(
      process.execPath,
      [program, "secret", "set", "API_KEY", "-", "--store", inside.store],
      {
        input: "s3cr3t-value\n",
        encoding: "utf8",
      },
    );
    expect([status, stdout]).toEqual([0, "API_KEY\n"]);
    expect((await inside.call("tool", "call", "text.length", "text={{ secrets.API_KEY }}")).stdout).toBe("12\n");
  });

  test("set takes no value that others can see, unless it is told to", async () => {
    const [code, exitCode, sentence] = await refusalOf(inside, "secret", "set", "OTHER", "hunter22");
    expect([code, exitCode]).toEqual(["USAGE", 2]);
    expect(sentence).not.toContain("hunter22");
    expect((await refusalOf(inside, "secret", "set", "OTHER"))[2]).toBe("Nobody is here to type the secret.");
    const { stdout, stderr } = await inside.call("secret", "set", "OTHER", "--value", "hunter22");
    expect(stdout).toBe("OTHER\n");
    expect(stderr).toMatch(/^warning: a value on the command line is seen by others/);
    expect(stderr).not.toContain("hunter22");
    expect(await inside.json("secret", "set", "OTHER", "--value", "hunter23")).toEqual({ name: "OTHER" });
  });

  test("list shows names and times, never values; remove asks first", async () => {
    const { stdout } = await inside.call("secret", "list");
    expect(stdout).toMatch(/^NAME +SET FIRST +SET LAST\nAPI_KEY +\d{4}.*\nOTHER +\d{4}.*\n$/);
    expect(await inside.list("secret", "list")).toEqual([
      { name: "API_KEY", created_at: expect.any(Number), updated_at: expect.any(Number) },
      { name: "OTHER", created_at: expect.any(Number), updated_at: expect.any(Number) },
    ]);
    expect((await refusalOf(inside, "secret", "remove", "OTHER"))[0]).toBe("USAGE");
    expect((await inside.call("secret", "remove", "OTHER", "--yes")).stderr).toMatch(/removed: OTHER\n$/);
    expect((await refusalOf(inside, "secret", "remove", "OTHER", "--yes")).slice(0, 2)).toEqual([
      "SECRET_NOT_FOUND",
      3,
    ]);
    expect(await inside.json("secret", "remove", "API_KEY", "--yes")).toEqual({ name: "API_KEY", removed: true });
    expect((await inside.call("secret", "list")).stderr).toBe("There are no secrets.\n");
    expect((await refusalOf(inside, "secret", "list", "--as", "ann")).slice(0, 2)).toEqual(["NOT_ALLOWED", 4]);
  });
});
