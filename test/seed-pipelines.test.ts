// What the language alone can show of what seed 002 asks: pipelines, and files that another engine has exported.

import { describe, expect, test } from "vitest";
import { validate, type Json, type JsonObject } from "../src/index.ts";
import { codesOf, planFrom, planOf, seeds, stepOf } from "./example-files.ts";

describe("seed 002", () => {
  const files = ["002-rss.json", "002-rss-export.json"].map((name) => `${seeds}/${name}`);
  const pipeline = planOf(`${seeds}/002-rss.json`);
  const imported = planOf(`${seeds}/002-rss-export.json`);

  test("AC-01: a pipeline is walked step by step, and a fan-out in it is refused", () => {
    const report = validate({
      steps: [
        { tool: "a", parallel: ["b", "c"] },
        { name: "b", tool: "b" },
        { name: "c", tool: "c" },
      ],
    });
    expect(report).toMatchObject({ ok: false, notation: "pipeline" });
    expect(codesOf(report)).toContain("fan_out_not_allowed");
  });

  test.each(files)("AC-02: in %s items leads to step 2, empty to 4, error to 5", (path) => {
    const plan = planOf(path);
    const routes = Object.entries(stepOf(plan, "1").routes).map(([outcome, target]) => [
      outcome,
      target.kind === "step" ? plan.steps[target.step]?.position : target.kind,
    ]);
    expect(Object.fromEntries(routes)).toEqual({ items: 2, empty: 4, error: 5 });
  });

  test("AC-04: a step without routes falls through to the next position, the last one ends", () => {
    expect(stepOf(pipeline, "score").transition).toEqual({ kind: "next", to: { kind: "step", step: "send" } });
    expect(stepOf(pipeline, "failure").transition).toMatchObject({ kind: "end", terminal: "success" });
  });

  test("AC-04: outcomes that routes do not name fall through as well", () => {
    expect(stepOf(pipeline, "fetch").transition).toEqual({ kind: "next", to: { kind: "step", step: "score" } });
  });

  test("AC-15: a step is given what the step before it gave", () => {
    expect(stepOf(pipeline, "score")).toMatchObject({
      args: { kind: "map", entries: [["input", { expression: { source: "previous" } }]] },
    });
  });

  test("AC-15: input_from names an earlier position", () => {
    expect(stepOf(imported, "3").inputFrom).toBe(stepOf(imported, "2").key);
  });

  test("AC-34: halt, skip and fallback can be said per step, and halt is the default", () => {
    expect(stepOf(imported, "2")).toMatchObject({
      onCircuitOpen: "fallback",
      onMissingTool: "halt",
      fallback: "score_items",
    });
    expect(stepOf(pipeline, "score")).toMatchObject({ onCircuitOpen: "halt", onMissingTool: "halt", fallback: null });
    const skipping = planFrom({
      steps: [{ tool: "a", on_circuit_open: "skip", on_missing_skill: "skip", fallback_skill: "b" }],
    });
    expect(stepOf(skipping, "1")).toMatchObject({ onCircuitOpen: "skip", onMissingTool: "skip", fallback: "b" });
  });

  test("AC-49: an export's workflow, steps and resources are read", () => {
    expect(imported).toMatchObject({ notation: "pipeline", name: "RSS digest" });
    expect(Object.values(imported.steps).map((step) => (step.kind === "tool" ? step.tool : step.kind))).toEqual([
      "rss_fetch",
      "llm_transform",
      "telegram_notify",
      "telegram_notify",
      "telegram_notify",
    ]);
    expect(Object.values(imported.resources)).toMatchObject([
      { type: "rss_feed", url: "https://example.org/feed.xml" },
    ]);
  });

  test("AC-51: an import keeps positions, gaps included, and checks the structure", () => {
    const gaps = {
      version: 1,
      workflow: { name: "gaps" },
      steps: [exported(10, []), exported(5, [{ branch: "on_error", goto: 10 }])],
    };
    const plan = planFrom(gaps);
    expect(Object.values(plan.steps).map(({ label, position }) => [label, position])).toEqual([
      ["at 5", 5],
      ["at 10", 10],
    ]);
    expect(stepOf(plan, "5").routes["error"]).toEqual({ kind: "step", step: stepOf(plan, "10").key });
    expect(validate({ version: 1, workflow: {}, steps: [] }).ok).toBe(false);
  });

  test("AC-51: a route to a position that is not there is refused", () => {
    const steps = [{ position: 1, skill: "x", routes: [{ branch: "on_items", goto: 7 }] }];
    expect(codesOf(validate({ version: 1, workflow: { name: "w" }, steps }))).toContain("dangling_name");
  });
});

function exported(position: number, routes: readonly Json[]): JsonObject {
  return { position, name: `at ${position}`, skill: "x", routes };
}
