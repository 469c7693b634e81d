import { expect, test } from "vitest";
import { nameOfFile, readBrought, sayPlan } from "./import.ts";

test("a shared file is told from a flow", () => {
  expect(readBrought('{"stepwell": 1, "workflow": {}}').kind).toBe("file");
  expect(readBrought('{"version": 1, "workflow": {"name": "a"}, "steps": []}').kind).toBe("file");
  expect(readBrought('{"start": {"tool": "log"}}').kind).toBe("flow");
  expect(readBrought("start: { tool: log }").kind).toBe("flow");
  expect(readBrought("{ broken").kind).toBe("flow");
});

test("a flow without a name has that of its file", () => {
  expect(nameOfFile("weekly.flow.yaml")).toBe("weekly");
  expect(nameOfFile("refund.json")).toBe("refund");
});

test("AC-65: what an import would do is said in sentences", () => {
  const plan = {
    name: "digest (imported 1)",
    workflows: [
      { name: "digest", as: "digest (imported 1)", state: "changed", action: "create" },
      { name: "greet", as: "greet", state: "same", action: "link" },
    ] as const,
    resources: [{ name: "feed", url: null, action: "create" }] as const,
    missingTools: [],
    missingSecrets: [],
    permissions: [],
    warnings: [],
  };
  expect(sayPlan(plan)).toEqual([
    "Creates digest, here called digest (imported 1).",
    "Uses greet, which is here already.",
    "Creates the resource feed.",
  ]);
});
