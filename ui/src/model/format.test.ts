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
