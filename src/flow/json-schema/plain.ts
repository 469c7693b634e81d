// Schemas that are plainly schemas: of everyday words only, each with what it takes. To hold one against the schema of
// schemas, that one must be compiled first, which is the most that a short command would do.

import { isArray, isObject, type Json, type JsonObject } from "../json.ts";
import { costKeyword } from "./prepare.ts";

const typeNames: ReadonlySet<Json> = new Set(["array", "boolean", "integer", "null", "number", "object", "string"]);

const isText = (value: Json): boolean => typeof value === "string";
const isBoolean = (value: Json): boolean => typeof value === "boolean";
const isNumber = (value: Json): boolean => typeof value === "number";
const isCount = (value: Json): boolean => Number.isInteger(value) && Number(value) >= 0;
const isAnything = (): boolean => true;
const areNames = (value: Json): boolean =>
  isArray(value) && value.every(isText) && new Set(value).size === value.length;
const areTypes = (value: Json): boolean =>
  isArray(value) && value.length > 0 && areNames(value) && value.every((name) => typeNames.has(name));
const areSchemas = (value: Json): boolean => isArray(value) && value.length > 0 && value.every(isPlainSchema);
const areNamedSchemas = (value: Json): boolean => isObject(value) && Object.values(value).every(isPlainSchema);

/** What each word takes, as the schema of schemas (2020-12) has it. */
const words: ReadonlyMap<string, (value: Json) => boolean> = new Map([
  ["type", (value: Json) => typeNames.has(value) || areTypes(value)],
  ["multipleOf", (value: Json) => typeof value === "number" && value > 0],
  ...wordsFor("title description format pattern $ref $comment", isText),
  ...wordsFor("uniqueItems deprecated readOnly writeOnly", isBoolean),
  ...wordsFor("minimum maximum exclusiveMinimum exclusiveMaximum", isNumber),
  ...wordsFor("minLength maxLength minItems maxItems minProperties maxProperties", isCount),
  ...wordsFor(`const default ${costKeyword}`, isAnything),
  ...wordsFor("enum examples", isArray),
  ...wordsFor("required", areNames),
  ...wordsFor("allOf anyOf oneOf prefixItems", areSchemas),
  ...wordsFor("properties patternProperties $defs", areNamedSchemas),
  ...wordsFor("items additionalProperties propertyNames not if then else", isPlainSchema),
]);

function wordsFor(
  names: string,
  takes: (value: Json) => boolean,
): readonly (readonly [string, (value: Json) => boolean])[] {
  return names.split(" ").map((name) => [name, takes] as const);
}

/** False: it may be one all the same. */
export function isPlainSchema(schema: Json): boolean {
  return typeof schema === "boolean" || (isObject(schema) && hasPlainWords(schema));
}

function hasPlainWords(schema: JsonObject): boolean {
  return Object.entries(schema).every(([name, value]) => words.get(name)?.(value) === true);
}
