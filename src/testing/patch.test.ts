import { describe, expect, it } from "vitest";
import type { PatchOperation } from "../flow/finding.ts";
import type { Json } from "../flow/json.ts";
import { applyPatch, valueAt } from "./patch.ts";

const document: Json = { a: { b: [1, 2, 3] }, "x/y": "slash" };

const right: readonly (readonly [string, PatchOperation, Json])[] = [
  ["add a member", { op: "add", path: "/a/c", value: 5 }, { a: { b: [1, 2, 3], c: 5 }, "x/y": "slash" }],
  ["add an item", { op: "add", path: "/a/b/1", value: 9 }, { a: { b: [1, 9, 2, 3] }, "x/y": "slash" }],
  ["add at the end", { op: "add", path: "/a/b/-", value: 9 }, { a: { b: [1, 2, 3, 9] }, "x/y": "slash" }],
  ["replace an item", { op: "replace", path: "/a/b/0", value: null }, { a: { b: [null, 2, 3] }, "x/y": "slash" }],
  ["replace the whole", { op: "replace", path: "", value: 1 }, 1],
  ["remove a member", { op: "remove", path: "/x~1y" }, { a: { b: [1, 2, 3] } }],
  ["remove an item", { op: "remove", path: "/a/b/2" }, { a: { b: [1, 2] }, "x/y": "slash" }],
  ["move", { op: "move", from: "/x~1y", path: "/a/z" }, { a: { b: [1, 2, 3], z: "slash" } }],
];

const wrong: readonly (readonly [string, PatchOperation])[] = [
  ["replace what is not there", { op: "replace", path: "/q", value: 1 }],
  ["remove what is not there", { op: "remove", path: "/a/q" }],
  ["remove an inherited name", { op: "remove", path: "/constructor" }],
  ["go through what is not there", { op: "add", path: "/q/r", value: 1 }],
  ["go through a number", { op: "add", path: "/a/b/0/r", value: 1 }],
  ["write behind the end of a list", { op: "add", path: "/a/b/9", value: 1 }],
  ["use a name as an index", { op: "remove", path: "/a/b/first" }],
  ["move what is not there", { op: "move", from: "/q", path: "/r" }],
  ["remove everything", { op: "remove", path: "" }],
];

describe("a patch", () => {
  it.each(right)("can %s", (_, operation, expected) => {
    expect(applyPatch(document, [operation])).toEqual(expected);
    expect(document).toEqual({ a: { b: [1, 2, 3] }, "x/y": "slash" });
  });

  it.each(wrong)("cannot %s", (_, operation) => {
    expect(() => applyPatch(document, [operation])).toThrow(/does not have|cannot be removed/);
  });

  it("keeps `__proto__` as data", () => {
    const patched = applyPatch(JSON.parse('{"__proto__": {"a": 1}}'), [
      { op: "replace", path: "/__proto__/a", value: 2 },
    ]);
    expect(JSON.stringify(patched)).toBe('{"__proto__":{"a":2}}');
    expect(valueAt(patched, "/__proto__/a")).toBe(2);
    expect(valueAt({}, "/__proto__")).toBeUndefined();
  });
});
