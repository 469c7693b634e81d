import { describe, expect, test } from "vitest";
import { codeOfRejection, createWorld } from "../testing/engine.ts";

const gate = { start: { gate: {}, done: true } };

describe("a start under a key", () => {
  test("with another name is another start", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    const key = { idempotencyKey: "k" };
    const { id } = await engine.start(gate, { ...key, name: "one" });
    expect((await engine.start(gate, { ...key, name: "one" })).id).toBe(id);
    expect(await codeOfRejection(engine.start(gate, { ...key, name: "two" }))).toBe("KEY_REUSED");
    expect(await codeOfRejection(engine.start(gate, key))).toBe("KEY_REUSED");
  });

  test("with another time is another start; the same words are the same, whenever they are said", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    const key = { idempotencyKey: "k" };
    const { id, scheduledAt } = await engine.start(gate, { ...key, at: "in 2 hours" });
    await world.clock.advance(60_000);
    const again = await engine.start(gate, { ...key, at: "in 2 hours" });
    expect([again.id, again.scheduledAt]).toEqual([id, scheduledAt]);
    expect(await codeOfRejection(engine.start(gate, { ...key, at: "in 3 hours" }))).toBe("KEY_REUSED");
    expect(await codeOfRejection(engine.start(gate, key))).toBe("KEY_REUSED");
  });

  test("of several at the same time, those with another name or time are told", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    const options = [{ name: "a" }, { name: "b" }, { name: "a", at: "in 1 hour" }, { name: "a" }];
    const starts = options.map((each) => codeOfRejection(engine.start(gate, { idempotencyKey: "k", ...each })));
    expect(await Promise.all(starts)).toEqual(["none", "KEY_REUSED", "KEY_REUSED", "none"]);
  });
});

describe("an event under a key", () => {
  const waiting = { start: { set: {}, parallel: ["one", "two"] }, one: { wait: { event: "paid" } }, two: { gate: {} } };
  const twice = { start: { wait: { event: "paid" }, next: "more" }, more: { wait: { event: "paid" }, done: true } };

  test("is on record once, and reaches nobody again", async () => {
    await using world = createWorld("memory");
    const { engine, steps } = await world.open();
    const { id } = await engine.start(twice);
    for (let count = 0; count < 3; count++) expect(await engine.under("k").emit("paid", { sum: 1 })).toBe(1);
    expect(await steps(id)).toBe("start done, more pending");
    const records = await engine.access.audit();
    expect(records.filter(({ verb }) => verb === "event.emit")).toHaveLength(1);
  });

  test("with other data is refused, and nobody hears of it", async () => {
    await using world = createWorld("memory");
    const { engine, steps } = await world.open();
    const first = await engine.start(twice);
    await engine.under("k").emit("paid", { sum: 1 });
    const second = await engine.start(waiting);
    expect(await codeOfRejection(engine.under("k").emit("paid", { sum: 2 }))).toBe("KEY_REUSED");
    expect(await steps(first.id)).toBe("start done, more pending");
    expect(await steps(second.id)).toContain("one pending");
  });
});
