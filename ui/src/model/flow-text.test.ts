import { describe, expect, test } from "vitest";
import { entryAt, entryNear, entryOfNode, nodeAt, placeAt, scanFlow, withName } from "./flow-text.ts";

const yaml = `# A flow
name: digest # what it is called
start: fetch
steps:
  fetch:
    tool: web.fetch
    args: { url: "{{ input.url }}", limits: [1, 2] }
    next: tell
  tell: { tool: log, args: { message: "a: b, c" }, done: true }
  note:
    set:
      text: |
        tool: no.tool
        more
    parallel:
    - fetch
    - tell
x-ui: {}
`;

/** `|` is the cursor. */
function at(marked: string): ReturnType<typeof placeAt> {
  const offset = marked.lastIndexOf("|");
  return placeAt(marked.slice(0, offset) + marked.slice(offset + 1), offset);
}

describe("a text of YAML", () => {
  const { entries } = scanFlow(yaml);

  test("has its keys where they stand, in blocks and in brackets", () => {
    expect(entries.map(({ path }) => path.join("/"))).toEqual([
      "name",
      "start",
      "steps",
      "steps/fetch",
      "steps/fetch/tool",
      "steps/fetch/args",
      "steps/fetch/args/url",
      "steps/fetch/args/limits",
      "steps/fetch/args/limits/0",
      "steps/fetch/args/limits/1",
      "steps/fetch/next",
      "steps/tell",
      "steps/tell/tool",
      "steps/tell/args",
      "steps/tell/args/message",
      "steps/tell/done",
      "steps/note",
      "steps/note/set",
      "steps/note/set/text",
      "steps/note/parallel",
      "steps/note/parallel/0",
      "steps/note/parallel/1",
      "x-ui",
    ]);
    expect(entries.map(({ path, line }) => [path.join("/"), line])).toContainEqual(["x-ui", 18]);
    expect(entryAt(entries, ["steps", "fetch", "tool"])).toMatchObject({ value: "web.fetch", line: 6 });
    expect(entryAt(entries, ["name"])?.value).toBe("digest");
    expect(entryAt(entries, ["steps", "tell", "args", "message"])).toMatchObject({ value: "a: b, c", line: 9 });
    expect(entryAt(entries, ["steps", "note", "parallel", "1"])?.value).toBe("tell");
  });

  test("a key's place is that of its letters", () => {
    for (const { path, from, to } of entries.filter((entry) => !/^\d$/.test(entry.path.at(-1) ?? "")))
      expect(yaml.slice(from, to)).toBe(path.at(-1));
  });

  test("brackets go over lines, and the lines are counted", () => {
    const found = scanFlow("a: {\n  b: 1,\n  c: [x,\n    y]\n}\nd: 2\n").entries;
    expect(found.map(({ path, line }) => `${path.join("/")} ${line}`)).toEqual([
      "a 1",
      "a/b 2",
      "a/c 3",
      "a/c/0 3",
      "a/c/1 4",
      "d 6",
    ]);
  });

  test("what is not there is found by what is around it", () => {
    expect(entryNear(entries, "/steps/fetch/retry/attempts")?.path).toEqual(["steps", "fetch"]);
    expect(entryNear(entries, "/nothing")).toBeNull();
  });
});

describe("the cursor", () => {
  test("is at a key, in the map that its indent says", () => {
    expect(at("steps:\n  a:\n    to|")).toMatchObject({ path: ["steps", "a"], key: null, word: "to" });
    expect(at("steps:\n  a:\n    tool: x\n  |")).toMatchObject({ path: ["steps"], key: null, word: "" });
    expect(at("steps:\n  a:\n    tool: x\n    |")).toMatchObject({ path: ["steps", "a"], key: null });
    expect(at("na|")).toMatchObject({ path: [], key: null, word: "na", from: 0 });
  });

  test("is at a value", () => {
    expect(at("steps:\n  a:\n    next: te|")).toMatchObject({ path: ["steps", "a"], key: "next", word: "te" });
    expect(at("steps:\n  a:\n    next: |")).toMatchObject({ key: "next", word: "" });
    expect(at('a:\n  b: "x {{ in|')).toMatchObject({ path: ["a"], key: "b", word: "x {{ in", quote: '"' });
  });

  test("is in brackets", () => {
    expect(at("steps:\n  a: { tool: log, ar|")).toMatchObject({
      path: ["steps", "a"],
      key: null,
      word: "ar",
      isInline: true,
    });
    expect(at("steps:\n  a: { tool: lo|")).toMatchObject({ path: ["steps", "a"], key: "tool", word: "lo" });
    expect(at("steps:\n  a: { args: { te|")).toMatchObject({ path: ["steps", "a", "args"], key: null, word: "te" });
    expect(at("a: { parallel: [x, y|")).toMatchObject({ path: ["a", "parallel", "1"], key: null, word: "y" });
    expect(at('{"steps": {"a": {"next": "b|')).toMatchObject({
      path: ["steps", "a"],
      key: "next",
      word: "b",
      quote: '"',
    });
    expect(at('{"steps": {"a": {"|')).toMatchObject({ path: ["steps", "a"], key: null, word: "", quote: '"' });
  });

  test("is in an item of a list", () => {
    expect(at("steps:\n  - tool: a\n  - to|")).toMatchObject({ path: ["steps", "1"], key: null, word: "to" });
    expect(at("a:\n  branch:\n    - if: x\n      then: |")).toMatchObject({ path: ["a", "branch", "0"], key: "then" });
  });

  test("is in a comment, or in a text of several lines", () => {
    expect(at("a: b # na|").isComment).toBe(true);
    expect(at("# na|").isComment).toBe(true);
    expect(at("a:\n  text: |\n    Hello {{ in|")).toMatchObject({ path: ["a"], key: "text", word: "Hello {{ in" });
  });
});

describe("a node of the graph", () => {
  const nodes = [
    { key: "fetch", pointer: "/steps/fetch" },
    { key: "tell", pointer: "/steps/tell" },
  ];

  test("is found in the text, and the text in the graph", () => {
    const scan = scanFlow(yaml);
    expect(entryOfNode(scan.entries, nodes[1] ?? { key: "", pointer: null })?.line).toBe(9);
    expect(nodeAt(scan, yaml.indexOf("web.fetch"), nodes)).toBe("fetch");
    expect(nodeAt(scan, yaml.indexOf("done: true"), nodes)).toBe("tell");
    expect(nodeAt(scan, yaml.indexOf("digest"), nodes)).toBeNull();
    expect(nodeAt(scan, yaml.length, nodes)).toBeNull();
  });

  test("is found in a map of steps alone, in a list and in a machine", () => {
    const bare = scanFlow('{"start": {"tool": "log", "next": "tell"},\n "tell": {"tool": "log"}}');
    expect(entryOfNode(bare.entries, { key: "tell", pointer: "/steps/tell" })?.line).toBe(2);
    expect(nodeAt(bare, 15, [{ key: "start", pointer: "/steps/start" }])).toBe("start");
    const list = scanFlow("steps:\n  - tool: a\n    name: one\n  - tool: b\n");
    expect(entryOfNode(list.entries, { key: "step_2", pointer: "/steps/1" })?.line).toBe(4);
    const machine = scanFlow("transitions:\n  - { name: go, action: { tool: log } }\n");
    expect(nodeAt(machine, 20, [{ key: "a/go", pointer: "/transitions/0/action" }])).toBe("a/go");
  });
});

test("a copy is called something else", () => {
  expect(withName("# name\nname: 'digest' # x\n", "digest-copy")).toBe("# name\nname: 'digest-copy' # x\n");
  expect(withName('{"start": {"name": "x"}}', "y")).toBe('{"start": {"name": "x"}}');
});
