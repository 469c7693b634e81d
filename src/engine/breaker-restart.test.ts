import { describe, expect, test } from "vitest";
import { createDesk, createWorld, type Desk, type OpenedEngine, type World } from "../testing/engine.ts";
import { createGate } from "../testing/faulty-store.ts";
import { isObject } from "../flow/json.ts";
import type { Batch } from "../store/store.ts";

const minute = 60_000;
const once = { start: { tool: "line", effect: "read", retry: false, done: true } };
/** Ready at the very moment in which a circuit that opens now is half-open. */
const later = { start: { wait: "5m", next: "call" }, call: { ...once.start } };

/** Calls under way fail, until the circuit of the tool is open. */
async function openCircuit(world: World, desk: Desk, { engine }: OpenedEngine): Promise<void> {
  for (let time = 0; time < 3; time++) await engine.start(once);
  await world.settle();
  for (const { fail } of desk.calls) fail(new Error("the line is dead"));
  await world.settle();
  expect(await engine.breakers.list()).toMatchObject([{ state: "open", count: 3 }]);
  desk.calls.length = 0;
}

/** How the newest runs stand: so many of each status, with the code of their error. */
async function tally({ engine }: OpenedEngine, runs: number): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const { run } of await engine.list({ status: "all", limitMax: runs })) {
    const key = [run.status, ...(run.error === null ? [] : [run.error.code])].join(" ");
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

const startMany = (opened: OpenedEngine, flow: object, times: number): Promise<unknown> =>
  Promise.all(Array.from({ length: times }, () => opened.engine.start(JSON.stringify(flow))));

describe("50 calls at a half-open breaker", () => {
  test("AC-39: exactly one goes through, and all others are answered at once", async () => {
    await using world = createWorld("file");
    const desk = createDesk();
    const opened = await world.open({ tools: { line: desk.call } });
    await openCircuit(world, desk, opened);
    await startMany(opened, later, 50);
    await world.clock.advance(5 * minute);
    expect(desk.calls).toHaveLength(1);
    expect(await tally(opened, 50)).toEqual({ running: 1, "failed circuit_open": 49 });
    expect(await opened.engine.breakers.list()).toMatchObject([{ state: "half_open", isTesting: true }]);
    await startMany(opened, once, 50);
    await world.settle();
    expect(desk.calls).toHaveLength(1);
    const [refused] = await opened.engine.list({ limitMax: 1 });
    expect(refused?.run.error?.message).toBe(
      'The tool "line" has failed 3 times in a row and is not called for now: one call tests it at this moment. The last error: the line is dead',
    );
    desk.last().done("alive");
    await world.settle();
    await startMany(opened, once, 50);
    await world.settle();
    expect(desk.calls).toHaveLength(51);
  });

  test("AC-39: of a list's items exactly one goes through", async () => {
    await using world = createWorld("file");
    const desk = createDesk();
    const opened = await world.open({ tools: { line: desk.call } });
    await openCircuit(world, desk, opened);
    await world.clock.advance(5 * minute);
    const each = { items: Array.from({ length: 50 }, (_, index) => index), concurrency: 50, on_item_error: "collect" };
    const { id } = await opened.engine.start({ start: { ...once.start, each } });
    await world.settle();
    expect(desk.calls).toHaveLength(1);
    desk.last().done("alive");
    const { output } = await opened.engine.result(id);
    expect(output).toEqual(["alive", ...Array.from({ length: 49 }, () => null)]);
  });

  test("AC-39: that are cut off by a crash before any is on disk: exactly one goes through after the restart", async () => {
    await using world = createWorld("file");
    const desk = createDesk();
    const first = await world.open({ tools: { line: desk.call } });
    await openCircuit(world, desk, first);
    await startMany(first, later, 50);
    const { opened: never } = createGate();
    first.store.faults.beforeCommit = async ({ rows }) => {
      if (rows.some(({ row }) => row.status === "running" || row.error !== null)) await never;
      return undefined;
    };
    await world.clock.advance(5 * minute);
    expect(desk.calls).toHaveLength(0);
    await first.crash();
    const second = await world.open({ tools: { line: desk.call } });
    await world.settle();
    expect(desk.calls).toHaveLength(1);
    expect(await tally(second, 50)).toEqual({ running: 1, "failed circuit_open": 49 });
  });

  test.each([
    ["a crash", (one: OpenedEngine) => one.crash()],
    ["a stop", (one: OpenedEngine) => one.engine.stop({ now: true })],
  ])("AC-39: of which the test is cut off by %s: exactly one goes through after the restart", async (_how, end) => {
    await using world = createWorld("file");
    const desk = createDesk();
    const first = await world.open({ tools: { line: desk.call } });
    await openCircuit(world, desk, first);
    await startMany(first, later, 50);
    await world.clock.advance(5 * minute);
    expect(desk.calls).toHaveLength(1);
    await end(first);
    const second = await world.open({ tools: { line: desk.call } });
    await startMany(second, once, 50);
    await world.settle();
    expect(desk.calls).toHaveLength(2);
    expect(desk.last().context.idempotencyKey).toBe(desk.calls[0]?.context.idempotencyKey);
    expect(await tally(second, 100)).toEqual({ running: 1, "failed circuit_open": 99 });
    desk.last().fail(new Error("dead still"));
    await world.settle();
    expect(await second.engine.breakers.list()).toMatchObject([{ state: "open", count: 3, lastError: "dead still" }]);
  });

  test("AC-39: whose batch the store refuses: exactly one goes through when it takes it", async () => {
    await using world = createWorld("file");
    const desk = createDesk();
    const opened = await world.open({ tools: { line: desk.call } });
    await openCircuit(world, desk, opened);
    await startMany(opened, later, 50);
    let refusals = 3;
    opened.store.faults.beforeCommit = ({ rows }) => {
      if (!rows.some(({ row }) => row.status === "running") || refusals === 0) return undefined;
      refusals -= 1;
      return { kind: "refused", reason: refusals === 1 ? "stale" : "busy", message: "not now" };
    };
    await world.clock.advance(5 * minute + 10_000);
    expect(refusals).toBe(0);
    expect(desk.calls).toHaveLength(1);
    expect(await tally(opened, 50)).toEqual({ running: 1, "failed circuit_open": 49 });
  });
});

describe("what is kept of a breaker", () => {
  test("AC-39: is after a crash as it was before", async () => {
    await using world = createWorld("file");
    const tools = {
      line: () => {
        throw new Error("the line is dead");
      },
    };
    const fail = async ({ engine }: OpenedEngine): Promise<string | undefined> =>
      (await engine.result((await engine.start(once)).id)).error?.code;
    const first = await world.open({ tools });
    expect([await fail(first), await fail(first)]).toEqual(["tool_failed", "tool_failed"]);
    const two = await first.engine.breakers.list();
    expect(two).toMatchObject([{ state: "closed", count: 2 }]);
    await first.crash();
    const second = await world.open({ tools });
    expect(await second.engine.breakers.list()).toEqual(two);
    expect(await fail(second)).toBe("tool_failed");
    const open = await second.engine.breakers.list();
    expect(open).toMatchObject([{ state: "open", count: 3, lastError: "the line is dead" }]);
    await second.crash();
    await world.clock.advance(minute);
    const third = await world.open({ tools });
    expect(await third.engine.breakers.list()).toEqual(open);
    expect(await fail(third)).toBe("circuit_open");
    await world.clock.advance(4 * minute);
    expect(await fail(third)).toBe("tool_failed");
  });

  test("is on disk as soon as the failure is: a crash right after that commit finds it", async () => {
    await using world = createWorld("file");
    const desk = createDesk();
    const first = await world.open({ tools: { line: desk.call } });
    const { id } = await first.engine.start(once);
    await world.settle();
    const { opened: never } = createGate();
    first.store.faults.afterCommit = async (committed) => {
      await never;
      return committed;
    };
    desk.last().fail(new Error("the line is dead"));
    await world.settle();
    await first.crash();
    const second = await world.open({ tools: { line: desk.call } });
    expect((await second.engine.get(id)).status).toBe("failed");
    expect(await second.engine.breakers.list()).toMatchObject([{ count: 1 }]);
  });

  /** Failures and what is kept of them, with every batch. */
  function follow(batches: readonly Batch[]): readonly (readonly [failures: number, count: number])[] {
    let [failures, count] = [0, 0];
    return batches.map(({ rows, entries }) => {
      failures += rows.filter(({ row }) => row.error?.code === "tool_failed" || row.error?.code === "timeout").length;
      for (const { kind, value } of entries) if (kind === "breaker" && isObject(value)) count = Number(value["count"]);
      return [failures, count];
    });
  }

  test("is in the batch of the failure also when that came while the store was asked for another run", async () => {
    await using world = createWorld("file");
    const desk = createDesk();
    const first = await world.open({ tools: { line: desk.call } });
    const asking = await first.engine.start({ start: { gate: {}, next: "then" }, then: { set: {}, done: true } });
    const { id: step } = await first.row(asking.id, "start");
    await first.crash();
    const second = await world.open({ tools: { line: desk.call } });
    await second.engine.start(once);
    await world.settle();
    const gate = createGate();
    second.store.faults.beforeVerb = (verb) => (verb === "load" ? gate.opened : undefined);
    const approved = second.engine.approve(step);
    await world.settle();
    desk.last().fail(new Error("the line is dead"));
    gate.open();
    await approved;
    await world.settle();
    const steps = follow(second.store.batches);
    expect(steps.at(-1)).toEqual([1, 1]);
    for (const [failures, count] of steps) expect(count).toBeGreaterThanOrEqual(failures);
  });

  test("is there no later than any failure, with tries and limits of time", async () => {
    await using world = createWorld("memory");
    let calls = 0;
    const hang = new Promise<never>(() => {});
    const line = (): Promise<never> => {
      calls += 1;
      return calls % 3 === 0 ? hang : Promise.reject(new Error("the line is dead"));
    };
    const opened = await world.open({ tools: { line }, breaker: { failures: 1000 } });
    const step = { ...once.start, timeout: "2s", retry: { attempts: 3, backoff: ["1s"] } };
    for (let run = 0; run < 10; run++) await opened.engine.start({ start: step });
    await world.clock.advance(20_000);
    const steps = follow(opened.store.batches);
    expect(steps.at(-1)).toEqual([30, 30]);
    for (const [failures, count] of steps) expect(count).toBeGreaterThanOrEqual(failures);
  });
});
