import { describe, expect, test } from "vitest";
import type { Json } from "../flow/json.ts";
import { defineTool, outcome, ToolError, type ToolFunction } from "./function.ts";
import type { CallContext, ToolAnswer } from "./tool.ts";

function contextOf(input: Json): CallContext {
  const { signal } = new AbortController();
  return { input, user: "ada", run: 1, step: 2, attempt: 3, idempotencyKey: "u:start:1", signal };
}

function answerOf(call: ToolFunction, input: Json = {}): ToolAnswer | Promise<ToolAnswer> {
  return defineTool({ name: "t", call }).call(contextOf(input));
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
