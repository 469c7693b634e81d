import { describe, expect, test } from "vitest";
import { createContext } from "../testing/call-context.ts";
import { withChecks } from "./answer.ts";
import type { Tool, ToolAnswer } from "./tool.ts";

/** A tool of somebody who writes without types. */
async function answerOf(answer: () => unknown): Promise<ToolAnswer> {
  const described = { name: "t", description: null, effect: "read", input: null, output: null, outcomes: [] } as const;
  const tool: Tool = { ...described, call: answer as Tool["call"] };
  return await withChecks(tool).call(createContext({}));
}

function badResult(part: string): object {
  return { kind: "failed", code: "bad_result", isFinal: true, message: expect.stringContaining(part) as string };
}

const unreadable: object = new Proxy(
  {},
  {
    get: () => {
      throw new Error("no");
    },
  },
);

describe("the answer of a tool that was written by hand", () => {
  test.each<[string, unknown, string]>([
    ["nothing", undefined, "nothing that says how it went"],
    ["a text", "done", "nothing that says how it went"],
    ["a kind that is none", { kind: "maybe" }, "nothing that says how it went"],
    ["what cannot be read", { kind: "failed", code: unreadable, message: unreadable }, "code"],
    ["a failure without a code", { kind: "failed", message: "no stock", isFinal: false }, "code"],
    ["an empty code", { kind: "failed", code: "", message: "m" }, "code"],
    ["a code that is too long", { kind: "failed", code: "c".repeat(101), message: "m" }, "code"],
    ["a failure without a message", { kind: "failed", code: "c" }, "message"],
    ["a message that is a number", { kind: "failed", code: "c", message: 5n, isFinal: true }, "message"],
    ["an outcome that is an object", { kind: "done", result: 1, outcome: {} }, "outcome"],
    ["an outcome that is a number", { kind: "done", result: 1, outcome: 42 }, "outcome"],
    ["an outcome that no route can name", { kind: "done", result: 1, outcome: "Not This" }, "outcome"],
  ])("with %s is a bad result, at once and later", async (_, answer, part) => {
    expect(await answerOf(() => answer)).toMatchObject(badResult(part));
    expect(await answerOf(async () => answer)).toMatchObject(badResult(part));
  });

  test("that throws when it is read is a bad result", async () => {
    const kind = (): unknown => ({
      get kind(): string {
        throw Object.create(null);
      },
    });
    expect(await answerOf(kind)).toMatchObject(badResult("cannot be read"));
    expect(await answerOf(async () => kind())).toMatchObject(badResult("cannot be read"));
  });

  test("is kept in bounds, and holds what it must and nothing else", async () => {
    const failed = { kind: "failed", code: "c", message: `${"x".repeat(5000)}\ud800`, isFinal: "yes", more: 1 };
    expect(await answerOf(() => failed)).toEqual({
      kind: "failed",
      code: "c",
      message: `${"x".repeat(4096)}…`,
      isFinal: false,
    });
    expect(await answerOf(() => ({ kind: "failed", code: "c", message: "a \ud800", isFinal: true }))).toEqual({
      kind: "failed",
      code: "c",
      message: "a \ufffd",
      isFinal: true,
    });
    expect(await answerOf(() => ({ kind: "lost", more: 1 }))).toEqual({ kind: "lost" });
    expect(await answerOf(() => ({ kind: "done" }))).toEqual({ kind: "done", result: null, outcome: null });
    expect(await answerOf(() => ({ kind: "done", result: 1, outcome: "on_items" }))).toMatchObject({
      outcome: "items",
    });
  });
});
