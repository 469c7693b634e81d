import { describe, expect, expectTypeOf, test } from "vitest";
import * as z from "zod";
import type { Json, JsonObject } from "../flow/json.ts";
import { createContext } from "../testing/call-context.ts";
import { defineTool, outcome, ToolError, type ToolFunction } from "./function.ts";
import type { CheckedBy, StandardSchema } from "./standard-schema.ts";
import type { Tool, ToolAnswer } from "./tool.ts";

function answerOf(call: ToolFunction, input: Json = {}): ToolAnswer | Promise<ToolAnswer> {
  return defineTool({ name: "t", call }).call(createContext(input, { attempt: 3 }));
}

describe("a function as a tool", () => {
  test("is given the arguments and where it is called", () => {
    const call: ToolFunction = (input, { user, run, step, attempt, idempotencyKey, signal }) => [
      input,
      [user, run, step, attempt, idempotencyKey, signal.aborted],
    ];
    const result = [{ name: "Ada" }, ["ada", 1, 2, 3, "u:start:1", false]];
    expect(answerOf(call, { name: "Ada" })).toEqual({ kind: "done", result, outcome: null });
  });

  test("answers at once when it does, and later when it promises", async () => {
    expect(answerOf(() => 1)).toEqual({ kind: "done", result: 1, outcome: null });
    const later = answerOf(() => Promise.resolve(2));
    expect(later).toBeInstanceOf(Promise);
    expect(await later).toEqual({ kind: "done", result: 2, outcome: null });
  });

  test("may name its outcome, with or without on_", async () => {
    expect(answerOf(() => outcome("empty", []))).toEqual({ kind: "done", result: [], outcome: "empty" });
    expect(await answerOf(() => Promise.resolve(outcome("on_items")))).toMatchObject({
      result: null,
      outcome: "items",
    });
  });

  test("fails for good with an outcome that no route could name", () => {
    expect(answerOf(() => outcome("Not This", 1))).toMatchObject({ kind: "failed", code: "bad_result", isFinal: true });
  });

  test.each([
    ["an error", () => new Error("down"), { code: "tool_failed", message: "down", isFinal: false }],
    ["a text", () => "down", { code: "tool_failed", message: "down", isFinal: false }],
    [
      "a ToolError",
      () => new ToolError({ code: "gone", message: "It is gone", isFinal: true }),
      { code: "gone", message: "It is gone", isFinal: true },
    ],
    [
      "a ToolError that says little",
      () => new ToolError({ message: "hm" }),
      { code: "tool_failed", message: "hm", isFinal: false },
    ],
  ])("that throws %s has failed, at once or later", async (_, make, failure) => {
    const thrower: ToolFunction = () => {
      throw make();
    };
    expect(answerOf(thrower)).toEqual({ kind: "failed", ...failure });
    expect(await answerOf(async (input, context) => thrower(input, context))).toEqual({ kind: "failed", ...failure });
  });

  test("that throws a whole book is kept to its beginning", () => {
    const answer = answerOf(() => {
      throw new Error("x".repeat(100_000));
    });
    expect(answer).toMatchObject({ message: `${"x".repeat(4096)}…` });
  });

  test("with a result that is no JSON has failed for good: it has happened, and would again", () => {
    expect(answerOf(() => ({ id: 1n }))).toEqual({
      kind: "failed",
      code: "bad_result",
      message: "Its result is no JSON: at id, a BigInt is not JSON; return it as a text.",
      isFinal: true,
    });
  });

  test("does harm when repeated unless it says otherwise", () => {
    expect(defineTool({ name: "t", call: () => 1 })).toMatchObject({
      name: "t",
      effect: "idempotent",
      description: null,
    });
    expect(defineTool({ name: "t", effect: "read", description: "d", call: () => 1 })).toMatchObject({
      effect: "read",
      description: "d",
    });
  });

  test("needs a name", () => {
    expect(() => defineTool({ name: " ", call: () => 1 })).toThrow("A tool needs a name");
  });
});

describe("the schemas of a function", () => {
  const input = {
    type: "object",
    properties: { title: { type: "string" }, score: { type: "number" } },
    required: ["title"],
    additionalProperties: false,
  };

  test("E3-45: are held against its arguments before it is called", () => {
    const seen: Json[] = [];
    const tool = defineTool({ name: "app.score", input, call: (given) => seen.push(given) });
    expect(tool.call(createContext({ title: "Tides", score: 3 }))).toMatchObject({ kind: "done", result: 1 });
    expect(tool.call(createContext({ titel: "Tides", score: "x" }))).toEqual({
      kind: "failed",
      code: "bad_args",
      message:
        'The tool "app.score" does not take these arguments: title: is missing; titel: is not known (did you mean ' +
        '"title"?); score: expected number, got text "x". Expected title, score (optional); given titel, score.',
      isFinal: true,
    });
    expect(seen).toEqual([{ title: "Tides", score: 3 }]);
  });

  test("are held against its result", async () => {
    const output = { type: "object", properties: { items: { items: { type: "string" } } }, required: ["items"] };
    const tool = (call: ToolFunction): Tool => defineTool({ name: "feed", output, outcomes: ["on_empty"], call });
    const ask = (call: ToolFunction): unknown => tool(call).call(createContext({}));
    expect(tool(() => 1)).toMatchObject({ output, outcomes: ["empty"] });
    expect(ask(() => ({ items: ["a"] }))).toMatchObject({ kind: "done" });
    const wrong = {
      kind: "failed",
      code: "bad_result",
      message: 'The result of the tool "feed" is not what its schema says: items.0: expected text, got number.',
      isFinal: true,
    };
    expect(ask(() => ({ items: [4711] }))).toEqual(wrong);
    expect(await ask(() => Promise.resolve({ items: [4711] }))).toEqual(wrong);
    expect(ask(() => outcome("empty", { items: [] }))).toMatchObject({ kind: "done", outcome: "empty" });
    expect(ask(() => outcome("empty", []))).toMatchObject({ code: "bad_result" });
    expect(ask(() => outcome("full", { items: [] }))).toMatchObject({ code: "bad_result" });
    expect(ask(() => outcome("success", { items: [] }))).toMatchObject({ outcome: "success" });
  });

  test("that cannot be used are told when it is defined, with the tool's name", () => {
    const define = (schema: JsonObject) => () => defineTool({ name: "odd", input: schema, call: () => 1 });
    expect(define({ properties: { a: { $ref: "https://example.com/a.json" } } })).toThrow(
      'The input schema of the tool "odd" cannot be used at /properties/a/$ref: it refers to "https://example.com/a.json"',
    );
    expect(define({ enum: ["x".repeat(300_000)] })).toThrow("longer than");
    expect(() => defineTool({ name: "odd", outcomes: ["Not This"], call: () => 1 })).toThrow(/"odd" has the outcome/);
  });

  test("that are none are told when it is called, before anything happens", () => {
    const seen: Json[] = [];
    const call: ToolFunction = (given) => seen.push(given);
    const wrong = { properties: { a: { type: "numbr" } } };
    const code = "bad_schema";
    const message = expect.stringMatching(/^The (input|output) schema of the tool "odd" cannot be used at /) as unknown;
    for (const schemas of [{ input: wrong }, { output: wrong }])
      expect(defineTool({ name: "odd", ...schemas, call }).call(createContext({}))).toMatchObject({ code, message });
    expect(seen).toEqual([]);
  });

  test("are copies: who wrote them may change them later", () => {
    const mine = { type: "object", required: ["a"] };
    const tool = defineTool({ name: "t", input: mine, call: () => 1 });
    mine.required.push("b");
    expect(tool.input).toEqual({ type: "object", required: ["a"] });
    expect(tool.call(createContext({ a: 1 }))).toMatchObject({ kind: "done" });
  });

  test("show no value that stands where a secret does", () => {
    const tool = defineTool({ name: "t", input: { properties: { key: { maxLength: 3 } } }, call: () => 1 });
    const given = createContext({ key: "canary" }, { secretPlaces: ["/key"] });
    const answer = tool.call(given);
    expect(answer).toMatchObject({ code: "bad_args", message: expect.stringContaining("key: must NOT") as unknown });
    expect(JSON.stringify(answer)).not.toContain("canary");
  });
});

describe("a schema of zod", () => {
  const Article = z.object({ title: z.string().trim(), score: z.number().default(5), at: z.coerce.date().optional() });

  test("says what the function is given, with what it makes of the arguments", () => {
    const tool = defineTool({
      name: "t",
      input: Article,
      // Typed by the schema.
      call: ({ title, score, at }) => [title.length, score.toFixed(1), at?.getTime() ?? null],
    });
    expect(tool.call(createContext({ title: " ab ", at: "2026-01-01" }))).toMatchObject({
      result: [2, "5.0", Date.UTC(2026, 0, 1)],
    });
    expectTypeOf<CheckedBy<typeof Article>>().toEqualTypeOf<z.output<typeof Article>>();
    expectTypeOf<CheckedBy<{ type: "object" }>>().toEqualTypeOf<JsonObject>();
  });

  test("is JSON Schema for everybody else", () => {
    const tool = defineTool({ name: "t", input: Article, output: z.object({ n: z.number() }), call: () => ({ n: 1 }) });
    expect(tool.input).toMatchObject({ properties: { title: { type: "string" }, at: {} }, required: ["title"] });
    expect(tool.output).toMatchObject({ properties: { n: { type: "number" } }, required: ["n"] });
  });

  test("E3-45: tells what is wrong in its own words, with expected and given names", () => {
    const tool = defineTool({ name: "t", input: Article, call: () => 1 });
    expect(tool.call(createContext({ titel: "x", score: "y" }))).toEqual({
      kind: "failed",
      code: "bad_args",
      message:
        'The tool "t" does not take these arguments: title: Invalid input: expected string, received undefined; ' +
        "score: Invalid input: expected number, received string. " +
        "Expected title, score (optional), at (optional); given titel, score.",
      isFinal: true,
    });
  });

  test("may take its time", async () => {
    const Taken = z.object({ name: z.string().refine((name) => Promise.resolve(name !== "ada"), "is taken") });
    const tool = defineTool({
      name: "t",
      input: Taken,
      output: Taken,
      call: ({ name }) => ({ name: `${name}!`, x: 1 }),
    });
    expect(await tool.call(createContext({ name: "bob" }))).toMatchObject({ result: { name: "bob!" } });
    expect(await tool.call(createContext({ name: "ada" }))).toMatchObject({
      code: "bad_args",
      message: expect.stringContaining("name: is taken") as unknown,
    });
    const other = defineTool({ name: "t", output: Taken, call: () => outcome("empty", { name: "ada" }) });
    expect(await other.call(createContext({}))).toMatchObject({ code: "bad_result" });
  });

  test("that throws has failed, and shows nothing of a secret's place", async () => {
    const failing = z.object({ key: z.string().refine(() => raise("no database")) });
    const tool = defineTool({ name: "t", input: failing, call: () => 1 });
    expect(await tool.call(createContext({ key: "x" }))).toMatchObject({ code: "tool_failed", message: "no database" });
    const validate = (): never => raise("no words");
    const broken: StandardSchema = { "~standard": { version: 1, vendor: "ours", validate } };
    const ask = (schemas: object): unknown =>
      defineTool({ name: "t", ...schemas, call: () => 1 }).call(createContext({}));
    expect(ask({ input: broken })).toMatchObject({ code: "tool_failed", message: "no words", isFinal: false });
    // It has been called by then, and must not be called again.
    expect(ask({ output: broken })).toMatchObject({ code: "bad_result", isFinal: true });
    const telling = z.object({
      key: z.string().refine(() => false, { error: ({ input }) => `${String(input)} is bad` }),
    });
    const answer = defineTool({ name: "t", input: telling, call: () => 1 }).call(
      createContext({ key: "canary" }, { secretPlaces: ["/key"] }),
    );
    expect(answer).toMatchObject({
      code: "bad_args",
      message: expect.stringContaining("key: does not fit") as unknown,
    });
    expect(JSON.stringify(answer)).not.toContain("canary");
  });

  test("of a library without JSON Schema is anything for everybody else", () => {
    const even: StandardSchema<unknown, number> = {
      "~standard": {
        version: 1,
        vendor: "ours",
        validate: (value) => (Number(value) % 2 === 0 ? { value: Number(value) } : { issues: [{ message: "is odd" }] }),
      },
    };
    const tool = defineTool({ name: "t", input: even, call: (given) => given + 1 });
    expect(tool.input).toBeNull();
    expect(tool.call(createContext("4"))).toMatchObject({ result: 5 });
    expect(tool.call(createContext("5"))).toMatchObject({
      message: 'The tool "t" does not take these arguments: is odd. Expected none; given none.',
    });
  });
});

function raise(message: string): never {
  throw new Error(message);
}
