import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { claim, createPen, endRun, makeRow, makeRun, newRow, newRun } from "../conformance/subject.ts";
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

const long = "x".repeat(60_000);

describe("tidying up", () => {
  test("S4: cuts a log that a slow reader has let grow", async () => {
    const store = await openSqlite(path);
    const { ownership, write } = createPen(await claim(store));
    const slow = new DatabaseSync(path, { readOnly: true });
    slow.exec("begin; select count(*) from runs");
    for (let id = 1000; id < 1300; id += 1)
      await write({ rows: [newRow(10, makeRow(id, { status: "done", result: long }))] });
    expect((await store.measure()).walBytes).toBeGreaterThan(16 * 1024 * 1024);
    await ownership.tidy();
    expect((await store.measure()).walBytes).toBeGreaterThan(16 * 1024 * 1024);
    slow.close();
    await ownership.tidy();
    const { walBytes, fileBytes } = await store.measure();
    expect(walBytes).toBe(0);
    expect(fileBytes).toBeGreaterThan(16 * 1024 * 1024);
    await store.close();
  });

  test("S13: gives back what is free, a piece at a time, until little is left", async () => {
    const store = await openSqlite(path);
    const { ownership, write } = createPen(await claim(store));
    const ids = Array.from({ length: 400 }, (_, index) => 1000 + index * 2);
    await write({
      runs: ids.map((id) => newRun(endRun(makeRun(id)))),
      rows: ids.map((id) => newRow(id, makeRow(id + 1, { status: "done", result: long }))),
    });
    const { runs } = await ownership.listPrunable({ endedBefore: null, keepMax: null, rowsMax: 1e6 });
    await write({ pruned: runs });
    const sizes: number[] = [];
    for (let count = 0; count < 12; count += 1) {
      await ownership.tidy();
      sizes.push((await store.measure()).freeBytes);
    }
    expect(sizes[0]).toBeGreaterThan(15_000_000);
    expect(sizes.at(-1)).toBeLessThan(2000 * 4096 + 1);
    await store.close();
    const after = await openSqlite(path);
    expect((await after.measure()).fileBytes).toBeLessThan(10_000_000);
    await after.close();
  });
});
