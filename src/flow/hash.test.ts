import { describe, expect, test } from "vitest";
import { hashOf } from "./hash.ts";

describe("hashOf", () => {
  test("is the SHA-256 of the canonical text, in hex", () => {
    expect(hashOf("abc")).toBe("6cc43f858fbb763301637b5af970e2a46b46f461f27e5a0f41e009c59b827b25");
  });

  test("does not depend on the order of keys, at any depth", () => {
    expect(hashOf({ b: [{ y: 1, x: 2 }], a: null })).toBe(hashOf({ a: null, b: [{ x: 2, y: 1 }] }));
  });

  test("depends on the order of items and on types", () => {
    const hashes = [[1, 2], [2, 1], ["1", 2], { "0": 1, "1": 2 }].map((value) => hashOf(value));
    expect(new Set(hashes).size).toBe(4);
  });

  test("knows __proto__ as a key like any other", () => {
    expect(hashOf(JSON.parse('{"__proto__": 1}'))).not.toBe(hashOf({}));
  });
});
