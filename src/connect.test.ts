import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connect } from "./connect.ts";
import { openEngine } from "./open-engine.ts";
import { createFakeClock, turnOnce } from "./testing/fake-clock.ts";
import { addressFor } from "./testing/store-place.ts";

const oneStep = { start: { tool: "work", effect: "read", done: true } };
const gate = { start: { gate: {}, next: "then" }, then: { tool: "work", done: true } };

let folder = "";
let store = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stepwell-connect-"));
  store = addressFor(join(folder, "stepwell.db"));
});

afterEach(() => rmSync(folder, { recursive: true }));

const tools = { work: () => "done" };

describe("a client", () => {
  test("has every verb of an engine, and whoever owns the store carries it out", async () => {
    await using engine = await openEngine({ store, tools });
    await using client = await connect({ store });
    expect([engine.isOwner, client.isOwner]).toEqual([true, false]);
    const { id } = await client.start(gate, { as: "ann", idempotencyKey: "order-1" });
    const [step] = (await client.get(id)).steps;
    await client.approve(step?.id ?? 0, { by: "bob" });
    expect(await client.result(id, { timeout: "1m" })).toMatchObject({ status: "completed", output: "done" });
    const seen: string[] = [];
    for await (const { name, status } of client.watch(id)) seen.push(`${name} ${status}`);
    expect(seen).toEqual(["start done", "then done", "flow completed"]);
    expect((await client.save(oneStep, { name: "digest" })).version).toBe(1);
    expect((await client.start("digest")).status).toMatch(/running|completed/);
    expect((await client.tools.call("work")).result).toBe("done");
    await client.secrets.set("API_KEY", "a long value");
    expect(await client.breakers.list()).toEqual([]);
    await client.access.save("ann", { keys: ["130001.read.own"] });
    expect((await client.as("ann").list()).map(({ run }) => run.id)).toEqual([id]);
    await expect(client.as("ann").start(oneStep)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
    expect((await engine.list()).length).toBe(3);
  });

  test("never takes the store; what it asks of nobody waits there, and is told after the time that was said", async () => {
    const clock = createFakeClock({ now: 0 });
    await using client = await connect({ store, clock, timeout: "20s" });
    expect(await client.list()).toEqual([]);
    let told: unknown = null;
    const started = client.start(oneStep, { idempotencyKey: "order-1" }).catch((error: unknown) => {
      told = error;
    });
    await clock.advance(19_990);
    expect([told, client.isOwner]).toEqual([null, false]);
    // A server may have taken the message only now: its time begins then.
    await expect.poll(() => clock.advance(5000).then(() => told)).not.toBeNull();
    await started;
    expect(told).toMatchObject({ code: "NO_ANSWER", details: { store: client.store.name, timeoutMs: 20_000 } });
    expect(told).toHaveProperty("message", expect.stringContaining("has answered within 20s"));
    // Nobody has the lock: the next engine finds the request, and does it.
    await using engine = await openEngine({ store, tools });
    expect(engine.isOwner).toBe(true);
    const { id } = await engine.start(oneStep, { idempotencyKey: "order-1" });
    expect((await engine.result(id)).output).toBe("done");
    expect((await client.list()).map(({ run }) => run.id)).toEqual([id]);
  });

  test("reads when nobody owns the store, and hears of what a later owner does", async () => {
    const before = await openEngine({ store, tools });
    const { id } = await before.start(gate);
    await before.stop();
    await using client = await connect({ store });
    expect(await client.get(id)).toMatchObject({ status: "running", steps: [{ name: "start", status: "pending" }] });
    expect(await client.history(id)).not.toEqual([]);
    expect(await client.workflows.list()).toEqual([]);
    const result = client.result(id);
    const approved = client.approve((await client.get(id)).steps[0]?.id ?? 0);
    await using after = await openEngine({ store, tools });
    await approved;
    expect(await result).toMatchObject({ status: "completed", output: "done" });
    expect(after.isOwner).toBe(true);
  });

  test("stays a client when the owner dies, and is answered by the next", async () => {
    const first = await openEngine({ store, tools });
    await using client = await connect({ store });
    await client.start(oneStep);
    await first.stop();
    const started = client.start(oneStep);
    await using second = await openEngine({ store, tools });
    expect((await client.result((await started).id)).status).toBe("completed");
    expect([second.isOwner, client.isOwner]).toEqual([true, false]);
  });

  test("that stops leaves what it has asked, and says so to who waits", async () => {
    const client = await connect({ store });
    const started = client.start(oneStep).catch((error: unknown) => error);
    await turnOnce();
    await client.stop();
    expect(await started).toMatchObject({ code: "ENGINE_STOPPED" });
    await expect(client.start(oneStep)).rejects.toMatchObject({ code: "ENGINE_STOPPED" });
  });

  test("has no store in memory, and no time that nobody could wait for", async () => {
    await expect(connect({ store: ":memory:" })).rejects.toMatchObject({ code: "USAGE" });
    await expect(connect({ store, timeout: "soon" })).rejects.toMatchObject({ code: "USAGE" });
  });
});
