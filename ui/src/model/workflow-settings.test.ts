import { expect, test } from "vitest";
import type { Json } from "./json.ts";
import { settingsOf } from "./workflow-settings.ts";

/** `Cancelling: anywhere; deliver not while it is under way`. */
function told(flow: Json): readonly string[] {
  return settingsOf(flow).map(({ term, value, steps }) =>
    [`${term}: ${value}`.trim(), ...steps.map((step) => `${step.name} ${step.value}`)].join("; "),
  );
}

test("where a flow says nothing it is told what holds", () => {
  expect(told({ steps: { a: { tool: "x" } } })).toEqual([
    "Cancelling: anywhere",
    "A run may take: as long as it takes",
    "A call may take: 120s",
    "Tries of a step: 3, after 5s, 30s and 60s",
    "A value that is missing: is an empty text",
  ]);
});

test("what it declares is told, and for which steps something else holds", () => {
  const flow = {
    cancel: "never",
    timeout: "2d",
    strict: true,
    defaults: { timeout: "5s", retry: { attempts: 5, backoff: ["1s", "2s"] } },
    steps: {
      reserve: { tool: "x", cancel: "release", timeout: "1m" },
      deliver: { name: "Deliver it", tool: "x", cancel: false, retry: false },
      rate: { tool: "x", each: { items: "{{ input }}", concurrency: 9 } },
      count: { tool: "x", each: "{{ input }}" },
      ask: { gate: { approvers: ["group:editors", "user:ann"], need: 2, self_approval: false } },
      "ask again": { gate: {} },
    },
  };
  expect(told(flow)).toEqual([
    "Cancelling: never; reserve then release cleans up; Deliver it not while it is under way",
    "A run may take: 2d",
    "A call may take: 5s; reserve 1m",
    "Tries of a step: 5, after 1s and 2s; Deliver it 1",
    "A value that is missing: is an error",
    "Items at a time:; rate 9; count 4",
    "Who answers:; ask group:editors and ann, 2 of them, not who started the run; ask again whoever may approve",
  ]);
});

test("pipelines and machines try once; a machine is cancelled where it says so", () => {
  const pipeline = {
    steps: [
      { tool: "x", timeout: "9s" },
      { name: "send", tool: "y", retry: 2 },
    ],
  };
  expect(told(pipeline)).toContain("A call may take: 120s; step_1 9s");
  expect(told(pipeline)).toContain("Tries of a step: 1; send 2");
  const machine = { states: {}, transitions: [{ name: "go", action: { tool: "x", timeout: "3s" } }] };
  expect(told(machine)[0]).toBe("Cancelling: where one move leads to an end of kind cancel");
  expect(told(machine)).toContain("A call may take: 120s; go 3s");
});

test("what is no flow has no settings of its own", () => {
  expect(told(null)[0]).toBe("Cancelling: anywhere");
  expect(told({ start: { tool: "x", timeout: "4s" } })).toContain("A call may take: 120s; start 4s");
});
