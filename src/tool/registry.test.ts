import { describe, expect, test } from "vitest";
import { defineTool } from "./function.ts";
import { createToolBox } from "./registry.ts";

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
    expect(box.find("app.one")).toBeUndefined();
  });

  test("refuses two tools of one name", () => {
    expect(() => createToolBox([one, one])).toThrow('There are two tools "app.one"');
  });
});
