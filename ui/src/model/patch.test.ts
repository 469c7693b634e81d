import { expect, test } from "vitest";
import { isSameValue, pointerOf, setAt, setMap, valueAt } from "./patch.ts";

const flow = { steps: { "a/b": { tool: "say", args: { text: "x", n: 1 }, retry: false }, c: [{ if: "d" }] } };

test("a value is found by its path, also in lists", () => {
  expect(valueAt(flow, ["steps", "a/b", "args", "n"])).toBe(1);
  expect(valueAt(flow, ["steps", "c", "0", "if"])).toBe("d");
  expect(valueAt(flow, ["steps", "toString"])).toBeUndefined();
  expect(pointerOf(["steps", "a/b~"])).toBe("/steps/a~1b~0");
});

test("only what changes is written, with all that is missing around it", () => {
  const at = ["steps", "a/b"];
  expect(setAt(flow, [...at, "tool"], "say")).toEqual([]);
  expect(setAt(flow, [...at, "tool"], "tell")).toEqual([{ op: "replace", path: "/steps/a~1b/tool", value: "tell" }]);
  expect(setAt(flow, [...at, "routes", "error"], "c")).toEqual([
    { op: "add", path: "/steps/a~1b/routes", value: { error: "c" } },
  ]);
  expect(setAt(flow, [...at, "retry", "attempts"], 3)).toEqual([
    { op: "replace", path: "/steps/a~1b/retry", value: { attempts: 3 } },
  ]);
  expect(setAt(flow, [...at, "next"], undefined)).toEqual([]);
  expect(setAt(flow, [...at, "retry"], undefined)).toEqual([{ op: "remove", path: "/steps/a~1b/retry" }]);
});

test("a map is changed key by key", () => {
  const at = ["steps", "a/b", "args"];
  expect(setMap(flow, at, { n: 2, more: true })).toEqual([
    { op: "remove", path: "/steps/a~1b/args/text" },
    { op: "replace", path: "/steps/a~1b/args/n", value: 2 },
    { op: "add", path: "/steps/a~1b/args/more", value: true },
  ]);
  expect(setMap(flow, at, "{{ input }}")).toEqual([{ op: "replace", path: "/steps/a~1b/args", value: "{{ input }}" }]);
});

test("values are the same whatever the order of their keys", () => {
  expect(isSameValue({ a: [1, { b: null }], c: "d" }, { c: "d", a: [1, { b: null }] })).toBe(true);
  expect(isSameValue({ a: [1] }, { a: [1, 2] })).toBe(false);
  expect(isSameValue({ a: 1 }, { b: 1 })).toBe(false);
});
