import { describe, expect, test } from "vitest";
import type { PatchOperation } from "../finding.ts";
import { patchText as patchAny } from "./patch-text.ts";

/** undefined: it does not fit. */
function patchText(text: string, patch: readonly PatchOperation[]): string | undefined {
  const patched = patchAny(text, patch);
  return patched.kind === "patched" ? patched.text : undefined;
}

describe("a patch on a text", () => {
  test("adds, sets, removes and moves, in maps and in lists", () => {
    const text = "# top\na: [1, 2] # list\nb: { c: 3 }\n";
    expect(patchText(text, [{ op: "replace", path: "/a/1", value: 5 }])).toBe("# top\na: [1, 5] # list\nb: { c: 3 }\n");
    expect(patchText(text, [{ op: "add", path: "/b/d", value: "x" }])).toBe(
      "# top\na: [1, 2] # list\nb: { c: 3, d: x }\n",
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

  test("what is added to a list moves what stands behind it", () => {
    const text = "a:\n  - 1 # one\n  - 2\n";
    expect(patchText(text, [{ op: "add", path: "/a/0", value: 0 }])).toBe("a:\n  - 0\n  - 1 # one\n  - 2\n");
    expect(patchText(text, [{ op: "add", path: "/a/-", value: 3 }])).toBe("a:\n  - 1 # one\n  - 2\n  - 3\n");
    expect(patchText(text, [{ op: "move", from: "/a/0", path: "/a/1" }])).toBe("a:\n  - 2\n  - 1 # one\n");
    expect(patchText('{"a":[1,2]}', [{ op: "add", path: "/a/1", value: {} }])).toBe('{"a":[1,{},2]}');
  });

  test.each([
    ["in a scalar", "a: 1\n", { op: "add", path: "/a/b", value: 1 }, '"b"'],
    ["behind the end of a scalar", "a: 1\n", { op: "add", path: "/a/-", value: 1 }, '"-"'],
    ["far behind the end of a list", "a: [1]\n", { op: "add", path: "/a/30000000", value: 1 }, '"30000000"'],
    ["far behind the end of a list", '{"a":[1]}', { op: "add", path: "/a/4000000000", value: 1 }, '"4000000000"'],
    ["where nothing is", "a: 1\n", { op: "replace", path: "/b", value: 1 }, '"b"'],
    ["into a scalar", "a: 1\nb: 2\n", { op: "move", from: "/a", path: "/b/c" }, '"c"'],
    ["into itself", "a: { b: 1 }\n", { op: "move", from: "/a", path: "/a/c" }, '"a"'],
    ["of everything", "a: 1\n", { op: "remove", path: "" }, "whole document"],
    ["in what is no pointer", "a: 1\n", { op: "add", path: "b", value: 1 }, "no JSON Pointer"],
    ["in a text with a key twice", "a: 1\na: 2\n", { op: "replace", path: "/a", value: 1 }, "twice"],
    ["in what an alias repeats", "a: &x { b: 1 }\nc: *x\n", { op: "replace", path: "/c/b", value: 2 }, "aliases"],
    ["of what an alias needs", "a: &x 1\nb: *x\n", { op: "remove", path: "/a" }, "aliases"],
  ] as const)("that does not fit says why: a change %s (%#)", (_, text, operation, why) => {
    expect(patchAny(text, [operation])).toEqual({ kind: "misfit", why: expect.stringContaining(why) });
  });

  test("an alias bomb is refused before anything is made of it", () => {
    const lines = Array.from({ length: 20 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at}, `.repeat(9)}*a${at}]`);
    const text = `a0: &a0 [1]\n${lines.join("\n")}\n`;
    expect(patchAny(text, [{ op: "replace", path: "/a0/0", value: 2 }])).toEqual({
      kind: "misfit",
      why: expect.stringMatching(/alias/i),
    });
  });

  test("what is patched beside aliases leaves them as they are", () => {
    const text = "a: &x { b: 1 } # kept\nc: *x\nd: 1\n";
    expect(patchText(text, [{ op: "replace", path: "/d", value: 2 }])).toBe(text.replace("d: 1", "d: 2"));
    expect(patchText(text, [{ op: "add", path: "/e", value: 3 }])).toBe(`${text}e: 3\n`);
  });

  test("a key that is no text is found by the way it is written", () => {
    expect(patchText("404: { next: a }\n", [{ op: "replace", path: "/404/next", value: "b" }])).toBe(
      "404: { next: b }\n",
    );
  });

  test("several that can be written in place are, and the last one counts", () => {
    const patch: readonly PatchOperation[] = [
      { op: "replace", path: "/b", value: "x" },
      { op: "move", from: "/a", path: "/first" },
      { op: "replace", path: "/b", value: "it's" },
    ];
    expect(patchText("a:   1\nb:   'two' # kept\n", patch)).toBe("first:   1\nb:   'it''s' # kept\n");
    expect(patchText('{"a":  1, "b":"two"}', patch)).toBe('{"first":  1, "b":"it\'s"}');
  });

  test("what is written over keeps its comment and its quotes also where the rest is written anew", () => {
    const patch: readonly PatchOperation[] = [
      { op: "replace", path: "/b", value: "x" },
      { op: "add", path: "/c", value: 3 },
      { op: "move", from: "/a", path: "/first" },
    ];
    expect(patchText("a: 1\nb: 'two' # kept\n", patch)).toBe("first: 1\nb: 'x' # kept\nc: 3\n");
    expect(patchText('{"a":1,"b":"two"}', patch)).toBe('{"first":1,"b":"x","c":3}');
  });

  test("the whole can be replaced, and a byte order mark stays", () => {
    expect(patchText("a: 1\n", [{ op: "replace", path: "", value: { b: 2 } }])).toBe("b: 2\n");
    expect(patchText("\uFEFFa: 1 # one\n", [{ op: "replace", path: "/a", value: 2 }])).toBe("\uFEFFa: 2 # one\n");
    expect(patchText("a: 1\n", [{ op: "move", from: "/a", path: "/a" }])).toBe("a: 1\n");
  });
});
