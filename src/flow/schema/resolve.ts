// Reading the schema literals at run time: `$ref` followed, `allOf` folded in, the JSON types a schema takes.

import { isArray, isObject, objectFrom, own, type Json } from "../json.ts";
import { definitions, type Definitions } from "./definitions.ts";
import type { JsonType, SchemaNode } from "./node.ts";

export type DefinitionName = keyof Definitions;

export type Resolved = { readonly name: string | undefined; readonly node: SchemaNode };

const literals: { readonly [name: string]: SchemaNode } = definitions;

const folded: { readonly [name: string]: SchemaNode } = objectFrom(
  Object.entries(literals).map(([name, node]) => [name, fold(node)]),
);

/** The members of the schemas in `allOf` come first, as if they stood in the literal itself. */
function fold(node: SchemaNode): SchemaNode {
  const { allOf = [], ...rest } = node;
  const bases = allOf.map((base) => fold(literals[nameOf(base)] ?? {}));
  const parts = [...bases, rest];
  const properties = parts.flatMap((part) => Object.entries(propertiesOf(part)));
  const dependencies = parts.flatMap((part) => Object.entries(part.dependencies ?? {}));
  return bases.length === 0
    ? rest
    : { ...rest, properties: objectFrom(properties), dependencies: objectFrom(dependencies) };
}

function nameOf(node: SchemaNode): string {
  return (node.$ref ?? "").slice("#/definitions/".length);
}

export function definitionNamed(name: DefinitionName): SchemaNode {
  return { $ref: `#/definitions/${name}` };
}

/** What a schema says itself, or the definition that it names. */
export function resolve(node: SchemaNode): Resolved {
  const name = nameOf(node);
  const target = own(folded, name);
  return target === undefined ? { name: undefined, node } : { name, node: target };
}

/** The literals never change, and every value of a document asks. */
const found = new WeakMap<SchemaNode, readonly Resolved[]>();

/** The alternatives of a schema, down to those that have none themselves. */
export function alternativesOf(node: SchemaNode): readonly Resolved[] {
  const known = found.get(node);
  if (known !== undefined) return known;
  const resolved = resolve(node);
  const alternatives = resolved.node.anyOf?.flatMap(alternativesOf) ?? [resolved];
  found.set(node, alternatives);
  return alternatives;
}

export function propertiesOf(node: SchemaNode): { readonly [key: string]: SchemaNode } {
  return node.properties ?? {};
}

/** The JSON types that a schema without alternatives takes; none: it takes everything. */
export function typesOf(node: SchemaNode): readonly JsonType[] {
  if (node.type !== undefined) return typeof node.type === "string" ? [node.type] : node.type;
  const values = node.enum ?? (node.const === undefined ? [] : [node.const]);
  return [...new Set(values.map(typeOf))];
}

function typeOf(value: Json): JsonType {
  if (value === null) return "null";
  if (isArray(value)) return "array";
  if (isObject(value)) return "object";
  if (typeof value === "string") return "string";
  return typeof value === "boolean" ? "boolean" : "number";
}

export function takesTypeOf(node: SchemaNode, value: Json): boolean {
  const types = typesOf(node);
  const type = typeOf(value);
  return types.length === 0 || types.includes(type) || (types.includes("integer") && Number.isInteger(value));
}
