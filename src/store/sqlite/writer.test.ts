import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Json } from "../../flow/json.ts";
import type { Row } from "../../run/model.ts";
import { startKernel } from "../../testing/kernel.ts";
import { emptyWrites, type Batch, type Committed } from "../store.ts";
import { flattenBatch } from "../columns/batch.ts";
import { listMigrations } from "./migrate.ts";
import { createSwiftWriter } from "./swift-writer.ts";
import { createInlineWriter, openThreadWriter, type Writer } from "./thread-writer.ts";
import { createStatements, writeFlat } from "./writer.ts";

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stepwell-"));
  path = join(folder, "test.db");
  const database = new DatabaseSync(path);
  database.exec("pragma journal_mode = wal");
  for (const { text } of listMigrations()) database.exec(text);
  database.close();
});

afterEach(() => rmSync(folder, { recursive: true }));

function batchOf(no: number, parts: Partial<Batch>): Batch {
  return { ...emptyWrites, at: 1, lastId: 9, no, ...parts };
}

/** A run whose one call is under way. */
function firstBatch(): { readonly batch: Batch; readonly row: Row } {
  const kernel = startKernel({ start: { tool: "greet", done: true } });
  kernel.admitAll();
  const run = kernel.run();
  const row = kernel.row("start");
  const rows = [{ run: run.id, uid: run.uid, row, before: null }];
  return { batch: batchOf(1, { runs: [{ run, flow: "hash", startKey: "once", isNew: true }], rows }), row };
}

function finish(row: Row): Row {
  const over = { status: "done", result: { ok: true }, outcome: "success", completedAt: 5, finishedNo: 1 } as const;
  return { ...row, ...over, version: row.version + 1, token: null, alarms: [] };
}

function write(database: DatabaseSync, batch: Batch): Committed {
  return writeFlat(database, createStatements(database), flattenBatch(batch));
}

function count(database: DatabaseSync, table: string): unknown {
  return database.prepare(`select count(*) as count from ${table}`).get()?.["count"];
}

describe("a batch", () => {
  it("is one transaction, with a line that says what changed", () => {
    const database = new DatabaseSync(path);
    const { batch, row } = firstBatch();
    expect(write(database, batch)).toEqual({ kind: "committed", no: 1 });
    const done = batchOf(2, { rows: [{ run: 1, uid: "run-uid", row: finish(row), before: row }] });
    expect(write(database, done)).toEqual({ kind: "committed", no: 2 });
    const lines = database.prepare("select no, last_id, changes from commits").all();
    expect(lines).toEqual([
      { no: 1, last_id: 9, changes: `[[1,null,"running"],[1,${row.id},"running"]]` },
      { no: 2, last_id: 9, changes: `[[1,${row.id},"done"]]` },
    ]);
    database.close();
  });

  it("is refused as stale, and leaves nothing, when a row is not as it was believed to be", () => {
    const database = new DatabaseSync(path);
    const { batch, row } = firstBatch();
    write(database, batch);
    const event = { id: "e", kind: "told", at: 1, row: null, by: null, data: null };
    for (const before of [
      { ...row, version: 7 },
      { ...row, id: 99 },
    ]) {
      for (const after of [finish(before), { ...before, isHeld: true }]) {
        const rows = [{ run: 1, uid: "run-uid", row: after, before }];
        expect(write(database, batchOf(2, { rows, events: [{ run: 1, event }] }))).toMatchObject({ reason: "stale" });
      }
    }
    const [old] = batch.runs;
    expect(old === undefined ? null : write(database, batchOf(2, { runs: [{ ...old, isNew: false }] }))).toMatchObject({
      reason: "stale",
    });
    expect([count(database, "commits"), count(database, "events")]).toEqual([1, 0]);
    database.close();
  });

  it("is refused when the one before it is missing, or is written already", () => {
    const database = new DatabaseSync(path);
    const { batch } = firstBatch();
    expect(write(database, { ...batch, no: 2 })).toMatchObject({ kind: "refused", reason: "behind" });
    write(database, batch);
    expect(write(database, batch)).toMatchObject({ kind: "refused", reason: "behind" });
    database.close();
  });

  it("is refused when it breaks a constraint, finds no room, or the file is busy", () => {
    const database = new DatabaseSync(path);
    const { batch, row } = firstBatch();
    write(database, batch);
    expect(write(database, { ...batch, no: 2 })).toMatchObject({ kind: "refused", reason: "constraint" });
    const half = { ...finish(row), createdAt: 0.5, isHeld: true };
    const rows = [{ run: 1, uid: "run-uid", row: half, before: row }];
    expect(write(database, batchOf(2, { rows }))).toMatchObject({ kind: "refused", reason: "constraint" });

    const other = new DatabaseSync(path);
    other.exec("begin immediate");
    expect(write(database, batchOf(2, {}))).toMatchObject({ kind: "refused", reason: "busy" });
    other.close();

    database.exec("pragma max_page_count = 1");
    const flows = [{ hash: "h", name: null, source: "x".repeat(100_000), createdAt: 0 }];
    expect(write(database, batchOf(2, { flows }))).toMatchObject({ kind: "refused", reason: "full" });
    expect(database.isTransaction).toBe(false);
    expect(write(database, batchOf(2, {}))).toEqual({ kind: "committed", no: 2 });
    database.close();
  });

  it("takes a run that has ended away with all that belongs to it, and no other", () => {
    const database = new DatabaseSync(path);
    const { batch, row } = firstBatch();
    const event = { id: "e", kind: "told", at: 1, row: null, by: null, data: null };
    const long = { ...row, args: "x".repeat(100_000) };
    write(database, { ...batch, rows: [{ run: 1, uid: "run-uid", row: long, before: null }] });
    const visits = [{ run: 1, step: "start", count: { all: 2, sinceRest: 2, rest: 0 } }];
    const signals = [{ run: 1, signals: [{ id: "s", name: "go", data: null }] }];
    write(database, batchOf(2, { events: [{ run: 1, event }], visits, signals, pruned: [1] }));
    const tables = ["runs", "steps", "blobs", "events", "visits", "signals"];
    expect(tables.map((table) => count(database, table))).toEqual([1, 1, 1, 1, 1, 1]);
    const runs = batch.runs.map((one) => {
      const run = { ...one.run, version: 9, status: "failed", completedAt: 3 } as const;
      return { ...one, run, isNew: false };
    });
    expect(write(database, batchOf(3, { runs }))).toMatchObject({ kind: "committed" });
    write(database, batchOf(4, { pruned: [1] }));
    expect(tables.map((table) => count(database, table))).toEqual([0, 0, 0, 0, 0, 0]);
    database.close();
  });
});

describe("a swift writer", () => {
  it("leaves to the thread what somebody else's transaction keeps it from", async () => {
    const database = new DatabaseSync(path, { timeout: 0 });
    const other = new DatabaseSync(path);
    const writer = createSwiftWriter(await openThreadWriter({ path, durability: "full" }), database);
    const { batch } = firstBatch();
    other.exec("begin immediate");
    const committed = writer.write(batch);
    other.exec("rollback");
    expect(await committed).toMatchObject({ kind: "committed" });
    await writer.close();
    database.close();
    other.close();
  });
});

describe.each(["thread", "inline", "swift"])("a writer: %s", (kind) => {
  async function open(): Promise<Writer> {
    if (kind === "thread") return openThreadWriter({ path, durability: "full" });
    const database = new DatabaseSync(path);
    if (kind === "inline") return { ...createInlineWriter(database), close: async () => database.close() };
    const writer = createSwiftWriter(await openThreadWriter({ path, durability: "full" }), database);
    const close = async (): Promise<void> => {
      await writer.close();
      database.close();
    };
    return { ...writer, close };
  }

  it("answers in order, and waits at its end for what it was given", async () => {
    const writer = await open();
    const { batch, row } = firstBatch();
    const answers = [writer.write(batch), writer.write(batchOf(3, {})), writer.write(batchOf(2, {}))];
    const next = finish(row);
    const last = writer.write(batchOf(3, { rows: [{ run: 1, uid: "run-uid", row: next, before: row }] }));
    await writer.close();
    expect((await Promise.all([...answers, last])).map((one) => one.kind)).toEqual([
      "committed",
      "refused",
      "committed",
      "committed",
    ]);
    const database = new DatabaseSync(path);
    expect(database.prepare("select status, result from steps").all()).toEqual([
      { status: "done", result: '{"ok":true}' },
    ]);
    database.close();
  });

  it("keeps the newest commit, whatever is pruned, and goes on counting from it", async () => {
    const writer = await open();
    for (let no = 1; no <= 3; no++) await writer.write(batchOf(no, {}));
    await writer.maintain({ kind: "prune_commits", keepFrom: 3 });
    await writer.maintain({ kind: "prune_commits", keepFrom: 100 });
    await writer.maintain({ kind: "vacuum", pages: 10 });
    await writer.maintain({ kind: "checkpoint" });
    expect(await writer.write(batchOf(4, {}))).toEqual({ kind: "committed", no: 4 });
    await writer.close();
    const database = new DatabaseSync(path);
    expect(database.prepare("select no from commits").all()).toEqual([{ no: 3 }, { no: 4 }]);
    database.close();
  });

  it("refuses what has no text, and goes on", async () => {
    const writer = await open();
    const answers = [{ id: 1, answer: 1n as unknown as Json }];
    expect(await writer.write(batchOf(1, { answers }))).toMatchObject({ kind: "refused", reason: "constraint" });
    const nameless = batchOf(1, { lastId: Symbol("no number") as unknown as number });
    expect(await writer.write(nameless)).toMatchObject({ kind: "refused", reason: "constraint" });
    expect(await writer.write(batchOf(1, {}))).toEqual({ kind: "committed", no: 1 });
    await writer.close();
  });
});

describe("a thread that writes", () => {
  it("says why it cannot be opened", async () => {
    const nowhere = join(folder, "no", "where.db");
    await expect(openThreadWriter({ path: nowhere, durability: "full" })).rejects.toThrow(
      "unable to open database file",
    );
  });

  it("knows nothing of a batch that it is given after its end", async () => {
    const writer = await openThreadWriter({ path, durability: "fast" });
    await writer.close();
    await writer.close();
    expect(await writer.write(batchOf(1, {}))).toMatchObject({ kind: "unknown" });
    await expect(writer.maintain({ kind: "checkpoint" })).rejects.toThrow("closed");
  });

  it("leaves nobody waiting when it dies", async () => {
    const writer = await openThreadWriter({ path, durability: "full" });
    const post = vi.spyOn(Worker.prototype, "postMessage").mockImplementation(function (this: Worker) {
      void this.terminate();
    });
    const answers = await Promise.all([writer.write(batchOf(1, {})), writer.write(batchOf(2, {}))]);
    post.mockRestore();
    expect(answers).toMatchObject([{ kind: "unknown" }, { kind: "unknown" }]);
    expect(await writer.write(batchOf(3, {}))).toMatchObject({ kind: "unknown" });
    await writer.close();
  });
});
