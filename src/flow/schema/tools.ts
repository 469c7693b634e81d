// Tool schemas as part of the editors' schema. They come from foreign servers, so only keywords that are understood
// are copied, each with a value of the right type; references stay inside the tool's own schema; patterns are left out,
// since a hostile one can hang an editor; and what is too large or too deep is left unchecked.

import { isArray, isObject, own, type Json, type JsonObject } from "../json.ts";

export type ToolSchema = {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: Json;
};

/** The definitions of the language that call a tool. */
export const callers: ReadonlySet<string> = new Set(["step", "pipelineStep", "call", "action"]);

const charactersMax = 65_536;
/** Deeper than the arguments of real tools, and shallow enough for every editor. */
const depthMax = 24;

/** `toolName`, which completes; `toolCall`, which picks the arguments by the tool; and the arguments of each tool. */
export function toolDefinitions(tools: readonly ToolSchema[]): JsonObject {
  const known = [...new Map(tools.map((tool) => [tool.name, tool])).values()];
  const shortNames = known.map((tool) => shortName(tool.name));
  const calls = known.map((tool, index): Json => {
    const short = shortName(tool.name);
    const isUnique = shortNames.indexOf(short) === shortNames.lastIndexOf(short);
    const names = isUnique ? [...new Set([tool.name, short])] : [tool.name];
    return {
      if: { required: ["tool"], properties: { tool: { enum: names } } },
      then: { properties: { args: { $ref: `#/definitions/${keyOf(index)}` } } },
    };
  });
  return Object.fromEntries<Json>([
    [
      "toolName",
      {
        enum: known.map((tool) => tool.name),
        enumDescriptions: known.map((tool) => tool.description ?? tool.title ?? ""),
      },
    ],
    ["toolCall", { allOf: calls }],
    ...known.map((tool, index): readonly [string, Json] => [keyOf(index), argumentsOf(tool, keyOf(index))]),
  ]);
}

/** Names may hold anything, and these stand in references. */
function keyOf(index: number): string {
  return `tool${index + 1}`;
}

/** The name without its server, whose key has no dot: it works too where just one tool has it. */
export function shortName(name: string): string {
  return name.slice(name.indexOf(".") + 1);
}

/** Without a type: in place of the arguments there may stand one template. */
function argumentsOf(tool: ToolSchema, key: string): Json {
  const schema = isObject(tool.inputSchema) ? tool.inputSchema : {};
  const definitionsOfTool = localDefinitions(schema);
  const inside = { root: `#/definitions/${key}`, schema, definitions: definitionsOfTool, depth: 0, isSameValue: true };
  const { type: _, ...members } = simplify(schema, inside);
  const definitions = Object.entries(definitionsOfTool).map(([name, part]) => [name, simplify(part, inside)] as const);
  const whole = { title: tool.name, ...members, definitions: Object.fromEntries(definitions) };
  return JSON.stringify(whole).length > charactersMax ? {} : whole;
}

function localDefinitions(schema: JsonObject): JsonObject {
  const groups = [own(schema, "definitions"), own(schema, "$defs")].filter(isObject);
  return Object.fromEntries(groups.flatMap((group) => Object.entries(group)).filter(([name]) => /^\w+$/.test(name)));
}

type Inside = {
  /** Where the tool's schema stands among the definitions. */
  readonly root: string;
  readonly schema: JsonObject;
  readonly definitions: JsonObject;
  readonly depth: number;
  /** Nothing of the value has been entered since the last reference. */
  readonly isSameValue: boolean;
};

const types: ReadonlySet<Json> = new Set(["object", "array", "string", "number", "integer", "boolean", "null"]);

function isCount(value: Json): boolean {
  return Number.isInteger(value) && Number(value) >= 0;
}

function isNumber(value: Json): boolean {
  return typeof value === "number";
}

function isText(value: Json): boolean {
  return typeof value === "string";
}

/** The keywords that are copied as they are, if their value is of this kind. */
const plainKeywords: { readonly [keyword: string]: (value: Json) => boolean } = {
  type: (value) => (isArray(value) ? value.length > 0 && value.every((one) => types.has(one)) : types.has(value)),
  title: isText,
  description: isText,
  default: () => true,
  const: () => true,
  enum: (value) => isArray(value) && value.length > 0,
  examples: isArray,
  required: (value) => isArray(value) && value.every(isText),
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  minLength: isCount,
  maxLength: isCount,
  minItems: isCount,
  maxItems: isCount,
};

function simplify(schema: Json, outside: Inside): JsonObject {
  const inside = { ...outside, depth: outside.depth + 1 };
  const sameValue = { ...inside, isSameValue: true };
  if (!isObject(schema) || inside.depth > depthMax) return {};
  const reference = own(schema, "$ref");
  if (reference !== undefined) return localReference(reference, inside);
  return Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]): readonly (readonly [string, Json])[] => {
      if (own(plainKeywords, keyword)?.(value) === true) return [[keyword, value]];
      switch (keyword) {
        case "properties":
          if (!isObject(value)) return [];
          return [
            [keyword, Object.fromEntries(Object.entries(value).map(([key, one]) => [key, orTemplate(one, inside)]))],
          ];
        case "items":
        case "prefixItems":
          return [["items", isArray(value) ? value.map((one) => orTemplate(one, inside)) : orTemplate(value, inside)]];
        case "additionalProperties":
          // Without the patterns, nobody can say which other keys are right.
          if (Object.hasOwn(schema, "patternProperties")) return [];
          return [[keyword, typeof value === "boolean" ? value : orTemplate(value, inside)]];
        case "anyOf":
        case "oneOf":
          // A template may fit several alternatives, so that "exactly one" cannot be asked.
          return isArray(value) && value.length > 0 ? [["anyOf", value.map((one) => simplify(one, sameValue))]] : [];
        case "allOf":
          return isArray(value) && value.length > 0 ? [["allOf", value.map((one) => simplify(one, sameValue))]] : [];
        default:
          return [];
      }
    }),
  );
}

const template = { type: "string", pattern: "\\{\\{" } as const;

/** Wherever a value may stand, a template may. */
function orTemplate(schema: Json, inside: Inside): JsonObject {
  const simple = simplify(schema, { ...inside, isSameValue: false });
  const { description } = simple;
  const alternatives = { anyOf: [simple, template] };
  return description === undefined ? alternatives : { description, ...alternatives };
}

/** A reference into the tool's own definitions; all others, and one that could lead in a circle, check nothing. */
function localReference(reference: Json, { root, schema, definitions, isSameValue }: Inside): JsonObject {
  if (typeof reference !== "string") return {};
  const name = /^#\/(?:\$defs|definitions)\/(\w+)$/.exec(reference)?.[1];
  const target = reference === "#" ? schema : own(definitions, name ?? "");
  if (!isObject(target)) return {};
  // On one and the same value, one reference may not lead to the next: an editor would follow them for ever.
  if (isSameValue ? refersOnward(target, 0) : Object.hasOwn(target, "$ref")) return {};
  return { $ref: name === undefined ? root : `${root}/definitions/${name}` };
}

function refersOnward(schema: Json, depth: number): boolean {
  if (!isObject(schema) || depth > depthMax) return false;
  if (Object.hasOwn(schema, "$ref")) return true;
  return ["anyOf", "oneOf", "allOf"].some((keyword) => {
    const list = own(schema, keyword);
    return isArray(list) && list.some((one) => refersOnward(one, depth + 1));
  });
}
