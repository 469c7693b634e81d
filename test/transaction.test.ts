// A start inside the program's own transaction: both count, or neither does.

import { Client } from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { openEngine, StepwellError, type Engine } from "../src/index.ts";
import { createTestDatabase } from "../src/testing/postgres.ts";

const flow = { start: { tool: "greet", args: { name: "{{ input.name }}" }, done: true } };

type Shop = { readonly url: string; readonly engine: Engine; readonly client: Client; readonly greeted: string[] };

async function openShop(): Promise<Shop> {
  const database = await createTestDatabase();
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query("create table orders (id bigint primary key, run bigint)");
  const greeted: string[] = [];
  const engine = await openEngine({
    store: database.url,
    tools: { greet: ({ name }) => greeted.push(JSON.stringify(name)) },
  });
  onTestFinished(async () => {
    await engine.stop({ now: true });
    await client.end();
    await database.drop();
  });
  return { url: database.url, engine, client, greeted };
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => "none",
    (error: unknown) => (error instanceof StepwellError ? error.code : String(error)),
  );
}

describe("a start inside the program's own transaction", () => {
  test("runs when the transaction commits, under the id that it was given", async () => {
    const { engine, client, greeted } = await openShop();
    await client.query("begin");
    const run = await engine.start(flow, { input: { name: "Ann" }, tx: client });
    expect(run).toMatchObject({ status: "accepted", warnings: [] });
    await client.query("insert into orders (id, run) values ($1, $2)", [1, run.id]);
    expect(await codeOf(engine.get(run.id))).toBe("RUN_NOT_FOUND");
    expect(greeted).toEqual([]);
    await client.query("commit");
    await expect.poll(() => codeOf(engine.get(run.id)), { timeout: 10_000 }).toBe("none");
    expect(await engine.result(run.id)).toMatchObject({ status: "completed" });
    expect((await engine.get(run.id)).uid).toBe(run.uid);
    expect(greeted).toEqual(['"Ann"']);
  });

  test("never runs when the transaction is rolled back, and its id is never given again", async () => {
    const { engine, client, greeted } = await openShop();
    await client.query("begin");
    const lost = await engine.start(flow, { input: { name: "Ben" }, tx: client });
    await client.query("rollback");
    const kept = await engine.start(flow, { input: { name: "Cid" } });
    await engine.result(kept.id);
    expect(kept.id).toBeGreaterThan(lost.id);
    expect(await codeOf(engine.get(lost.id))).toBe("RUN_NOT_FOUND");
    expect(greeted).toEqual(['"Cid"']);
  });

  test("is refused at once when the flow or its input is wrong, and the transaction goes on", async () => {
    const { engine, client } = await openShop();
    const strict = { ...flow, input: { type: "object", required: ["name"] } };
    await client.query("begin");
    expect(await codeOf(engine.start({ start: { next: "nowhere", set: {} } }, { tx: client }))).toBe("FLOW_INVALID");
    expect(await codeOf(engine.start({ format: "stepwell/v1", ...wrap(strict) }, { tx: client }))).toBe(
      "INPUT_INVALID",
    );
    await client.query("insert into orders (id) values (7)");
    await client.query("commit");
    expect((await client.query("select id from orders")).rowCount).toBe(1);
  });

  test("works through a guest, and with a key that is known gives the run that is there", async () => {
    const { url, client, engine } = await openShop();
    const guest = await openEngine({ store: url });
    onTestFinished(() => guest.stop({ now: true }));
    expect(guest.isOwner).toBe(false);
    const first = await engine.start(flow, { input: { name: "Dot" }, idempotencyKey: "order-1" });
    await client.query("begin");
    const again = await guest.start(flow, { input: { name: "Dot" }, idempotencyKey: "order-1", tx: client });
    const other = await guest.start(flow, { input: { name: "Eve" }, idempotencyKey: "order-2", tx: client });
    await client.query("commit");
    expect(again.id).toBe(first.id);
    await expect.poll(() => codeOf(guest.get(other.id)), { timeout: 10_000 }).toBe("none");
    expect(await guest.result(other.id)).toMatchObject({ status: "completed" });
  });

  test("does not take its key away from a start that runs at once", async () => {
    const { engine, client } = await openShop();
    await client.query("begin");
    const options = { input: { name: "Gil" }, idempotencyKey: "order-3" };
    const [, plain] = await Promise.all([engine.start(flow, { ...options, tx: client }), engine.start(flow, options)]);
    await client.query("rollback");
    expect(await engine.result(plain.id)).toMatchObject({ status: "completed" });
  });

  test("is refused on a file, and on another database than that of the transaction", async () => {
    const { client } = await openShop();
    const elsewhere = await openShop();
    await using file = await openEngine({ store: ":memory:", tools: { greet: () => "hello" } });
    await client.query("begin");
    expect(await codeOf(file.start(flow, { input: { name: "Fay" }, tx: client }))).toBe("TX_NEEDS_POSTGRES");
    expect(await codeOf(elsewhere.engine.start(flow, { input: { name: "Fay" }, tx: client }))).toBe(
      "TX_NEEDS_POSTGRES",
    );
    await client.query("rollback");
  });
});

/** The named notation, which may say what its input is. */
function wrap({ input, start }: { readonly input: object; readonly start: object }): object {
  return { start: "greet", input, steps: { greet: start } };
}
