import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../json.ts";
import { isPlainSchema } from "./plain.ts";

const judge = new Ajv2020({ strict: false, logger: false, validateFormats: false, ownProperties: true });

function isSchema(schema: Json): boolean {
  return typeof schema === "boolean" || judge.validateSchema(JSON.parse(JSON.stringify(schema))) === true;
}

/** Each word with something that it takes and something that it does not. */
const samples: readonly (readonly [word: string, good: readonly Json[], bad: readonly Json[]])[] = [
  ["type", ["string", ["string", "null"]], ["numbr", [], ["null", "null"], ["numbr"], null, 1, [["null"]]]],
  ["multipleOf", [2, 0.5], [0, -1, "2", null]],
  ["minimum", [-1.5], ["1", null, [1]]],
  ["exclusiveMaximum", [3], [true]],
  ["minLength", [0, 3], [-1, 1.5, "1", null]],
  ["maxProperties", [9], [[], -9]],
  ["title", ["x"], [1, null, ["x"]]],
  ["$ref", ["#"], [{}, 5]],
  ["$comment", ["x"], [null]],
  ["pattern", ["^a"], [1, {}]],
  ["uniqueItems", [true, false], [1, "true", null]],
  ["readOnly", [true], [0]],
  ["const", [null, 1], []],
  ["default", [{ type: 1 }], []],
  ["enum", [[], [1, 1]], [1, {}, "a"]],
  ["examples", [[1]], [1, null]],
  ["required", [[], ["a", "b"]], [["a", "a"], [1], "a", true, {}]],
  ["allOf", [[true], [{ type: "null" }]], [[], [1], {}, [{ type: "numbr" }]]],
  ["prefixItems", [[false]], [[], true]],
  ["properties", [{}, { a: true, __proto__: null }], [{ a: 1 }, [], { a: { minLength: -1 } }, null]],
  ["$defs", [{ a: {} }], [{ a: [] }, "a"]],
  ["items", [true, {}], [[], 1, { required: [1] }, null]],
  ["additionalProperties", [false, {}], ["no", { items: 1 }]],
  ["if", [{ enum: [1] }], [null, "x"]],
];

describe("a plain schema", () => {
  test.each(samples)("%s takes what the schema of schemas says that it takes", (word, good, bad) => {
    for (const value of good) expect([value, isPlainSchema({ [word]: value })]).toEqual([value, true]);
    for (const value of bad) expect([value, isPlainSchema({ [word]: value })]).toEqual([value, false]);
    for (const value of [...good, ...bad])
      expect([value, isSchema({ [word]: value })]).toEqual([value, isPlainSchema({ [word]: value })]);
  });

  test("whatever is plain is a schema", () => {
    const names = samples.map(([word]) => word);
    const values = samples.flatMap(([, good, bad]) => [...good, ...bad]);
    const { schema } = fc.letrec<{ schema: Json; word: Json }>((tie) => ({
      schema: fc.dictionary(fc.constantFrom(...names, "$anchor", "contains", "x-note", "__proto__"), tie("word"), {
        maxKeys: 4,
      }),
      word: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom(...values),
        tie("schema"),
        fc.array(tie("schema"), { maxLength: 2 }),
        fc.dictionary(fc.constantFrom("a", "constructor"), tie("schema")),
      ),
    }));
    let plain = 0;
    fc.assert(
      fc.property(schema, (given) => {
        if (!isPlainSchema(given)) return true;
        plain += 1;
        return isSchema(given);
      }),
      { numRuns: 500, seed: 1 },
    );
    expect(plain).toBeGreaterThan(100);
  });

  test.each<Json>([1, null, "x", { nosuch: 1 }, { constructor: {} }, { $anchor: "a" }, { contains: {} }])(
    "%j is not plainly one",
    (schema) => {
      expect(isPlainSchema(schema)).toBe(false);
    },
  );
});
