import { expect, test } from "vitest";
import { inputOf, toCommand, toCurl, toMcpCall } from "./start.ts";

const wish = { name: "it's", input: { who: "O'Neil" }, schedule: "tomorrow at 9am", tz: "Europe/Berlin", key: "k" };

test("a command says the same, whatever quotes stand in it", () => {
  expect(toCommand(wish)).toBe(
    `stepwell run 'it'\\''s' --input '{"who":"O'\\''Neil"}' --at 'tomorrow at 9am' --key 'k'`,
  );
  expect(toCommand({ ...wish, schedule: "", key: "" })).not.toContain("--at");
});

test("so does a request", () => {
  expect(toCurl(wish, "http://localhost:7700")).toBe(
    `curl http://localhost:7700/api/workflow -H 'content-type: application/json' -H 'Idempotency-Key: k' -d '{"name":"it'\\''s","input":{"who":"O'\\''Neil"},"schedule":"tomorrow at 9am","tz":"Europe/Berlin"}'`,
  );
});

test("and a call by MCP", () => {
  expect(JSON.parse(toMcpCall(wish))).toEqual({
    method: "tools/call",
    params: { name: "workflow:it's", arguments: { who: "O'Neil" } },
  });
});

test("what was saved with a workflow goes before what its flow begins with", () => {
  const flow = { input: { type: "object" }, defaults: { input: { a: 1, b: 1 } } };
  expect(inputOf(flow, { b: 2 })).toEqual({ schema: { type: "object" }, defaults: { a: 1, b: 2 } });
  expect(inputOf([{ tool: "x" }], null)).toEqual({ schema: null, defaults: {} });
});
