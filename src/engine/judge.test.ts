import { expect, test } from "vitest";
import { createToolBox } from "../tool/registry.ts";
import { createWorld } from "../testing/engine.ts";
import { createJudge } from "./judge.ts";

test("whoever may not call a tool does not take its test call", async () => {
  await using world = createWorld("memory");
  const { engine } = await world.open();
  const { id } = await engine.start({ start: { gate: {}, done: true } });
  const run = await engine.get(id);
  const tested: number[] = [];
  let refusal: string | undefined = "may not";
  const judge = createJudge({
    tools: createToolBox({ log: () => null }),
    findRefusal: () => refusal,
    breakers: { findRefusal: (_tool, row) => (tested.push(row) > 1 ? "open" : null) },
  });
  expect(judge(run, "log", 1)).toEqual({ verdict: "refused", reason: "may not" });
  expect(judge(run, "lgo", 2).verdict).toBe("tool_missing");
  expect(tested).toEqual([]);
  refusal = undefined;
  expect(judge(run, "log", 3)).toEqual({ verdict: "go" });
  expect(judge(run, "log", 4)).toEqual({ verdict: "circuit_open", reason: "open" });
  expect(tested).toEqual([3, 4]);
});
