import { describe, expect, test } from "vitest";
import { validate } from "../flow/validate/validate.ts";
import { applyToText, mendFlow } from "./mend-flow.ts";

describe("a patch on a text", () => {
  test("adds, sets, removes and moves, in maps and in lists", () => {
    const text = "# top\na: [1, 2] # list\nb: { c: 3 }\n";
    expect(applyToText(text, [{ op: "replace", path: "/a/1", value: 5 }])).toBe(
      "# top\na: [ 1, 5 ] # list\nb: { c: 3 }\n",
    );
    expect(applyToText(text, [{ op: "add", path: "/b/d", value: "x" }])).toBe(
      "# top\na: [ 1, 2 ] # list\nb: { c: 3, d: x }\n",
    );
    expect(applyToText(text, [{ op: "remove", path: "/b/c" }])).toContain("b: {}");
    expect(applyToText(text, [{ op: "move", from: "/b/c", path: "/e" }])).toContain("e: 3");
  });

  test("a key that is renamed keeps its place", () => {
    expect(applyToText("one: 1 # first\ntwo: 2\n", [{ op: "move", from: "/one", path: "/uno" }])).toBe(
      "uno: 1 # first\ntwo: 2\n",
    );
  });

  test("JSON stays JSON, with its indent", () => {
    expect(applyToText('{\n    "a": 1\n}\n', [{ op: "add", path: "/b", value: 2 }])).toBe(
      '{\n    "a": 1,\n    "b": 2\n}\n',
    );
    expect(applyToText('{"a": 1}', [{ op: "remove", path: "/a" }])).toBe("{}");
  });

  test("what is not there, or cannot be read, is left alone", () => {
    expect(applyToText("a: 1\n", [{ op: "remove", path: "/b" }])).toBeUndefined();
    expect(applyToText("a: 1\n", [{ op: "move", from: "/b/c", path: "/d" }])).toBeUndefined();
    expect(applyToText("a: [1\n", [{ op: "remove", path: "/a" }])).toBeUndefined();
  });
});

describe("mending a flow", () => {
  test("goes on until nothing more can be mended", () => {
    const text = "start: { tool: log, nxt: tel }\ntell: { tool: log, nxt: end }\n";
    const { text: mended, fixed } = mendFlow(text);
    expect(mended).toBe("start: { tool: log, next: tell }\ntell: { tool: log, next: end }\n");
    expect(fixed.map(({ code }) => code)).toEqual(["unknown_key", "dangling_name", "unknown_key"]);
    expect(validate(mended).ok).toBe(true);
  });

  test("leaves a flow that is right, and one that cannot be read, as they are", () => {
    for (const text of ["start: {tool: log, done: true}  # mine\n", "{", ""])
      expect(mendFlow(text)).toEqual({ text, fixed: [] });
  });
});
