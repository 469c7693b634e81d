import { describe, expect, test } from "vitest";
import type { Json } from "../json.ts";
import { createSchemaChecker, type SchemaChecker } from "./checker.ts";

const made: string[] = [];

/** It knows texts that begin with the pattern. */
function createChecker(): SchemaChecker {
  return createSchemaChecker({
    findPattern: (pattern) => {
      made.push(pattern);
      if (pattern === "none") return null;
      return { test: (text) => text.startsWith(pattern), costOf: (text) => (text === "dear" ? 1e9 : 1) };
    },
    formats: { even: { type: "number", validate: (value) => value % 2 === 0 } },
  });
}

function places(schema: Json, value: Json, checker: SchemaChecker = createChecker()): readonly string[] | string {
  const compiled = checker.compile(schema);
  if (!compiled.ok) return `${compiled.at} ${compiled.reason}`;
  const checked = compiled.check(value);
  return checked.kind === "checked" ? checked.errors.map(({ instancePath }) => instancePath) : checked.kind;
}

const tree = { type: "object", properties: { of: { type: "array", items: { $ref: "#" } } } };
const chain = {
  type: "object",
  properties: { next: { $ref: "#/$defs/link" } },
  $defs: { link: { allOf: [{ $ref: "#" }] } },
};

describe("a checker of schemas", () => {
  test.each<[string, Json, Json, readonly string[] | string]>([
    ["true takes anything", true, 1, []],
    ["false takes nothing", false, 1, [""]],
    ["one that wants to be waited for is not", { $async: true, type: "string" }, 1, [""]],
    ["nor is a part of it", { $ref: "#/x", x: { $async: true, not: { $async: 1, type: "number" } } }, 1, [""]],
    ["a property may have that name", { properties: { $async: { type: "string" } } }, { $async: 1 }, ["/$async"]],
    ["no schema is refused", { type: "numbr" }, 1, "/type must be equal to one of the allowed values"],
    ["a place that is not there is refused", { $ref: "#/a" }, 1, " can't resolve reference #/a from id #"],
    ["the whole may stand in itself", tree, { of: [{ of: [] }, { of: [{ of: 1 }] }] }, ["/of/1/of/0/of"]],
    ["also below a part that is named", chain, { next: { next: { next: 1 } } }, ["/next/next/next"]],
    ["and with a name of its own", { $id: "https://example.com/tree", ...tree }, { of: [{}] }, []],
    ["the whole that is nothing else leads in a circle", { $ref: "#" }, 1, "gave_up"],
    ["each of several patterns is its own", { items: [{ pattern: "a" }, { pattern: "b" }] }, ["ax", "ax"], ["/1"]],
    ["a pattern that cannot be run fits", { pattern: "none" }, "x", []],
    ["a format that is known is checked", { items: { format: "even" } }, [1, 2], ["/0"]],
    ["a format that is not known is not", { format: "odd" }, "x", []],
    ["what costs too much is given up", { pattern: "d" }, "dear", "gave_up"],
    ["items may be asked to differ", { uniqueItems: true }, [1, "1", { a: 1, b: 2 }, { b: 2, a: 1 }], [""]],
    ["or not", { uniqueItems: false }, [1, 1], []],
  ])("%s", (_, schema, value, expected) => {
    expect(places(schema, value)).toEqual(expected);
  });

  test("compiles equal schemas once, and frozen ones without looking at them again", () => {
    const checker = createChecker();
    made.length = 0;
    const first = checker.compile({ pattern: "p", type: "string" });
    expect(checker.compile({ type: "string", pattern: "p" })).toBe(first);
    const frozen = Object.freeze({ pattern: "p", type: "string" });
    expect([checker.compile(frozen), checker.compile(frozen)]).toEqual([first, first]);
    expect(made).toEqual(["p"]);
  });

  test("looks again at what may have changed", () => {
    const checker = createChecker();
    const mine: { [key: string]: Json } = { type: "string" };
    expect(places(mine, 1, checker)).toEqual([""]);
    mine["type"] = "number";
    expect(places(mine, 1, checker)).toEqual([]);
  });

  test("forgets all when there are too many, and what was compiled still works", () => {
    const checker = createChecker();
    const first = checker.compile({ minimum: 0 });
    for (let at = 1; at <= 500; at += 1) checker.compile({ minimum: at });
    expect(checker.compile({ minimum: 0 })).not.toBe(first);
    expect(first.ok && first.check(-1)).toMatchObject({ kind: "checked", errors: [{ keyword: "minimum" }] });
  });
});
