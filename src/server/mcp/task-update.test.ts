import { expect, test } from "vitest";
import { systemClock } from "../../engine/clock.ts";
import type { JsonObject } from "../../flow/json.ts";
import { createWorld } from "../../testing/engine.ts";
import { openWire, tasks } from "../../testing/mcp-wire.ts";

test("the same answer several times at once is acknowledged each time, and given once", async () => {
  await using world = createWorld("memory");
  const { engine } = await world.open({ clock: systemClock });
  await engine.save({ steps: { ask: { tool: null, done: true } } }, { name: "gated" });
  await using wire = await openWire(engine, { quickMs: 5, capabilities: tasks, grants: ["read", "run", "approve"] });
  const { taskId = "" } = await wire.call("workflow_gated");
  const { inputRequests } = (await wire.ask("tasks/get", { taskId })).result;
  const [key = ""] = Object.keys(inputRequests as JsonObject);
  const inputResponses = { [key]: { action: "accept", content: { choice: "approved" } } };
  const replies = await Promise.all([1, 2, 3].map(() => wire.ask("tasks/update", { taskId, inputResponses })));
  expect(replies.map(({ error }) => error)).toEqual([null, null, null]);
  const [{ run } = { run: null }] = await engine.list({ status: "all" });
  expect(await engine.result(run?.id ?? 0)).toMatchObject({ status: "completed" });
  expect((await wire.ask("tasks/update", { taskId, inputResponses })).error).toBeNull();
  expect((await engine.get(run?.id ?? 0)).steps[0]?.gate?.answers).toHaveLength(1);
});
