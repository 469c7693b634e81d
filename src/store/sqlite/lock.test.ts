import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, renameSync, rmSync, symlinkSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { StepwellError } from "../../error.ts";
import { card, claim, createPen, makeRun, newRun } from "../conformance/subject.ts";
import { tryLock } from "./lock.ts";
import { openSqlite } from "./open.ts";

let folder = "";
let path = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stepwell-"));
  path = join(folder, "stepwell.db");
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Another process that owns the database and does nothing else. */
async function startOwner(): Promise<ChildProcess> {
  const script = `
    import { openSqlite } from ${JSON.stringify(new URL("../../../dist/store/sqlite/open.js", import.meta.url).href)};
    const store = await openSqlite(${JSON.stringify(path)});
    const owner = { pid: process.pid, host: "there", role: "up", since: 1, address: null };
    const { kind } = await store.claim(owner);
    setInterval(() => {}, 1000);
    console.log(kind);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [said] = await once(child.stdout, "data");
  expect(String(said)).toBe("owned\n");
  return child;
}

describe("the lock", () => {
  test("is held by one, and free again when it is released", () => {
    const lock = tryLock(join(folder, "a-lock"));
    expect(lock).toBeDefined();
    expect(tryLock(join(folder, "a-lock"))).toBeUndefined();
    lock?.release();
    lock?.release();
    const next = tryLock(join(folder, "a-lock"));
    expect(next).toBeDefined();
    next?.release();
  });

  test("X9: of a process that was killed is free at once, and its guest takes over", async () => {
    const child = await startOwner();
    const guest = await openSqlite(path);
    const owner = { pid: child.pid, host: "there", role: "up", since: 1, address: null };
    expect(await guest.claim(card)).toEqual({ kind: "taken", owner });
    child.kill("SIGSTOP");
    expect(await guest.claim(card)).toEqual({ kind: "taken", owner });
    child.kill("SIGKILL");
    await once(child, "exit");
    expect((await guest.claim(card)).kind).toBe("owned");
    await guest.close();
  });

  test("X9: is the same one whatever links lead to the file", async () => {
    symlinkSync(path, join(folder, "link.db"));
    symlinkSync(folder, join(folder, "loop"));
    const stores = [];
    for (const name of [join(folder, "link.db"), join(folder, "loop", "stepwell.db"), path])
      stores.push(await openSqlite(name));
    expect(stores.map(({ name }) => name)).toEqual([path, path, path]);
    const claims = await Promise.all(stores.map((store) => store.claim(card)));
    expect(claims.map(({ kind }) => kind)).toEqual(["owned", "taken", "taken"]);
    for (const store of stores) await store.close();
  });
});

describe("an owner whose file", () => {
  test("X10: was moved acknowledges nothing any more, and says so", async () => {
    const problems: StepwellError[] = [];
    const store = await openSqlite(path, { onProblem: (problem) => problems.push(problem) });
    const pen = createPen(await claim(store));
    await pen.write({ runs: [newRun(makeRun(10))] });
    renameSync(path, join(folder, "elsewhere.db"));
    expect(await pen.hand({ runs: [newRun(makeRun(20))] })).toMatchObject({ kind: "unknown" });
    expect(await pen.hand({ runs: [newRun(makeRun(30))] })).toMatchObject({ kind: "unknown" });
    expect(problems.map(({ code }) => code)).toEqual(["STORE_LOST"]);
    expect(problems[0]?.message).toMatch(/stepwell\.db was moved or replaced while it was in use; stop this process/);
    await store.close();
  });

  test("X10: was replaced learns it without writing", async () => {
    const other = join(folder, "other.db");
    await (await openSqlite(other)).close();
    const { promise, resolve } = Promise.withResolvers<StepwellError>();
    const store = await openSqlite(path, { onProblem: resolve });
    (await claim(store)).onInbox(() => {});
    renameSync(other, path);
    const awake = setInterval(() => {}, 1000);
    expect((await promise).code).toBe("STORE_LOST");
    clearInterval(awake);
    await store.close();
  });

  test("X9: was taken although it held the lock writes nothing any more", async () => {
    const first = await openSqlite(path);
    const pen = createPen(await claim(first));
    await pen.write({ runs: [newRun(makeRun(10))] });
    // Somebody tidies up what should not be touched.
    unlinkSync(`${path}-lock`);
    const second = await openSqlite(path);
    const taker = createPen(await claim(second));
    expect(await pen.hand({ runs: [newRun(makeRun(20))] })).toMatchObject({ kind: "unknown" });
    await taker.write({ runs: [newRun(makeRun(30))] });
    const runs = await second.listRuns({ status: "all", limitMax: 10 });
    expect(runs.map(({ run }) => run.id)).toEqual([30, 10]);
    await second.close();
    await first.close();
  });
});
