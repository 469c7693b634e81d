import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Client } from "pg";
import { createTestDatabase, type TestDatabase } from "../../testing/postgres.ts";
import { card, claim, createPen, makeRun, newRun } from "../conformance/subject.ts";
import type { Store } from "../store.ts";
import { openPostgres, type PostgresOptions } from "./open.ts";

let database: TestDatabase;
const opened: Store[] = [];

beforeEach(async () => {
  database = await createTestDatabase();
});

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
  await database.drop();
});

async function open(options: PostgresOptions = {}): Promise<Store> {
  const store = await openPostgres(database.url, options);
  opened.push(store);
  return store;
}

/** All sessions on the database but the one that does it. */
async function endSessions(): Promise<void> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  await client.end();
}

describe("a store on a server", () => {
  test("is named by its address, without the password", async () => {
    const url = new URL(database.url);
    const store = await open();
    expect(store.name).toContain(`${url.host}${url.pathname}`);
    expect(new URL(store.name).password).toBe("");
    expect([store.durability, store.whenLost]).toEqual(["full", "claim_again"]);
    expect((await open({ durability: "fast" })).durability).toBe("fast");
  });

  test("P1: goes on when all its sessions have ended: it reads, takes messages, and is claimed again", async () => {
    const store = await open();
    const first = createPen(await claim(store));
    await first.write({ runs: [newRun(makeRun(10))] });
    const lost = Promise.withResolvers<string>();
    first.ownership.onLost(({ code }) => lost.resolve(code));
    await endSessions();
    expect(await lost.promise).toBe("STORE_LOST");
    expect(await first.hand({ runs: [newRun(makeRun(20))] })).toMatchObject({ kind: "unknown" });
    const id = await store.post("hello", "ann");
    const second = createPen(await claim(store));
    await second.write({ runs: [newRun(makeRun(20))], answers: [{ id, answer: 1 }] });
    expect((await store.listRuns({ status: "all", limitMax: 9 })).map(({ run }) => run.id)).toEqual([20, 10]);
    expect(await store.findAnswer(id)).toEqual({ answer: 1 });
  });

  test("is closed as often as one likes, and answers nothing any more", async () => {
    const store = await open();
    await store.close();
    await store.close();
    await expect(store.findRun(1)).rejects.toMatchObject({ code: "STORE_LOST" });
  });

  test("tells others that something was written", async () => {
    const [owner, guest] = [await open(), await open()];
    const pen = createPen(await claim(owner));
    const told = Promise.withResolvers<void>();
    const awake = setInterval(() => {}, 1000);
    const stop = guest.onHint(() => {
      // Once at its beginning, since something may have been missed before.
      guest.lastCommit().then((no) => no > 0 && told.resolve(), told.reject);
    });
    await pen.write({ runs: [newRun(makeRun(10))] });
    await told.promise;
    stop();
    clearInterval(awake);
    expect(await guest.findRun(10)).toBeDefined();
  });

  test("says who owned it last", async () => {
    const store = await open();
    expect(await store.findOwner()).toBeUndefined();
    const ownership = await claim(store, { ...card, pid: 99 });
    await ownership.release();
    expect(await store.findOwner()).toEqual({ ...card, pid: 99 });
  });
});
