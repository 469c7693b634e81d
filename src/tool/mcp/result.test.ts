import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../flow/json.ts";
import { readResult } from "./result.ts";

const tool = { name: "s.t", description: null, effect: "read", input: null, output: null, outcomes: [] } as const;
const text = (said: string): Json => ({ type: "text", text: said });
const image = { type: "image", data: "aGk=", mimeType: "image/png" };

describe("what a server answers becomes", () => {
  test.each<[string, JsonObject, Json]>([
    ["its structure, whatever else there is", { content: [text("no")], structuredContent: { a: 1 } }, { a: 1 }],
    ["a structure that is null", { content: [text("no")], structuredContent: null }, null],
    ["an object that was written as text", { content: [text(' {"a": [1]}\n')] }, { a: [1] }],
    ["a list", { content: [text("[1, 2]")] }, [1, 2]],
    ["a number", { content: [text("42")] }, 42],
    ["true", { content: [text("true")] }, true],
    ["null", { content: [text("null")] }, null],
    ["a text", { content: [text("hello {world}")] }, "hello {world}"],
    ["a text in quotes as it stands", { content: [text('"quoted"')] }, '"quoted"'],
    ["a number of many digits as text", { content: [text("12345678901234567890")] }, "12345678901234567890"],
    ["a number that is none as text", { content: [text("1e999")] }, "1e999"],
    [
      "a text, when a number in it would not come back",
      { content: [text('{"id": 9007199254740993}')] },
      '{"id": 9007199254740993}',
    ],
    ["a text, for a fraction, too", { content: [text("[0.12345678901234567891]")] }, "[0.12345678901234567891]"],
    [
      "numbers, however they are written",
      { content: [text('[1.50, 1e3, 0.1, 0.0, 1e300, 10000000000000000, "12345678901234567891"]')] },
      [1.5, 1000, 0.1, 0, 1e300, 1e16, "12345678901234567891"],
    ],
    ["nothing", { content: [] }, null],
    ["nothing, without content at all", {}, null],
    ["an image as content", { content: [image] }, { content: [image] }],
    ["several blocks as content", { content: [text("1"), text("2")] }, { content: [text("1"), text("2")] }],
  ])("%s", (_, result, expected) => {
    expect(readResult(tool, result)).toEqual({ kind: "done", result: expected, outcome: null });
  });

  test("a text, when as JSON it would be too deep to keep", () => {
    const deep = `${"[".repeat(500)}${"]".repeat(500)}`;
    expect(readResult(tool, { content: [text(deep)] })).toEqual({ kind: "done", result: deep, outcome: null });
  });

  test("a failure, with its words and none of their colours", () => {
    const said = "\u001B[31mno\u001B[0m \u202Eway\u200B";
    const failure = { kind: "failed", code: "tool_failed", message: "no way", isFinal: false };
    expect(readResult(tool, { isError: true, content: [text(said)] })).toEqual(failure);
    expect(readResult(tool, { isError: true })).toMatchObject({ message: "The tool failed without a word." });
    expect(readResult(tool, { isError: true, structuredContent: { why: 1 } })).toMatchObject({ message: '{"why":1}' });
  });

  test("a failure for good, when a 1.x server says that the arguments do not fit", () => {
    const content = [text("MCP error -32602: Input validation error")];
    expect(readResult(tool, { isError: true, content })).toMatchObject({ kind: "failed", isFinal: true });
  });

  test("a bad result, when it is not what the schema says, or too large", () => {
    const output = { type: "object", required: ["a"] };
    const refused = readResult({ ...tool, output }, { structuredContent: { b: 1 } });
    expect(refused).toMatchObject({ kind: "failed", code: "bad_result", isFinal: true });
    const large = readResult(tool, { structuredContent: { a: "x".repeat(5_000_000) } });
    expect(large).toMatchObject({ kind: "failed", code: "result_too_large", isFinal: true });
  });

  test("an outcome, when it names one", () => {
    const outcomeOf = (name: Json): unknown => readResult(tool, { _meta: { "stepwell/outcome": name } });
    expect(outcomeOf("on_hold")).toMatchObject({ outcome: "hold" });
    expect(outcomeOf("empty")).toMatchObject({ outcome: "empty" });
    expect(outcomeOf("No Name")).toMatchObject({ kind: "done", outcome: null });
    expect(outcomeOf(3)).toMatchObject({ kind: "done", outcome: null });
  });
});
