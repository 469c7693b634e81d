import { describe, expect, test } from "vitest";
import { patchText } from "./patch-text.ts";

describe("a patch on a text", () => {
  test("adds, sets, removes and moves, in maps and in lists", () => {
    const text = "# top\na: [1, 2] # list\nb: { c: 3 }\n";
    expect(patchText(text, [{ op: "replace", path: "/a/1", value: 5 }])).toBe("# top\na: [1, 5] # list\nb: { c: 3 }\n");
    expect(patchText(text, [{ op: "add", path: "/b/d", value: "x" }])).toBe(
      "# top\na: [ 1, 2 ] # list\nb: { c: 3, d: x }\n",
    );
    expect(patchText(text, [{ op: "remove", path: "/b/c" }])).toContain("b: {}");
    expect(patchText(text, [{ op: "move", from: "/b/c", path: "/e" }])).toContain("e: 3");
  });

  test("a key that is renamed keeps its place", () => {
    expect(patchText("one: 1 # first\ntwo: 2\n", [{ op: "move", from: "/one", path: "/uno" }])).toBe(
      "uno: 1 # first\ntwo: 2\n",
    );
  });

  test("JSON stays JSON, with its indent", () => {
    expect(patchText('{\n    "a": 1\n}\n', [{ op: "add", path: "/b", value: 2 }])).toBe(
      '{\n    "a": 1,\n    "b": 2\n}\n',
    );
    expect(patchText('{"a": 1}', [{ op: "remove", path: "/a" }])).toBe("{}");
  });

  test("what is not there, or cannot be read, is left alone", () => {
    expect(patchText("a: 1\n", [{ op: "remove", path: "/b" }])).toBeUndefined();
    expect(patchText("a: 1\n", [{ op: "move", from: "/b/c", path: "/d" }])).toBeUndefined();
    expect(patchText("a: [1\n", [{ op: "remove", path: "/a" }])).toBeUndefined();
  });

  test("what is written over in place leaves every blank and every quote as it was", () => {
    const text = "steps:\n    a:   {tool: 'log',next: \"tel\"}   # first\n    tell: {tool: log}\n";
    expect(patchText(text, [{ op: "replace", path: "/steps/a/next", value: "tell" }])).toBe(
      text.replace('"tel"', '"tell"'),
    );
    expect(patchText(text, [{ op: "move", from: "/steps/a/next", path: "/steps/a/join" }])).toBe(
      text.replace("next:", "join:"),
    );
    const json = '{"a": {"next":"b"},\n "c": [1,2]}';
    expect(patchText(json, [{ op: "replace", path: "/a/next", value: "c" }])).toBe(json.replace('"b"', '"c"'));
  });

  test("several operations are done one after the other", () => {
    const patch = [
      { op: "move", from: "/a", path: "/b" },
      { op: "replace", path: "/b", value: "yes: no" },
    ] as const;
    expect(patchText("a: 1 # one\n", patch)).toBe('b: "yes: no" # one\n');
  });
});
