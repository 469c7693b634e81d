import { describe, expect, test } from "vitest";
import type { PatchOperation } from "../finding.ts";
import { patchText } from "./patch-text.ts";

function patched(text: string, ...patch: readonly PatchOperation[]): string {
  const done = patchText(text, patch);
  if (done.kind === "misfit") throw new Error(done.why);
  return done.text;
}

/** As somebody writes it, not as a library would. */
const flow = `# Written by hand.
steps:
    draft:   # the first
        tool:  app.write     # writes
        args: {title: Tides,tone:   dry}
        retry: false

    # the last
    post: {tool: app.send,  done: true}
`;

describe("a change by lines leaves all else to the blank", () => {
  test("a key is added below the last one of a map", () => {
    expect(patched(flow, { op: "add", path: "/steps/draft/next", value: "post" })).toBe(
      flow.replace("retry: false\n", "retry: false\n        next: post\n"),
    );
    expect(patched(flow, { op: "add", path: "/steps/end", value: { set: { a: 1 }, done: true } })).toBe(
      `${flow}    end:\n      set:\n        a: 1\n      done: true\n`,
    );
    expect(patched("a: 1", { op: "add", path: "/b", value: 2 })).toBe("a: 1\nb: 2");
  });

  test("a key is added in brackets", () => {
    expect(patched(flow, { op: "add", path: "/steps/draft/args/to", value: "{{ x }}, y" })).toBe(
      flow.replace("dry}", 'dry, to: "{{ x }}, y"}'),
    );
    expect(patched("a: {}   # none\nb: 2\n", { op: "add", path: "/a/c", value: [1] })).toBe(
      "a: { c: [ 1 ] }   # none\nb: 2\n",
    );
  });

  test("a value becomes another kind of value on its line", () => {
    expect(patched(flow, { op: "replace", path: "/steps/draft/retry", value: { attempts: 3 } })).toBe(
      flow.replace("retry: false", "retry: { attempts: 3 }"),
    );
    expect(patched(flow, { op: "add", path: "/steps/draft/args", value: "{{ input }}" })).toBe(
      flow.replace("{title: Tides,tone:   dry}", '"{{ input }}"'),
    );
  });

  test("a key goes with its lines, or with its comma", () => {
    expect(patched(flow, { op: "remove", path: "/steps/draft/retry" })).toBe(
      flow.replace("        retry: false\n", ""),
    );
    expect(patched(flow, { op: "remove", path: "/steps/draft/args/title" })).toBe(flow.replace("title: Tides,", ""));
    expect(patched(flow, { op: "remove", path: "/steps/draft/args/tone" })).toBe(flow.replace(",tone:   dry", ""));
    expect(patched(flow, { op: "remove", path: "/steps/draft" })).toBe(
      "# Written by hand.\nsteps:\n\n    # the last\n    post: {tool: app.send,  done: true}\n",
    );
  });

  test("several are done one after the other", () => {
    const patch = [
      { op: "replace", path: "/steps/post/tool", value: "app.post" },
      { op: "add", path: "/steps/draft/on_error", value: "post" },
      { op: "remove", path: "/steps/draft/retry" },
    ] as const;
    expect(patched(flow, ...patch)).toBe(
      flow.replace("app.send", "app.post").replace("retry: false", "on_error: post"),
    );
  });
});

const list = `steps:
  # begins
  -   name: one
      routes: [{branch: odd, goto: 3}]

  # the second
  - name: two  # 2
    set: {}
  - {name: three}
after: 1
`;
const two = "  # the second\n  - name: two  # 2\n    set: {}\n";

describe("in lists", () => {
  test("an item moves with the comment above it", () => {
    const up = list.replace(two, "").replace("  -   name", `${two}  -   name`);
    expect(patched(list, { op: "move", from: "/steps/1", path: "/steps/0" })).toBe(up);
    const down = list.replace(two, "").replace("after", `${two}after`);
    expect(patched(list, { op: "move", from: "/steps/1", path: "/steps/2" })).toBe(down);
  });

  test("an item is removed, or added before another or behind the last", () => {
    expect(patched(list, { op: "remove", path: "/steps/1" })).toBe(list.replace(two, ""));
    expect(patched(list, { op: "add", path: "/steps/3", value: { name: "four", done: true } })).toBe(
      list.replace("after", "  - name: four\n    done: true\nafter"),
    );
    expect(patched(list, { op: "add", path: "/steps/2", value: "x" })).toBe(
      list.replace("  - {name: three}", "  - x\n  - {name: three}"),
    );
    expect(patched(list, { op: "add", path: "/steps/0/routes/1", value: { branch: "even", goto: 2 } })).toBe(
      list.replace("goto: 3}]", "goto: 3}, { branch: even, goto: 2 }]"),
    );
  });
});

describe("comments stay", () => {
  const braces = `x:   1
a: { a: 1, # about a
     # above b
     b: 2,
     c: "#3" } # all
`;
  test("in brackets, when a key beside them goes", () => {
    expect(patched("x:   { a: 1, # about a\n  b: 2 }\n", { op: "remove", path: "/x/b" })).toBe(
      "x:   { a: 1, # about a\n   }\n",
    );
    expect(patched(braces, { op: "remove", path: "/a/a" })).toBe(braces.replace("a: 1, # about a", " # about a"));
    expect(patched(braces, { op: "remove", path: "/a/b" })).toBe(braces.replace("     b: 2,\n", ""));
    expect(patched(braces, { op: "remove", path: "/a/c" })).toBe(braces.replace(',\n     c: "#3"', ""));
    const beside = "x:   {\n  a: 1, # about a\n  # above b\n  b: 2 # about b\n}\n";
    expect(patched(beside, { op: "remove", path: "/x/a" })).toBe(beside.replace("  a: 1, # about a\n", ""));
    expect(patched(beside, { op: "remove", path: "/x/b" })).toBe(beside.replace("  b: 2 # about b\n", ""));
  });

  test("in brackets, when an item beside them goes", () => {
    const items = "x:   [ 1, # one\n  2,\n  # three\n  3 ]\n";
    expect(patched(items, { op: "remove", path: "/x/1" })).toBe(items.replace("  2,\n", ""));
    expect(patched(items, { op: "remove", path: "/x/2" })).toBe(items.replace("3 ]", " ]"));
  });

  const closed = `steps:
  - name:   one
    # closes one
  # about two
  - name: two
    # closes two
 # of nobody
  - name: three
`;
  test("with the item in which they stand, when another one goes or comes", () => {
    const second = "  # about two\n  - name: two\n    # closes two\n";
    const first = "  - name:   one\n    # closes one\n";
    expect(patched(closed, { op: "remove", path: "/steps/1" })).toBe(closed.replace(second, ""));
    expect(patched(closed, { op: "move", from: "/steps/1", path: "/steps/0" })).toBe(
      closed.replace(first + second, second + first),
    );
    expect(patched(closed, { op: "move", from: "/steps/0", path: "/steps/1" })).toBe(
      closed.replace(first + second, second + first),
    );
    expect(patched(closed, { op: "remove", path: "/steps/2" })).toBe(closed.replace("  - name: three\n", ""));
    expect(patched(closed, { op: "add", path: "/steps/1", value: 1 })).toBe(closed.replace(first, `${first}  - 1\n`));
  });
});

describe("in brackets a text is quoted where brackets need it", () => {
  const text = "x:   {a:   foo, b: [bar]}\ny:   foo\nz: 'q'\n";
  test.each<readonly [operation: PatchOperation, old: string, written: string]>([
    [{ op: "replace", path: "/x/a", value: "a, b" }, "a:   foo", 'a:   "a, b"'],
    [{ op: "replace", path: "/x/a", value: "a\nb" }, "a:   foo", 'a:   "a\\nb"'],
    [{ op: "replace", path: "/x/a", value: "long ".repeat(30) }, "a:   foo", `a:   "${"long ".repeat(30)}"`],
    [{ op: "replace", path: "/x/a", value: "plain" }, "a:   foo", "a:   plain"],
    [{ op: "replace", path: "/x/b/0", value: "c]" }, "bar", '"c]"'],
    [{ op: "add", path: "/x/b/1", value: "c}" }, "bar", 'bar, "c}"'],
    [{ op: "add", path: "/x/b", value: "c, d" }, "[bar]", '"c, d"'],
    [{ op: "move", from: "/x/a", path: "/x/a, b" }, "a:   foo", '"a, b":   foo'],
    [{ op: "replace", path: "/y", value: "a, b" }, "y:   foo", "y:   a, b"],
    [{ op: "replace", path: "/y", value: "a\nb" }, "y:   foo", "y:   |-\n  a\n  b"],
    [{ op: "replace", path: "/y", value: "a\nb\n" }, "y:   foo", "y:   |\n  a\n  b"],
    [{ op: "replace", path: "/z", value: "a\nb" }, "z: 'q'", "z: |-\n  a\n  b"],
  ])("%j", (operation, old, written) => {
    expect(patched(text, operation)).toBe(text.replace(old, written));
  });
});

describe("line ends are those of the text", () => {
  const dos = (text: string): string => text.replaceAll("\n", "\r\n");
  test.each<readonly [text: string, operation: PatchOperation]>([
    [flow, { op: "add", path: "/steps/draft/next", value: "post" }],
    [flow, { op: "add", path: "/steps/end", value: { set: { a: 1 }, done: true } }],
    [flow, { op: "remove", path: "/steps/draft/retry" }],
    [flow, { op: "replace", path: "/steps/draft/retry", value: "a\nb" }],
    [list, { op: "add", path: "/steps/3", value: { name: "four", done: true } }],
    [list, { op: "add", path: "/steps/1", value: { name: "four", done: true } }],
    [list, { op: "move", from: "/steps/1", path: "/steps/0" }],
    [list, { op: "remove", path: "/steps/1" }],
    ["a:   1\nb:   2", { op: "add", path: "/c", value: 2 }],
    ["a:\n  b: 1 # one\n", { op: "remove", path: "/a/b" }],
    ['{\n  "a": 1\n}\n', { op: "add", path: "/b", value: [2] }],
  ])("%j %j", (text, operation) => {
    expect(patched(dos(text), operation)).toBe(dos(patched(text, operation)));
  });
});

describe("what takes more is written anew, and says the same", () => {
  test.each<readonly [text: string, operation: PatchOperation, written: string]>([
    ["a:\n  b: 1\n", { op: "remove", path: "/a/b" }, "a: {}\n"],
    ["a:\n  b: 1\n", { op: "replace", path: "/a", value: 2 }, "a: 2\n"],
    ["a: |\n  text\n", { op: "replace", path: "/a", value: [1] }, "a:\n  - 1\n"],
    ["a: [1, 2]\n", { op: "remove", path: "/a/0" }, "a: [ 2 ]\n"],
    ["a: [1, 2]\n", { op: "add", path: "/a/0", value: 0 }, "a: [ 0, 1, 2 ]\n"],
    ["a: [1, 2]\n", { op: "move", from: "/a/0", path: "/a/1" }, "a: [ 2, 1 ]\n"],
    ["a: []\n", { op: "add", path: "/a/0", value: 0 }, "a: [ 0 ]\n"],
    ["- 1\n- 2", { op: "move", from: "/0", path: "/1" }, "- 2\n- 1\n"],
    ["- a: 1\n  b: 2\n", { op: "remove", path: "/0/a" }, "- b: 2\n"],
    ["a: &x 1\nb: *x\n", { op: "replace", path: "/b", value: [3] }, "a: &x 1\nb:\n  - 3\n"],
    ["a: 1\nb: { c: 2 }\n", { op: "move", from: "/b/c", path: "/d" }, "a: 1\nb: {}\nd: 2\n"],
  ])("%j", (text, operation, written) => {
    expect(patched(text, operation)).toBe(written);
  });
});
