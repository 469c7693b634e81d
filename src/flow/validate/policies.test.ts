import { describe, expect, test } from "vitest";
import { flowOf, found } from "../../testing/findings.ts";

describe("warnings about what is left open", () => {
  test("a branch without else, and routes without default, hold the run", () => {
    expect(found(flowOf({ a: { tool: "x", branch: [{ if: "result == true", then: "end" }] } }))).toEqual([
      "no_else /steps/a/branch",
    ]);
    expect(found(flowOf({ a: { tool: "x", routes: { items: "end" } } }))).toEqual(["no_else /steps/a/routes"]);
    expect(found(flowOf({ a: { tool: "x", routes: { items: "end" }, on_no_match: "complete" } }))).toEqual([]);
    expect(found(flowOf({ a: { gate: {}, routes: { approved: "end" } } }))).toEqual([]);
    expect(found(flowOf({ a: { wait: "1m", routes: { success: "end" } } }))).toEqual([]);
    expect(found(flowOf({ a: { wait: "1m", outcome: "'later'", routes: { success: "end" } } }))).toEqual([
      "no_else /steps/a/routes",
    ]);
  });

  test("keys of parts that are still to come are read and said to do nothing yet", () => {
    const input = {
      ...(flowOf({ a: { tool: "x", sanitize: "strip", done: true } }) as object),
      triggers: [{ cron: "0 8 * * *" }],
      requires_2fa: true,
    };
    expect(found(input)).toEqual([
      "not_active_yet /requires_2fa",
      "not_active_yet /steps/a/sanitize",
      "not_active_yet /triggers",
    ]);
    expect(found({ start: { tool: "x", sanitize: "flag", done: true } })).toEqual(["not_active_yet /start/sanitize"]);
    expect(found({ steps: [{ skill: "x", prompt_template: "Sum up {input}", llm_tier: "light" }] })).toEqual([
      "not_active_yet /steps/0/llm_tier",
      "not_active_yet /steps/0/prompt_template",
    ]);
  });
});
