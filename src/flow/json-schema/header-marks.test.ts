import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../json.ts";
import { hasWrongMark, listWrongMarks, readMarks, withoutWrongMarks } from "./header-marks.ts";

function marked(name: Json, type: Json = "string"): JsonObject {
  return { type, "x-mcp-header": name };
}

function taking(properties: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: "object", properties, ...more };
}

describe("marks for headers", () => {
  test("are found at any depth, in the order in which they are written", () => {
    const schema = taking({
      region: marked("Region"),
      who: taking({ id: marked("Who", "integer"), "x-mcp-header": { type: "string" } }),
      dry: marked("Dry-Run", "boolean"),
    });
    expect(readMarks(schema)).toEqual([
      { path: ["region"], name: "Region" },
      { path: ["who", "id"], name: "Who" },
      { path: ["dry"], name: "Dry-Run" },
    ]);
    expect(listWrongMarks(schema)).toEqual([]);
    expect(hasWrongMark(schema)).toBe(false);
    expect(withoutWrongMarks(schema)).toBe(schema);
  });

  test.each<[string, JsonObject, readonly [at: string, reason: RegExp]]>([
    ["no name of a header", taking({ a: marked("a b") }), ["/properties/a", /name of a header/]],
    ["nothing", taking({ a: marked("") }), ["/properties/a", /name of a header/]],
    ["no text", taking({ a: marked(7) }), ["/properties/a", /name of a header/]],
    ["on a number", taking({ a: marked("A", "number") }), ["/properties/a", /"integer"/]],
    ["on one of two types", taking({ a: marked("A", ["string", "null"]) }), ["/properties/a", /"integer"/]],
    ["on what has no type", taking({ a: { "x-mcp-header": "A" } }), ["/properties/a", /"integer"/]],
    ["on the whole", taking({}, { "x-mcp-header": "A" }), ["", /reached through/]],
    ["on the items of a list", taking({ a: { items: marked("A") } }), ["/properties/a/items", /reached through/]],
    ["on some of them", taking({ a: { items: [marked("A")] } }), ["/properties/a/items/0", /reached through/]],
    ["in an alternative", { anyOf: [taking({ a: marked("A") })] }, ["/anyOf/0/properties/a", /reached through/]],
    ["in a definition", taking({}, { $defs: { "a/b": marked("A") } }), ["/$defs/a~1b", /reached through/]],
    ["said twice", taking({ a: marked("Region"), b: marked("region") }), ["/properties/b", /"region" at another/]],
  ])("are wrong: %s", (_, schema, [at, reason]) => {
    expect(listWrongMarks(schema)).toEqual([{ at: `${at}/x-mcp-header`, reason: expect.stringMatching(reason) }]);
    expect(hasWrongMark(schema)).toBe(true);
    expect(listWrongMarks(withoutWrongMarks(schema))).toEqual([]);
  });

  test("that are wrong take no name from those that are right", () => {
    const schema = taking({ a: marked("Region", "number"), b: marked("region") });
    expect(readMarks(schema)).toEqual([{ path: ["b"], name: "region" }]);
    expect(listWrongMarks(schema)).toMatchObject([{ at: "/properties/a/x-mcp-header" }]);
  });

  test("that are wrong go, and what is right stays as it was", () => {
    const schema = taking(
      { a: marked("A"), b: marked("a", "integer"), list: { enum: [[{ "x-mcp-header": "no mark" }]] } },
      { $defs: { c: marked("C") }, required: ["a"] },
    );
    expect(withoutWrongMarks(schema)).toEqual(
      taking(
        { a: marked("A"), b: { type: "integer" }, list: { enum: [[{ "x-mcp-header": "no mark" }]] } },
        { $defs: { c: { type: "string" } }, required: ["a"] },
      ),
    );
  });

  test("are looked for in what is wide and deep, too, and what lies in it costs no more the deeper it lies", () => {
    let deep = taking(Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`p${at}`, marked(`H${at}`)])));
    for (let depth = 0; depth < 1000; depth += 1) deep = taking({ of: deep });
    expect(hasWrongMark(deep)).toBe(false);
    expect(hasWrongMark(taking({ deep, last: marked("H7") }))).toBe(true);
  });

  test("that are wrong go from below a long name, however many they are", () => {
    const many = Object.fromEntries(Array.from({ length: 4000 }, (_, at) => [`p${at}`, marked("not a name")]));
    const found = withoutWrongMarks(taking({ ["n".repeat(50_000)]: taking(many) }));
    expect(hasWrongMark(found)).toBe(false);
    expect(JSON.stringify(found)).not.toContain("x-mcp-header");
  });
});
