// Clients of both generations at the same time on one engine, in the name of one person.

import { expect, test } from "vitest";
import { systemClock } from "../../engine/clock.ts";
import type { Engine } from "../../engine/engine.ts";
import type { JsonObject } from "../../flow/json.ts";
import { createWorld } from "../../testing/engine.ts";
import { openWire, tasks, type Wire } from "../../testing/mcp-wire.ts";

type Opened = { readonly engine: Engine; readonly older: Wire; readonly newer: Wire } & AsyncDisposable;

async function open(): Promise<Opened> {
  const world = createWorld("memory");
  const { engine } = await world.open({ clock: systemClock });
  await engine.save(
    {
      steps: {
        start: { gate: { title: "Go on?" }, routes: { later: "wait" }, next: "end" },
        wait: { set: {}, done: { output: "later" } },
        end: { set: {}, done: { output: "went on" } },
      },
    },
    { name: "gated" },
  );
  const grants = ["read", "run", "approve"] as const;
  const older = await openWire(engine, { era: "legacy", capabilities: { elicitation: {} }, grants, quickMs: 5 });
  const newer = await openWire(engine, { capabilities: tasks, grants, quickMs: 5 });
  return {
    engine,
    older,
    newer,
    [Symbol.asyncDispose]: async () => {
      await older[Symbol.asyncDispose]();
      await newer[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

async function askedKey(wire: Wire, taskId: string): Promise<string> {
  const { inputRequests } = (await wire.ask("tasks/get", { taskId })).result;
  return Object.keys(inputRequests as JsonObject)[0] ?? "";
}

async function beginLegacy(wire: Wire): Promise<string> {
  const { task } = await wire.call("workflow_gated", {}, { task: {} });
  return (task as { readonly taskId: string }).taskId;
}

const accept = (choice: string): JsonObject => ({ action: "accept", content: { choice } });

test("what one was asked and the other has answered is withdrawn, and both see the same end", async () => {
  await using opened = await open();
  const { older, newer } = opened;
  const taskId = await beginLegacy(older);
  const result = older.ask("tasks/result", { taskId });
  const { id } = await older.heardRequest("elicitation/create");
  const inputResponses = { [await askedKey(newer, taskId)]: accept("later") };
  expect((await newer.ask("tasks/update", { taskId, inputResponses })).error).toBeNull();
  expect(await older.heard("notifications/cancelled")).toMatchObject({ requestId: id });
  expect((await result).result).toMatchObject({ structuredContent: { output: "later" } });
  expect((await newer.ask("tasks/get", { taskId })).result).toMatchObject({
    status: "completed",
    result: { structuredContent: { output: "later" } },
  });
  // Too late, and to nobody.
  older.reply(id, accept("approved"));
  expect((await older.ask("tasks/get", { taskId })).result).toMatchObject({ status: "completed" });
});

test("of two that answer in the same moment one counts, and neither is told that it has failed", async () => {
  await using opened = await open();
  const { engine, older, newer } = opened;
  for (let time = 0; time < 10; time++) {
    const taskId = await beginLegacy(older);
    const result = older.ask("tasks/result", { taskId });
    const { id } = await older.heardRequest("elicitation/create");
    const inputResponses = { [await askedKey(newer, taskId)]: accept("later") };
    older.reply(id, accept("approved"));
    const [updated, ended] = await Promise.all([newer.ask("tasks/update", { taskId, inputResponses }), result]);
    expect([updated.error, ended.error]).toEqual([null, null]);
    const [run = 0] = (await engine.overview.find(taskId)).runs;
    const { steps, output } = await engine.get(run);
    const answers = steps[0]?.gate?.answers ?? [];
    expect(answers).toHaveLength(1);
    expect(output).toBe(answers[0]?.outcome === "later" ? "later" : "went on");
    expect(ended.result).toMatchObject({ structuredContent: { output } });
  }
});

test("a task that one has begun the other cancels, and who waits for it is told", async () => {
  await using opened = await open();
  const { older, newer } = opened;
  const { taskId } = (await newer.call("workflow_gated")) as { readonly taskId: string };
  const result = older.ask("tasks/result", { taskId });
  await older.heardRequest("elicitation/create");
  expect((await newer.ask("tasks/cancel", { taskId })).error).toBeNull();
  expect((await result).result).toMatchObject({ isError: true, structuredContent: { terminal_kind: "cancel" } });
  expect((await older.ask("tasks/cancel", { taskId })).error).toMatchObject({ code: -32602 });
  expect((await newer.ask("tasks/cancel", { taskId })).error).toBeNull();
});

test("neither knows the other's methods", async () => {
  await using opened = await open();
  const { older, newer } = opened;
  const taskId = await beginLegacy(older);
  for (const method of ["tasks/list", "tasks/result"])
    expect((await newer.ask(method, { taskId })).error).toMatchObject({ code: -32601 });
  expect((await older.ask("tasks/update", { taskId, inputResponses: {} })).error).toMatchObject({ code: -32601 });
});
