// Commands about the store: each with what people see, what programs read, and one wrong use.

import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openEngine } from "../../src/index.ts";
import { demoFlow } from "./command.ts";
import { openInside, refusalOf, wordOf, type Inside } from "./inside.ts";

let inside: Inside;

beforeEach(() => {
  inside = openInside();
});

afterEach(() => inside.remove());

async function runOnce(): Promise<number> {
  const file = inside.write("echo.yaml", "start: { tool: demo.echo, args: { text: Hi }, done: true }\n");
  return Number((await inside.json("run", file))["id"]);
}

describe("stepwell doctor", () => {
  test("finds that all is well", async () => {
    await runOnce();
    const { exitCode, stdout } = await inside.call("doctor");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^✔ content +no damage was found$/m);
    const checks = await inside.list("doctor");
    expect(checks.map(({ name, state }) => [name, state])).toEqual(
      ["program", "node", "store", "space", "folder", "version", "durability", "owner", "content", "clock"].map(
        (name) => [name, "ok"],
      ),
    );
  });

  test("says who owns the store", async () => {
    await using _ = await openEngine({ store: inside.store });
    expect((await inside.call("doctor")).stdout).toContain(`process ${process.pid} on `);
  });

  test("finds what is wrong, and ends with 5", async () => {
    await runOnce();
    {
      using database = new DatabaseSync(inside.store);
      database.exec("pragma journal_mode = delete; update commits set at = 9999999999999");
    }
    const checks = await inside.list("doctor");
    expect(checks.filter(({ state }) => state !== "ok")).toMatchObject([
      { name: "durability", state: "failed" },
      { name: "clock", state: "warning" },
    ]);
    expect((await inside.call("doctor", "-q")).stdout).toBe("durability\nclock\n");
    writeFileSync(inside.store, "Dear database,\n".repeat(100));
    rmSync(`${inside.store}-lock`);
    const { exitCode, stdout } = await inside.call("doctor");
    expect([exitCode, stdout]).toEqual([5, expect.stringContaining("is no database")]);
  });

  test("a store that is not there is no harm, unless it was named", async () => {
    expect((await inside.call("doctor")).exitCode).toBe(0);
    expect((await inside.call("doctor", "--store", join(inside.folder, "x.db"))).exitCode).toBe(3);
    expect((await refusalOf(inside, "doctor", "now"))[0]).toBe("USAGE");
  });
});

describe("stepwell backup and restore", () => {
  test("copy the store while it is used, and put the copy back", async () => {
    const first = await runOnce();
    const copy = join(inside.folder, "copy.db");
    {
      await using engine = await openEngine({ store: inside.store });
      const { exitCode, stdout, stderr } = await inside.call("backup", copy);
      expect([exitCode, stdout]).toEqual([0, `${copy}\n`]);
      expect(stderr).toContain("is copied: ");
      expect(await refusalOf(inside, "restore", copy, "--yes")).toEqual([
        "STORE_BUSY",
        5,
        `Another process owns ${inside.store}; end it first. Nothing was changed.`,
      ]);
      expect(engine.isOwner).toBe(true);
    }
    await runOnce();
    expect(await inside.list("list")).toHaveLength(2);
    const restored = await inside.json("restore", copy, "--yes");
    expect(restored).toMatchObject({
      path: inside.store,
      kept: expect.stringContaining("stepwell.db-replaced-") as unknown,
    });
    expect(await inside.list("list", "--fields", "id")).toEqual([{ id: first }]);
    expect(await inside.list("list", "--store", wordOf(restored["kept"]))).toHaveLength(2);
    // It goes on as a store does, with its log.
    await runOnce();
    expect((await inside.list("doctor")).filter(({ state }) => state !== "ok")).toEqual([]);
  });

  test("refuse to overwrite, and what is no copy", async () => {
    await runOnce();
    const copy = inside.write("there.db", "mine");
    expect((await refusalOf(inside, "backup", copy)).slice(0, 2)).toEqual(["REFUSED", 10]);
    expect(await inside.json("backup", join(inside.folder, "one.db"))).toMatchObject({
      path: join(inside.folder, "one.db"),
      version: expect.any(Number) as unknown,
    });
    expect((await refusalOf(inside, "backup"))[2]).toBe("Say where the copy goes.");
    expect((await refusalOf(inside, "restore", copy, "--yes")).slice(0, 2)).toEqual(["STORE_NOT_OURS", 5]);
    expect((await refusalOf(inside, "restore", "nowhere.db"))[0]).toBe("FILE_NOT_FOUND");
    const unasked = await inside.call("restore", join(inside.folder, "one.db"));
    expect([unasked.exitCode, unasked.stderr]).toEqual([2, expect.stringContaining("--yes says it in advance")]);
    expect(readdirSync(inside.folder).filter((name) => /partial|replaced/.test(name))).toEqual([]);
  });

  test("a damaged copy is found before anything is moved", async () => {
    await runOnce();
    const copy = join(inside.folder, "copy.db");
    await inside.call("backup", copy);
    const bytes = readFileSync(copy);
    writeFileSync(copy, bytes.fill("x", 2 * 4096));
    const refusal = await refusalOf(inside, "restore", copy, "--yes");
    expect(refusal.slice(0, 2)).toEqual(["STORE_CORRUPT", 5]);
    expect(await inside.list("list")).toHaveLength(1);
  });

  test("a store can be made of a copy alone", async () => {
    await runOnce();
    const copy = join(inside.folder, "copy.db");
    await inside.call("backup", copy);
    const other = join(inside.folder, "new", "stepwell.db");
    const { exitCode, stderr } = await inside.call("restore", copy, "--store", other);
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(await inside.list("list", "--store", other)).toHaveLength(1);
    expect(existsSync(copy)).toBe(true);
  });
});

describe("stepwell remove", () => {
  test("removes the runs that it is given once somebody says yes, and none that is alive", async () => {
    const [one, two] = [await runOnce(), await runOnce()];
    const live = Number((await inside.json("run", demoFlow("publish"), "--exit-on-wait"))["id"]);
    const asked = await inside.call("remove", String(one));
    expect([asked.exitCode, asked.stderr]).toEqual([2, expect.stringContaining(`Remove run ${one} with all that is`)]);
    expect(await refusalOf(inside, "remove", String(live), "--yes")).toEqual([
      "REFUSED",
      10,
      `Run ${live} cannot be removed: it has not ended.`,
    ]);
    const { exitCode, stdout } = await inside.call("remove", String(one), String(live), String(two), "--yes");
    expect([exitCode, stdout]).toEqual([10, `${one}\n${two}\n`]);
    expect(await inside.list("list", "--fields", "id")).toEqual([{ id: live }]);
  });
});

describe("stepwell prune", () => {
  test("removes what ended long ago, and nothing that lives", async () => {
    const old = await runOnce();
    const live = Number((await inside.json("run", demoFlow("publish"), "--exit-on-wait"))["id"]);
    expect(await inside.json("prune", "--older-than", "1h")).toMatchObject({ runs: 0 });
    const asked = await inside.call("prune", "--older-than", "0s");
    expect([asked.exitCode, asked.stderr]).toEqual([2, expect.stringContaining("Remove 1 run that ended before")]);
    expect((await inside.call("prune", "--older-than", "0s", "--yes")).stdout).toBe("1 removed\n");
    expect((await inside.call("show", String(old))).exitCode).toBe(3);
    expect(await inside.list("list", "--fields", "id")).toEqual([{ id: live }]);
    // Its ids go on rising.
    expect(await runOnce()).toBeGreaterThan(live);
    expect((await refusalOf(inside, "prune"))[2]).toBe("Say how old they must be: --older-than 30d.");
  });

  test("is done by who owns the store, when somebody does", async () => {
    const old = await runOnce();
    await using engine = await openEngine({ store: inside.store });
    const pruned = await inside.call("prune", "--older-than", "0s", "--yes");
    expect([pruned.exitCode, pruned.stdout]).toEqual([0, "1 removed\n"]);
    expect(pruned.stderr).toContain("as a guest");
    expect(engine.isOwner).toBe(true);
    await expect(engine.get(old)).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
  });

  test("asks whether who is named may do that", async () => {
    await runOnce();
    await inside.call("user", "save", "bob", "--key", "130001.operate");
    expect((await refusalOf(inside, "prune", "--older-than", "0s", "--yes", "--as", "bob")).slice(0, 2)).toEqual([
      "NOT_ALLOWED",
      4,
    ]);
    await inside.call("user", "save", "ann", "--key", "130001.admin", "--key", "130001.read");
    expect(await inside.json("prune", "--older-than", "0s", "--yes", "--as", "ann")).toMatchObject({ runs: 1 });
  });
});
