import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { isArray, isObject, own, type Json, type JsonObject } from "../json.ts";
import { definitions } from "./definitions.ts";
import { flowSchema } from "./editor.ts";

function compile(schema: JsonObject): (value: Json) => readonly string[] {
  const check = new Ajv({ strict: false, allErrors: true }).compile(schema);
  return (value) => (check(value) ? [] : (check.errors ?? []).map((error) => `${error.instancePath} ${error.message}`));
}

/** Every schema inside a schema, with its place. */
function schemasIn(schema: Json, place: string): readonly (readonly [string, JsonObject])[] {
  if (!isObject(schema)) return [];
  const maps = ["properties", "definitions"].flatMap((key) =>
    Object.entries(objectIn(schema, key)).flatMap(([name, part]) => schemasIn(part, `${place}/${key}/${name}`)),
  );
  const single = ["items", "additionalProperties"].flatMap((key) =>
    schemasIn(own(schema, key) ?? null, `${place}/${key}`),
  );
  const list = own(schema, "anyOf");
  const alternatives = (isArray(list) ? list : []).flatMap((part, index) => schemasIn(part, `${place}/anyOf/${index}`));
  return [[place, schema], ...maps, ...single, ...alternatives];
}

function objectIn(schema: JsonObject, key: string): JsonObject {
  const value = own(schema, key);
  return isObject(value) ? value : {};
}

const printed = flowSchema();
const parts = schemasIn(printed, "");

describe("the editors' schema", () => {
  test("is valid draft-07", () => {
    const ajv = new Ajv({ strict: false });
    expect(ajv.validateSchema(printed)).toBe(true);
    expect(printed).toMatchObject({
      $schema: "http://json-schema.org/draft-07/schema#",
      $id: "https://stepwell.dev/schema/flow.json",
    });
  });

  test("stays as it is printed", async () => {
    await expect(`${JSON.stringify(printed, null, 2)}\n`).toMatchFileSnapshot("../../../test/golden/schema-flow.json");
  });

  test("every key of every definition has a description and an example", () => {
    const keys = parts.flatMap(([place, schema]) =>
      Object.entries(objectIn(schema, "properties")).map(([key, part]) => [`${place}/${key}`, resolved(part)] as const),
    );
    expect(keys.length).toBeGreaterThan(150);
    const poor = keys.filter(([, part]) => {
      const examples = own(part, "examples");
      return typeof own(part, "description") !== "string" || !isArray(examples) || examples.length === 0;
    });
    expect(poor.map(([place]) => place)).toEqual([]);
  });

  test("every definition that stands in a document has a description and an example", () => {
    const { callPolicy: _policies, documentBase: _document, stepBase: _step, ...whole } = definitions;
    for (const [name, part] of Object.entries<object>(whole)) {
      expect([name, Object.keys(part)]).toEqual([name, expect.arrayContaining(["description", "examples"])]);
    }
  });

  test("every example is right by its own schema", () => {
    const ajv = new Ajv({ strict: false }).addSchema(printed);
    const wrong = parts.flatMap(([place, schema]) => {
      const examples = own(schema, "examples");
      if (!isArray(examples)) return [];
      const check = ajv.compile({ $ref: `https://stepwell.dev/schema/flow.json#${place}` });
      return examples.filter((example) => !check(example)).map((example) => `${place} ${JSON.stringify(example)}`);
    });
    expect(wrong).toEqual([]);
  });

  test("every reference leads to a definition", () => {
    const names = Object.keys(objectIn(printed, "definitions"));
    const references = [...JSON.stringify(printed).matchAll(/"\$ref":"#\/definitions\/([^"]+)"/g)].map(
      ([, name]) => name,
    );
    expect(references.filter((name) => !names.includes(name ?? ""))).toEqual([]);
    expect(references.length).toBeGreaterThan(40);
  });

  test.each<[string, Json, readonly string[]]>([
    ["a flow", { steps: { a: { tool: "log", done: true, "x-note": 1 } } }, []],
    ["a pipeline", { steps: [{ skill: "rss", routes: [{ branch: "on_items", goto: 2 }] }] }, []],
    ["a machine", { states: { a: { terminal: "success" } }, transitions: [], initial: "a" }, []],
    ["a misspelt key", { steps: { a: { tol: "log" } } }, ["/steps/a must NOT have additional properties"]],
    ["a misspelt key in a list", { steps: [{ tol: "log" }] }, ["/steps/0 must NOT have additional properties"]],
    ["a fork in a pipeline", { steps: [{ tool: "a", join: "b" }] }, ["/steps/0 must NOT have additional properties"]],
    ["a duration without its unit", { timeout: "5", steps: {} }, ["/timeout must match pattern"]],
    [
      "a transition without its state",
      { states: {}, transitions: [{ name: "a", from: "b" }] },
      ["/transitions/0 must have required property 'to'"],
    ],
    ["a machine without states", { transitions: [] }, [" must have required property 'states'"]],
    [
      "else without branch",
      { steps: { a: { tool: "b", else: "c" } } },
      ["/steps/a must have property branch when property else is present"],
    ],
  ])("%s is judged as the language does", (_, document, problems) => {
    const found = compile(printed)(document).filter((problem) => !problem.includes('must match "'));
    expect(found.map((problem) => problem.replace(/pattern .*/, "pattern"))).toEqual(problems);
  });
});

function resolved(part: Json): JsonObject {
  if (!isObject(part)) return {};
  const reference = own(part, "$ref");
  if (typeof reference !== "string") return part;
  return objectIn(objectIn(printed, "definitions"), reference.slice("#/definitions/".length));
}
