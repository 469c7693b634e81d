import { execFileSync, spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { StepwellError } from "../../error.ts";
import { card, claim, createPen, flow, makeRow, makeRun, newRow, newRun } from "../conformance/subject.ts";
import { openSqlite, type SqliteOptions } from "./open.ts";

let folder = "";
let path = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stepwell-"));
  path = join(folder, "stepwell.db");
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

async function refusalOf(file: string, options: SqliteOptions = {}): Promise<StepwellError> {
  try {
    const store = await openSqlite(file, options);
    await store.close();
  } catch (error) {
    if (error instanceof StepwellError) return error;
    throw error;
  }
  throw new Error(`${file} was opened`);
}

/** A database of ours with a run in it, closed. */
async function writeDatabase(file: string): Promise<void> {
  const store = await openSqlite(file);
  const pen = createPen(await claim(store));
  await pen.write({ flows: [flow], runs: [newRun(makeRun(10))], rows: [newRow(10, makeRow(11))] });
  await store.close();
}

function overwrite(file: string, at: number, bytes: Uint8Array): void {
  const content = readFileSync(file);
  content.set(bytes, at);
  writeFileSync(file, content);
}

describe("opening a file", () => {
  test("E0-04, E0-07: makes all tables on the first start, and changes nothing on the next", async () => {
    const deep = join(folder, "some", "where", "stepwell.db");
    await (await openSqlite(deep)).close();
    const before = readFileSync(deep);
    await (await openSqlite(deep)).close();
    expect(readFileSync(deep)).toEqual(before);
    const database = new DatabaseSync(deep, { readOnly: true });
    const names = database.prepare("select name from sqlite_schema where type in ('table', 'view')").all();
    expect(names.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["runs", "steps", "inbox", "commits", "workflows", "workflow_steps"]),
    );
    expect(database.prepare("pragma auto_vacuum").get()).toEqual({ auto_vacuum: 2 });
    expect(database.prepare("pragma journal_mode").get()).toEqual({ journal_mode: "wal" });
    database.close();
  });

  test("takes an empty file, and a database without tables, as new", async () => {
    writeFileSync(path, "");
    await writeDatabase(path);
    const bare = join(folder, "bare.db");
    new DatabaseSync(bare).exec("vacuum");
    await writeDatabase(bare);
    const database = new DatabaseSync(bare, { readOnly: true });
    expect(database.prepare("pragma auto_vacuum").get()).toEqual({ auto_vacuum: 2 });
    database.close();
  });

  test("of many at once makes one database", async () => {
    const stores = await Promise.all(Array.from({ length: 5 }, () => openSqlite(path)));
    const claims = await Promise.all(stores.map((store) => store.claim(card)));
    expect(claims.filter(({ kind }) => kind === "owned")).toHaveLength(1);
    for (const store of stores) await store.close();
  });

  test("finds what a killed process left in the log", async () => {
    const script = `
      import { openSqlite } from ${JSON.stringify(new URL("../../../dist/store/sqlite/open.js", import.meta.url).href)};
      const store = await openSqlite(${JSON.stringify(path)});
      await store.claim(${JSON.stringify(card)});
      await store.post("kept", "ann");
      process.kill(process.pid, "SIGKILL");`;
    expect(() => execFileSync(process.execPath, ["--input-type=module", "-e", script])).toThrow("Command failed");
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
    const store = await openSqlite(path);
    const { ownership } = await store.claim(card).then((claimed) => {
      if (claimed.kind === "owned") return claimed;
      throw new Error("taken");
    });
    const { promise, resolve } = Promise.withResolvers<unknown>();
    ownership.onInbox(resolve);
    expect(await promise).toMatchObject([{ message: "kept", by: "ann" }]);
    await store.close();
  });
});

describe("a file that cannot be opened is refused and left as it is:", () => {
  test("a folder", async () => {
    const refusal = await refusalOf(folder);
    expect(refusal.code).toBe("STORE_UNREADABLE");
    expect(refusal.message).toBe(`${folder} is a folder; give the path of a file for the database.`);
  });

  test("a path through a file", async () => {
    writeFileSync(path, "hello");
    expect((await refusalOf(join(path, "inside.db"))).code).toBe("STORE_UNREADABLE");
  });

  test("a circle of links", async () => {
    symlinkSync(join(folder, "b.db"), join(folder, "a.db"));
    symlinkSync(join(folder, "a.db"), join(folder, "b.db"));
    expect((await refusalOf(join(folder, "a.db"))).code).toBe("STORE_UNREADABLE");
  });

  test("a text", async () => {
    const text = "This is no database.\n".repeat(100);
    writeFileSync(path, text);
    const refusal = await refusalOf(path);
    expect(refusal.code).toBe("STORE_NOT_OURS");
    expect(refusal.message).toMatch(/stepwell\.db is no database .* Nothing was changed\./);
    expect(readFileSync(path, "utf8")).toBe(text);
    expect(readdirSync(folder)).toEqual(["stepwell.db"]);
  });

  test("a database of another program", async () => {
    const database = new DatabaseSync(path);
    database.exec("create table notes (text); insert into notes values ('mine')");
    database.close();
    const before = readFileSync(path);
    expect((await refusalOf(path)).code).toBe("STORE_NOT_OURS");
    expect(readFileSync(path)).toEqual(before);
    expect(readdirSync(folder)).toEqual(["stepwell.db"]);
  });

  test("a database of a newer version", async () => {
    await writeDatabase(path);
    const database = new DatabaseSync(path);
    database.exec("pragma user_version = 9999");
    database.close();
    const before = readFileSync(path);
    const refusal = await refusalOf(path);
    expect(refusal.code).toBe("STORE_NEWER");
    expect(refusal.message).toMatch(/its version is 9999, .* install the newer one/);
    expect(readFileSync(path)).toEqual(before);
  });

  test("S3: a header of zeros", async () => {
    await writeDatabase(path);
    overwrite(path, 0, new Uint8Array(100));
    const before = readFileSync(path);
    expect((await refusalOf(path)).code).toBe("STORE_CORRUPT");
    expect(readFileSync(path)).toEqual(before);
  });

  test("S3: a file that was cut off", async () => {
    await writeDatabase(path);
    truncateSync(path, 5000);
    expect((await refusalOf(path)).code).toBe("STORE_CORRUPT");
    expect(statSync(path).size).toBe(5000);
  });

  test("S3: a file that was emptied beside its log", async () => {
    const store = await openSqlite(path);
    await store.post("kept", "ann");
    const copy = join(folder, "copy.db");
    copyFileSync(`${path}-wal`, `${copy}-wal`);
    await store.close();
    writeFileSync(copy, "");
    const refusal = await refusalOf(copy);
    expect(refusal.code).toBe("STORE_CORRUPT");
    expect(refusal.message).toMatch(/is empty, but copy\.db-wal beside it is not/);
    rmSync(copy);
    expect((await refusalOf(copy)).message).toMatch(/is gone, but copy\.db-wal beside it is not/);
    expect(statSync(`${copy}-wal`).size).toBeGreaterThan(0);
  });

  test("a folder that must not be written", ({ skip }) => {
    if (!canGiveUpRights()) return skip(withoutSetpriv);
    const closed = join(folder, "closed");
    mkdirSync(closed, { mode: 0o555 });
    expect(refusalWithoutRights(join(closed, "stepwell.db"))).toMatch(/^STORE_READ_ONLY .*closed.* cannot be written/);
    expect(existsSync(join(closed, "stepwell.db"))).toBe(false);
  });

  test("a file that must not be written", async ({ skip }) => {
    if (!canGiveUpRights()) return skip(withoutSetpriv);
    await writeDatabase(path);
    run("chmod", ["444", path]);
    expect(refusalWithoutRights(path)).toMatch(/^STORE_READ_ONLY .*stepwell\.db cannot be written/);
  });

  test("S1: a disk that is full", ({ skip }) => {
    const disk = join(folder, "disk");
    mkdirSync(disk);
    try {
      run("mount", ["-t", "tmpfs", "-o", "size=32k", "tmpfs", disk]);
    } catch {
      return skip("a small disk needs the right to mount one");
    }
    try {
      const message = refusalIn(disk);
      expect(message).toMatch(/^STORE_FULL .*There is no room left for .*stepwell\.db/);
    } finally {
      run("umount", [disk]);
    }
  });
});

function run(command: string, args: readonly string[]): void {
  execFileSync(command, args, { stdio: "pipe" });
}

const withoutSetpriv = "root ignores permissions, and there is no setpriv to change that";

/** Permissions do not bind root, unless it gives up its privileges. */
const givingUp: readonly string[] =
  process.getuid?.() === 0 ? ["setpriv", "--bounding-set", "-all", "--inh-caps", "-all"] : ["env"];

function canGiveUpRights(): boolean {
  const [command = ""] = givingUp;
  return spawnSync(command, ["--version"]).status === 0;
}

/** What opening says in a process of its own. */
function refusalInProcess(file: string, wrapper: readonly string[]): string {
  const script = `
    import { openSqlite } from ${JSON.stringify(new URL("../../../dist/store/sqlite/open.js", import.meta.url).href)};
    try { await openSqlite(${JSON.stringify(file)}); console.log("opened"); }
    catch (error) { console.log(error.code + " " + error.message); }`;
  const args = [...wrapper, process.execPath, "--input-type=module", "-e", script];
  return execFileSync("env", args, { encoding: "utf8", cwd: "/" });
}

function refusalWithoutRights(file: string): string {
  return refusalInProcess(file, givingUp);
}

function refusalIn(disk: string): string {
  return refusalInProcess(join(disk, "stepwell.db"), []);
}
