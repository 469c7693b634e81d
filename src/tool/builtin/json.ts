// `json.*`: small work on values. What is missing is null, and said with the outcome `missing`.

import { isArray, isObject, objectFrom, own, type Json, type JsonObject } from "../../flow/json.ts";
import { defineTool, outcome, ToolError } from "../function.ts";
import type { Tool } from "../tool.ts";
import { badArguments, readBoolean, readCount, readList, readText } from "./arguments.ts";
import { findPath } from "./json-path.ts";
import { anything, closed, listOf, text, whole, yesOrNo } from "./schema.ts";

/** As deep as rows may be. */
const depthMax = 128;

export function createJsonTools(): readonly Tool[] {
  return [pickTool, mergeTool, queryTool, parseTool, stringifyTool];
}

const pickTool: Tool = defineTool({
  name: "json.pick",
  description: "The named members of an object, or of each object in a list",
  effect: "read",
  input: closed({ value: { type: ["object", "array"] }, keys: listOf({ type: "string" }, "Names to keep") }, [
    "value",
    "keys",
  ]),
  output: { type: ["object", "array"] },
  call: (input) => {
    const keys = new Map(readKeys(input).map((key, at) => [key, at]));
    const value = input["value"] ?? null;
    if (isArray(value)) return value.map((item) => (isObject(item) ? pick(item, keys) : item));
    if (!isObject(value)) throw badArguments('"value" must be an object or a list of objects.');
    return pick(value, keys);
  },
});

function readKeys(input: JsonObject): readonly string[] {
  return readList(input, "keys").map((key) => {
    if (typeof key !== "string") throw badArguments('"keys" must be a list of texts.');
    return key;
  });
}

/** In the order of the keys; by the members or by the keys, whichever are fewer. */
function pick(value: JsonObject, keys: ReadonlyMap<string, number>): JsonObject {
  const members = Object.keys(value);
  const orderOf = (key: string): number => keys.get(key) ?? 0;
  const named =
    members.length < keys.size
      ? members.filter((key) => keys.has(key)).toSorted((one, other) => orderOf(one) - orderOf(other))
      : [...keys.keys()].filter((key) => Object.hasOwn(value, key));
  return objectFrom(named.map((key) => [key, own(value, key) ?? null] as const));
}

const mergeTool: Tool = defineTool({
  name: "json.merge",
  description: "One object of many; later ones win. With deep, objects inside are merged as well",
  effect: "read",
  input: closed({ values: listOf({ type: "object" }, "The objects"), deep: yesOrNo("false unless given") }, ["values"]),
  output: { type: "object" },
  call: (input) => {
    const isDeep = readBoolean(input, "deep");
    const merged: Merged = new Map();
    for (const value of readList(input, "values")) {
      if (!isObject(value)) throw badArguments('"values" must be a list of objects.');
      merge(merged, value, isDeep ? depthMax : 0);
    }
    return toObject(merged);
  },
});

/** An object that more is being put into: each member is copied once, however many objects there are. */
type Merged = Map<string, Json | Merged>;

function merge(into: Merged, value: JsonObject, depth: number): void {
  for (const [key, member] of Object.entries(value)) {
    const known = into.get(key);
    const inner =
      known instanceof Map || !isObject(known) ? known : new Map<string, Json | Merged>(Object.entries(known));
    if (depth === 0 || !isObject(member) || !(inner instanceof Map)) {
      into.set(key, member);
      continue;
    }
    merge(inner, member, depth - 1);
    into.set(key, inner);
  }
}

function toObject(merged: Merged): JsonObject {
  return objectFrom(
    [...merged].map(([key, member]) => [key, member instanceof Map ? toObject(member) : member] as const),
  );
}

const queryTool: Tool = defineTool({
  name: "json.query",
  description: "What a dotted path leads to: items.0.title, items[-1]. Nowhere: null, outcome missing",
  effect: "read",
  input: closed({ value: anything, path: text("Names and numbers with dots between them") }, ["value", "path"]),
  outcomes: ["missing"],
  call: (input) => {
    const found = findPath(input["value"] ?? null, readText(input, "path"));
    return found === undefined ? outcome("missing", null) : found;
  },
});

const parseTool: Tool = defineTool({
  name: "json.parse",
  description: "The value that a JSON text stands for",
  effect: "read",
  input: closed({ text: text("JSON") }, ["text"]),
  call: (input): Json => {
    const source = readText(input, "text");
    try {
      const value: Json = JSON.parse(source);
      return value;
    } catch (error) {
      // Without the words of the parser: they show a part of the text, which may be a secret.
      throw new ToolError({ code: "bad_json", message: "The text is no JSON.", isFinal: true, cause: error });
    }
  },
});

const stringifyTool: Tool = defineTool({
  name: "json.stringify",
  description: "A value as JSON text",
  effect: "read",
  input: closed({ value: anything, indent: whole("Spaces; 0 for one line", { minimum: 0, maximum: 8 }) }, ["value"]),
  output: text("JSON"),
  call: (input) => {
    const indent = readCount(input, "indent", { min: 0, max: 8, otherwise: 0 });
    return JSON.stringify(input["value"] ?? null, null, indent);
  },
});
