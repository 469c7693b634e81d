import { describe, expect, test } from "vitest";
import { defineTool } from "./function.ts";
import { createToolBox, describeTools, describeUnknownTool } from "./registry.ts";
import { createContext } from "../testing/call-context.ts";
import type { Tool } from "./tool.ts";

const one = defineTool({ name: "app.one", effect: "read", call: () => 1 });
const two = defineTool({ name: "other.one", call: () => 2 });

describe("a tool box", () => {
  test("finds functions by their key, and tools by their name", () => {
    const box = createToolBox({ greet: () => "hello", "app.one": one });
    expect(box.list().map(({ name, effect }) => [name, effect])).toEqual([
      ["greet", "idempotent"],
      ["app.one", "read"],
    ]);
    expect(box.find("app.one")).toBe(one);
    expect(box.find("Greet")).toBeUndefined();
    expect(box.find("toString")).toBeUndefined();
  });

  test("finds a tool by the last part of its name where no other has it", () => {
    expect(createToolBox([one]).find("one")).toBe(one);
    expect(createToolBox([one, two]).find("one")).toBeUndefined();
    expect(createToolBox({ one: () => 3, "app.one": one }).find("one")?.name).toBe("one");
  });

  test("calls a tool by its key when it stands under another name", () => {
    const box = createToolBox({ uno: one });
    expect(box.find("uno")).toMatchObject({ name: "uno", effect: "read" });
    expect(box.find("uno")?.call(createContext({}))).toMatchObject({ result: 1 });
    expect(box.find("app.one")).toBeUndefined();
  });

  test("refuses two tools of one name", () => {
    expect(() => createToolBox([one, one])).toThrow('There are two tools "app.one"');
  });

  test("checks what tools that were written by hand are given, and what they answer", async () => {
    const input = { type: "object", required: ["n"] };
    const output = { type: "number" };
    const described = { name: "hand", description: null, effect: "read", outcomes: ["odd"] } as const;
    const answers = { result: 1 as unknown, outcome: null as string | null };
    const call: Tool["call"] = () => ({ kind: "done", ...answers }) as ReturnType<Tool["call"]>;
    const hand = createToolBox([{ ...described, input, output, call }]).find("hand");
    const ask = (given: object): unknown => hand?.call(createContext({ ...given }));
    expect(ask({ n: 1 })).toEqual({ kind: "done", result: 1, outcome: null });
    expect(ask({})).toMatchObject({ kind: "failed", code: "bad_args" });
    answers.result = "one";
    expect(ask({ n: 1 })).toMatchObject({ kind: "failed", code: "bad_result" });
    Object.assign(answers, { result: 1, outcome: "even" });
    expect(ask({ n: 1 })).toMatchObject({ code: "bad_result", message: expect.stringContaining("odd") as unknown });
    answers.outcome = "odd";
    expect(ask({ n: 1 })).toEqual({ kind: "done", result: 1, outcome: "odd" });
    const later: Tool = { ...described, input, output, call: () => Promise.resolve({ kind: "lost" }) };
    expect(
      await createToolBox({ later })
        .find("later")
        ?.call(createContext({ n: 1 })),
    ).toEqual({ kind: "lost" });
  });

  test("describes its tools for the validator of flows", () => {
    const input = { type: "object", properties: { n: { type: "number" } } };
    const box = createToolBox([one, defineTool({ name: "b", description: "Does b", input, call: () => 1 })]);
    expect(describeTools(box)).toEqual([
      { name: "app.one", effect: "read" },
      { name: "b", effect: "idempotent", description: "Does b", inputSchema: input },
    ]);
  });

  test("E3-44: names what is not there, with the nearest name", () => {
    const box = createToolBox([one, defineTool({ name: "mail.send", call: () => 1 })]);
    expect(describeUnknownTool(box, "mail.sned")).toBe('Unknown tool: mail.sned. Did you mean "mail.send"?');
    expect(describeUnknownTool(box, "Mail.Send")).toBe('Unknown tool: Mail.Send. Did you mean "mail.send"?');
    expect(describeUnknownTool(box, "sned")).toBe('Unknown tool: sned. Did you mean "send"?');
    expect(describeUnknownTool(box, "weather")).toBe(
      "Unknown tool: weather. Give it to the engine, or correct the name.",
    );
  });
});
