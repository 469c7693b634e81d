import { expect, test } from "vitest";
import { flowSchema } from "../../../src/flow/schema/editor.ts";
import { callAt, hoverAt } from "./hover.ts";

const known = {
  schema: flowSchema(),
  tools: [
    {
      name: "demo.echo",
      description: "Answers with its text",
      effect: "write",
      input: { properties: { text: {} } },
      output: null,
      outcomes: [],
      server: null,
    },
  ],
};
const text = `steps:
  one:
    tool: demo.echo
    args: { text: "Hi {{ input.who }}", count: 3, loud: true, name: ann }
    next: two
  two: { gate: { title: x } }
`;

test("a tool says what it does, and what it takes", () => {
  expect(hoverAt(text, text.indexOf("echo"), known)).toMatchObject({
    title: "demo.echo",
    lines: ["Answers with its text", "Takes text.", "It changes something."],
  });
});

test("a key says what it means; a name of one's own says nothing", () => {
  expect(hoverAt(text, text.indexOf("next") + 1, known)?.title).toBe("next");
  expect(hoverAt(text, text.indexOf("two:") + 1, known)).toBeNull();
  expect(hoverAt(text, text.indexOf("count") + 1, known)).toBeNull();
  expect(hoverAt("", 0, known)).toBeNull();
});

test("a step is tried with what its arguments say without a run", () => {
  expect(callAt(text, text.indexOf("next"))).toEqual({
    tool: "demo.echo",
    args: { count: 3, loud: true, name: "ann" },
  });
  expect(callAt(text, text.indexOf("title"))).toBeNull();
});
