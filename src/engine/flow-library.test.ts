import { expect, test } from "vitest";
import { createWorld } from "../testing/engine.ts";
import { defineTool } from "../tool/function.ts";

test("what the tools of now say of a workflow that was saved before is a warning, and its step fails when it comes", async () => {
  await using world = createWorld("file");
  const first = await world.open({ tools: { work: () => 1 } });
  const flow = { name: "score", start: "one", steps: { one: { tool: "work", args: { titel: "Tides" }, done: true } } };
  expect((await first.engine.workflows.save(flow)).warnings).toEqual([]);
  await first.engine.stop();
  const input = { type: "object", properties: { title: { type: "string" } }, additionalProperties: false };
  const { engine } = await world.open({ tools: [defineTool({ name: "work", input, call: () => 1 })] });
  for (let times = 0; times < 2; times += 1) {
    const { id, warnings } = await engine.start("score");
    expect(warnings).toEqual(['The tool "work" has no argument "titel". Expected title; given titel.']);
    expect(await engine.result(id)).toMatchObject({ status: "failed", error: { code: "bad_args" } });
  }
  await expect(engine.workflows.save({ ...flow, name: "other" })).rejects.toMatchObject({ code: "FLOW_INVALID" });
});
