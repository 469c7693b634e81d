import { expect, test } from "vitest";
import { formatFlow } from "./format.ts";

test("YAML is laid out anew and keeps its comments, its quotes and its order", () => {
  const text = `# Written by hand.
name:   letters
steps:
      draft: # the first
            tool:    app.write
            args: {title: "Tides",tone:   'dry'}

            next: post
      # the last
      post: {tool: app.send, done: true}
`;
  expect(formatFlow(text)).toEqual({
    ok: true,
    text: `# Written by hand.
name: letters
steps:
  draft: # the first
    tool: app.write
    args: { title: "Tides", tone: 'dry' }

    next: post
  # the last
  post: { tool: app.send, done: true }
`,
  });
});

test("what is laid out already stays as it is", () => {
  const text = "a: 1\nb:\n  - c\n  - d: 2\n";
  expect(formatFlow(text)).toEqual({ ok: true, text });
});

test("JSON is laid out anew, to the digit", () => {
  const text = '{"a":12345678901234567890,"b":[1.0,"x, {y}: \\"z\\"",true],"c":{},"d":[ ]}';
  const formatted = formatFlow(text);
  expect(formatted).toEqual({
    ok: true,
    text: `{
  "a": 12345678901234567890,
  "b": [
    1.0,
    "x, {y}: \\"z\\"",
    true
  ],
  "c": {},
  "d": []
}
`,
  });
});

test("what cannot be read is not touched, and it says where", () => {
  expect(formatFlow("a: 1\nb: [")).toMatchObject({ ok: false, problem: expect.stringMatching(/when it can be read/) });
  expect(formatFlow("a: 1\na: 2\n")).toMatchObject({
    ok: false,
    problem: expect.stringMatching(/Line 2: Map keys must/),
  });
  expect(formatFlow('{"a": }')).toMatchObject({ ok: false });
});

test("numbers of YAML stay as they are written, to the digit", () => {
  const text = `a:   12345678901234567890
b: [0x1F, 1.10,   1e3, +5, 0.1000000000000000055511151231257827, -0, .inf, 0o17]
12345678901234567890: "1"
c: "12345678901234567890"
`;
  expect(formatFlow(text)).toEqual({
    ok: true,
    text: text.replace("a:   ", "a: ").replace("[0x1F, 1.10,   1e3", "[ 0x1F, 1.10, 1e3").replace("0o17]", "0o17 ]"),
  });
});

test.each([
  ["YAML", "# one\na:   1\nb: |\n  x\n  y\n", "# one\na: 1\nb: |\n  x\n  y\n"],
  ["JSON", '{"a":1,\n"b":[]}\n', '{\n  "a": 1,\n  "b": []\n}\n'],
])("line ends and a byte order mark stay in %s", (_, text, formatted) => {
  const dos = (lines: string): string => lines.replaceAll("\n", "\r\n");
  expect(formatFlow(dos(text))).toEqual({ ok: true, text: dos(formatted) });
  expect(formatFlow(`\uFEFF${text}`)).toEqual({ ok: true, text: `\uFEFF${formatted}` });
});
