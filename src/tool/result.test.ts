import { describe, expect, test } from "vitest";
import { checkResult } from "./result.ts";

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

function valueOf(returned: unknown): unknown {
  const checked = checkResult(returned);
  if (!checked.ok) throw new Error(checked.message);
  return checked.value;
}

function messageOf(returned: unknown): string {
  const checked = checkResult(returned);
  return checked.ok ? "fine" : `${checked.code}: ${checked.message}`;
}

class Point {
  readonly x = 1;
}

describe("a result", () => {
  test.each([
    [undefined, null],
    [null, null],
    [false, false],
    [-0, 0],
    ["", ""],
    [
      [1, [null, "a"]],
      [1, [null, "a"]],
    ],
    [{ a: { b: undefined, c: [] } }, { a: { c: [] } }],
    [new Date(0), "1970-01-01T00:00:00.000Z"],
    [{ at: new Date(0) }, { at: "1970-01-01T00:00:00.000Z" }],
    [new Point(), { x: 1 }],
    [Object.create(null), {}],
  ])("%j is taken as %j", (returned, value) => {
    expect(valueOf(returned)).toEqual(value);
    expect(valueOf(returned)).toEqual(JSON.parse(JSON.stringify(returned ?? null)));
  });

  test.each([
    [Number.NaN, "NaN is no number of JSON"],
    [[1, undefined], "at 1, undefined is not JSON; use null"],
    [{ a: [{ b: 1n }] }, "at a.0.b, a BigInt is not JSON; return it as a text"],
    [() => 1, "a function is not JSON"],
    [{ a: Symbol("s") }, "at a, a symbol is not JSON"],
    [new Map([[1, 2]]), "a value of the type Map is not JSON; return a plain object"],
    [{ bytes: new Uint8Array(3) }, "at bytes, a value of the type Uint8Array is not JSON; return a plain object"],
    [{ error: new Error("e") }, "at error, a value of the type Error is not JSON; return a plain object"],
  ])("%o is refused, and where", (returned, told) => {
    expect(messageOf(returned)).toBe(`bad_result: Its result is no JSON: ${told}.`);
  });

  test("may be 128 deep and not deeper", () => {
    expect(valueOf(nested(128))).toEqual(nested(128));
    expect(messageOf(nested(129))).toContain("nested more than 128 deep, or contains itself");
    expect(messageOf(nested(1_000_000))).toContain("nested more than 128 deep");
  });

  test("that contains itself is refused", () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    expect(messageOf(circle)).toBe(
      "bad_result: Its result is no JSON: at self.self.self.self.self.self.self.self, it is nested more than 128 deep, or contains itself.",
    );
  });

  test("that cannot be read is refused", () => {
    const returned = {
      get a(): string {
        throw new Error("no");
      },
    };
    expect(messageOf(returned)).toBe("bad_result: Its result cannot be read: no");
  });

  test("may have 4 MB as text, and not a byte more; its beginning is kept", () => {
    const most = "x".repeat(4 * 1024 * 1024 - 2);
    expect(valueOf(most)).toBe(most);
    const told = messageOf(`${most}y`);
    expect(told.slice(0, 160)).toContain("result_too_large: Its result has 4194305 bytes; 4194304 are the limit.");
    expect(told).toContain(`It begins: "xxx`);
    expect(told.length).toBeLessThan(4096 + 200);
    // Twice as many bytes as characters.
    expect(messageOf("é".repeat(3 * 1024 * 1024))).toMatch(/^result_too_large/);
    expect(messageOf('"'.repeat(3 * 1024 * 1024))).toMatch(/^result_too_large/);
  });

  test("that would be endless as text is refused without writing it", () => {
    let twice: unknown = "x".repeat(1000);
    for (let level = 0; level < 100; level += 1) twice = [twice, twice];
    expect(messageOf(twice)).toMatch(/^result_too_large: Its result has more than 4194304 bytes/);
    const wide = Object.fromEntries(Array.from({ length: 300_000 }, (_, index) => [`key number ${index}`, index]));
    expect(messageOf({ wide })).toMatch(/It begins: \{"wide":\{"key number 0":0,/);
  });

  test("is a copy: what the tool does to its own afterwards changes nothing", () => {
    const own = { count: 1, list: [1] };
    const value = valueOf(own);
    own.count = 2;
    own.list.push(2);
    expect(value).toEqual({ count: 1, list: [1] });
  });

  test("keeps __proto__ as a key like any other", () => {
    const value = valueOf(JSON.parse('{"__proto__":{"polluted":true}}'));
    expect(JSON.stringify(value)).toBe('{"__proto__":{"polluted":true}}');
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect({}).not.toHaveProperty("polluted");
  });
});
