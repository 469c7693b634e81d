import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "../../engine/clock.ts";
import type { Engine } from "../../engine/engine.ts";
import type { JsonObject } from "../../flow/json.ts";
import { createWorld, type World } from "../../testing/engine.ts";
import { openWire } from "../../testing/mcp-wire.ts";

let world: World;
let engine: Engine;
const gated = { start: { gate: { title: "Go on?" }, next: "end" }, end: { set: {}, done: { output: "went on" } } };

beforeAll(async () => {
  world = createWorld("memory");
  ({ engine } = await world.open({ clock: systemClock }));
  await engine.save(gated, { name: "gated" });
});

afterAll(() => world[Symbol.asyncDispose]());

async function followers(): Promise<number> {
  return (await engine.overview.figures()).followers;
}

test("its client is told when it has another status, and of a question that stays open", async () => {
  await using wire = await openWire(engine, {
    era: "legacy",
    grants: ["read", "run", "approve"],
    capabilities: { elicitation: {} },
  });
  const { task } = await wire.call("workflow_gated", {}, { task: {} });
  const { taskId } = task as { readonly taskId: string };
  const heard = (): Promise<JsonObject> => wire.heard("notifications/tasks/status");
  expect(await heard()).toMatchObject({ taskId, status: "input_required", ttl: null });
  const result = wire.ask("tasks/result", { taskId });
  const asked = await wire.heardRequest("elicitation/create");
  expect(asked.params).toMatchObject({ _meta: { "io.modelcontextprotocol/related-task": { taskId } } });
  wire.reply(asked.id, { action: "decline" });
  expect(await heard()).toMatchObject({
    status: "input_required",
    statusMessage: expect.stringMatching(/run_respond.*"Go on\?" was not answered\. It stays open\.$/),
  });
  const [run = 0] = (await engine.overview.find(taskId)).runs;
  await engine.approve((await engine.get(run)).steps[0]?.id ?? 0);
  expect((await result).result).toMatchObject({ structuredContent: { output: "went on" } });
  let { status } = await heard();
  if (status === "working") ({ status } = await heard());
  expect(status).toBe("completed");
});

test("no more than fifty tasks are followed for one client, and none for one that has gone", async () => {
  const before = await followers();
  {
    await using wire = await openWire(engine, { era: "legacy" });
    for (let each = 0; each < 60; each++) await wire.call("workflow_gated", {}, { task: {} });
    while ((await followers()) !== before + 50) await new Promise(setImmediate);
    await wire.call("workflow_gated", {}, { task: {} });
    expect(await followers()).toBeLessThanOrEqual(before + 51);
  }
  while ((await followers()) > before) await new Promise(setImmediate);
});
