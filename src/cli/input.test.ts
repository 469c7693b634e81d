import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readInput } from "./input.ts";

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "stepwell-"));
  writeFileSync(join(folder, "text.txt"), "12");
  writeFileSync(join(folder, "input.json"), '{"a": 1, "b": {"c": [true]}}');
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function pairs(...given: readonly string[]): unknown {
  return readInput({ whole: undefined, pairs: given, schema: null });
}

describe("the input of a run", () => {
  test.each([
    ["name=Ada", { name: "Ada" }],
    ["count=3", { count: 3 }],
    ["price=1.50", { price: 1.5 }],
    ["flag=true", { flag: true }],
    ["none=null", { none: null }],
    ["list=[1,2]", { list: [1, 2] }],
    ["empty=", { empty: "" }],
    ['quoted="3"', { quoted: "3" }],
    ["formula=a=b", { formula: "a=b" }],
    ["zip=007", { zip: "007" }],
    ["id=12345678901234567890", { id: "12345678901234567890" }],
    ["half=[1,", { half: "[1," }],
    ["count:=3", { count: 3 }],
    ["time=12:30", { time: "12:30" }],
  ])("%s", (pair, input) => {
    expect(pairs(pair)).toEqual(input);
  });

  test("stays a text where the flow's schema wants one", () => {
    const schema = { type: "object", properties: { order: { type: "string" }, amount: { type: "number" } } };
    expect(readInput({ whole: undefined, pairs: ["order=17", "amount=17"], schema })).toEqual({
      order: "17",
      amount: 17,
    });
  });

  test("comes from files, as text or as JSON", () => {
    expect(pairs(`a=@${join(folder, "text.txt")}`, `b:=@${join(folder, "text.txt")}`)).toEqual({ a: "12", b: 12 });
    const whole = `@${join(folder, "input.json")}`;
    expect(readInput({ whole, pairs: ["a=2"], schema: null })).toEqual({ a: 2, b: { c: [true] } });
  });

  test("keeps __proto__ as a key like any other", () => {
    expect(JSON.stringify(pairs('__proto__:={"x":1}'))).toBe('{"__proto__":{"x":1}}');
    expect({}).not.toHaveProperty("x");
  });
});
