import { expect, test } from "vitest";
import { systemClock } from "../../engine/clock.ts";
import type { Engine } from "../../engine/engine.ts";
import { createWorld } from "../../testing/engine.ts";
import { openWire, tasks, type Wire, type WireWish } from "../../testing/mcp-wire.ts";

type Opened = {
  readonly engine: Engine;
  readonly wire: Wire;
  readonly resting: Promise<void>;
  /** Resolves when the run is being undone; `undone` lets that end. */
  readonly undoing: Promise<void>;
  readonly undone: () => void;
} & AsyncDisposable;

type Moment = PromiseWithResolvers<void>;

/** With a workflow that has done something and is undone when it is cancelled, which takes as long as the test likes. */
async function open(wish: WireWish): Promise<Opened> {
  const world = createWorld("memory");
  const [resting, undoing, undone] = [1, 2, 3].map(() => Promise.withResolvers<void>()) as [Moment, Moment, Moment];
  const tools = {
    book: () => "booked",
    rest: (_: unknown, { signal }: { readonly signal: AbortSignal }) => {
      resting.resolve();
      return new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(new Error("cut off")));
      });
    },
    unbook: async () => {
      undoing.resolve();
      await undone.promise;
    },
  };
  const { engine } = await world.open({ tools, clock: systemClock });
  const start = { tool: "book", effect: "write", compensate: { tool: "unbook" }, next: "ask" };
  await engine.save({ steps: { start, ask: { gate: { title: "Go on?" }, done: true } } }, { name: "trip" });
  const wire = await openWire(engine, { quickMs: 60_000, ...wish });
  return {
    engine,
    wire,
    resting: resting.promise,
    undoing: undoing.promise,
    undone: () => undone.resolve(),
    [Symbol.asyncDispose]: async () => {
      await wire[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

test("SB-32: a task of 2025-11-25 that was cancelled is over, also while its run is being undone", async () => {
  await using opened = await open({ era: "legacy" });
  const { engine, wire } = opened;
  const { task } = await wire.call("workflow_trip", {}, { task: {} });
  const { taskId } = task as { readonly taskId: string };
  await expect
    .poll(async () => (await wire.call("run_get", { run_id: taskId }))["structuredContent"])
    .toHaveProperty("note");
  const waiting = wire.ask("tasks/result", { taskId });
  expect((await wire.ask("tasks/cancel", { taskId })).result).toMatchObject({ status: "cancelled" });
  await opened.undoing;
  expect((await wire.ask("tasks/cancel", { taskId })).error).toMatchObject({ code: -32602 });
  const over = {
    content: [{ text: expect.stringContaining("was cancelled") }],
    structuredContent: { run_id: taskId, terminal_kind: "cancel" },
    isError: true,
  };
  expect((await wire.ask("tasks/result", { taskId })).result).toMatchObject(over);
  expect((await waiting).result).toMatchObject(over);
  opened.undone();
  const [run = 0] = (await engine.overview.find(taskId)).runs;
  await engine.result(run);
  expect((await wire.ask("tasks/get", { taskId })).result).toMatchObject({ status: "cancelled" });
  expect((await wire.ask("tasks/result", { taskId })).result).toMatchObject(over);
});

test("SB-32: who waits for the result of one that calls a tool is told at once, too", async () => {
  await using opened = await open({ era: "legacy" });
  const { engine, wire } = opened;
  const start = { tool: "book", effect: "write", compensate: { tool: "unbook" }, next: "rest" };
  await engine.save({ steps: { start, rest: { tool: "rest", done: true } } }, { name: "long" });
  const { task } = await wire.call("workflow_long", {}, { task: {} });
  const { taskId } = task as { readonly taskId: string };
  await opened.resting;
  const waiting = wire.ask("tasks/result", { taskId });
  expect((await wire.ask("tasks/get", { taskId })).result).toMatchObject({ status: "working" });
  await wire.ask("tasks/cancel", { taskId });
  await opened.undoing;
  expect((await waiting).result).toMatchObject({ structuredContent: { terminal_kind: "cancel" } });
  opened.undone();
});

test("a cancel of 2026-07-28 is acknowledged as often as it comes, and the task goes on until its run has ended", async () => {
  await using opened = await open({ capabilities: tasks });
  const { engine, wire } = opened;
  const { taskId } = (await wire.call("workflow_trip")) as { readonly taskId: string };
  const replies = await Promise.all([1, 2].map(() => wire.ask("tasks/cancel", { taskId })));
  await opened.undoing;
  replies.push(await wire.ask("tasks/cancel", { taskId }));
  expect((await wire.ask("tasks/get", { taskId })).result).toMatchObject({ status: "working" });
  opened.undone();
  const [run = 0] = (await engine.overview.find(taskId)).runs;
  await engine.result(run);
  replies.push(await wire.ask("tasks/cancel", { taskId }));
  expect(replies.map(({ error }) => error)).toEqual([null, null, null, null]);
  expect((await wire.ask("tasks/get", { taskId })).result).toMatchObject({ status: "cancelled" });
});
