import { describe, expect, test } from "vitest";
import type { Json } from "../json.ts";
import { found } from "../../testing/findings.ts";
import { validate } from "./validate.ts";

describe("texts", () => {
  test("findings of a text have line and column", () => {
    const text = "format: stepwell/v1\nstart: a\nsteps:\n  a:\n    tool: x\n    nxt: b\n    next: b\n";
    expect(validate(text).findings.map(({ code, line, column }) => [code, line, column])).toEqual([
      ["unknown_key", 6, 5],
      ["dangling_name", 7, 11],
    ]);
  });

  test("a text that cannot be read is refused with its own finding", () => {
    const report = validate("{ not json");
    expect(report).toMatchObject({ ok: false, plan: null, document: null, notation: null });
    expect(report.findings.length).toBeGreaterThan(0);
  });

  test("what is no JSON is refused", () => {
    const cyclic: { self?: unknown } = {};
    cyclic.self = cyclic;
    const odd = (value: unknown): readonly string[] => found({ a: { tool: value } } as unknown as Json);
    expect(odd(undefined)).toEqual(["wrong_type /a/tool"]);
    expect(odd(() => 1)).toEqual(["wrong_type /a/tool"]);
    expect(odd(Symbol("x"))).toEqual(["wrong_type /a/tool"]);
    expect(odd(1n)).toEqual(["wrong_type /a/tool"]);
    expect(odd(new Date(0))).toEqual(["wrong_type /a/tool"]);
    expect(odd(Object.create(null))).not.toContain("wrong_type /a/tool/x");
    expect(odd(Number.NaN)).toEqual(["unsafe_number /a/tool"]);
    expect(odd(2 ** 60)).toEqual(["unsafe_number /a/tool"]);
    expect(odd(cyclic)[0]).toMatch(/^too_deep/);
    expect(odd([{ ["k".repeat(1024)]: 1 }])).toEqual(["wrong_type /a/tool"]);
    expect(odd([{ ["k".repeat(1025)]: 1 }])).toEqual(["key_too_long /a/tool/0"]);
    expect(odd(Array.from({ length: 300_000 }, () => 1))[0]).toMatch(/^too_large/);
  });

  test("a document that was validated is left as it was, and changing it changes no plan", () => {
    const document = { start: { tool: "x", args: { deep: { list: [1] } }, done: true } };
    const { plan } = validate(document);
    document.start.args.deep.list.push(2);
    expect(JSON.stringify(plan)).toContain('"list":[1]');
    expect(Object.isFrozen(plan?.steps)).toBe(true);
  });

  test("a bare map that would be too deep once it is wrapped is refused", () => {
    const nested = (levels: number): Json => (levels === 0 ? 1 : [nested(levels - 1)]);
    expect(found({ start: { tool: "x", args: { v: nested(124) }, done: true } })).toEqual([]);
    expect(found({ start: { tool: "x", args: { v: nested(125) }, done: true } })).toEqual(["too_deep "]);
  });

  test("what is no flow is refused", () => {
    for (const value of [null, 3, [], { a: 1 }]) expect(found(value)[0]).toMatch(/^not_a_flow/);
  });
});
