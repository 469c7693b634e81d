// Marks in the schema of a tool's arguments (`x-mcp-header`): a client that calls it over HTTP repeats these arguments as
// headers `Mcp-Param-…`, by which proxies can tell calls apart. A tool with a mark that is wrong is offered by no client.

import { copyJson, isObject, own, type JsonObject } from "../json.ts";
import { under, type Pointer } from "../pointer.ts";
import { subschemasOf } from "./subschemas.ts";

const markKeyword = "x-mcp-header";

export type HeaderMark = {
  /** The names of the properties that lead to the argument. */
  readonly path: readonly string[];
  /** The header is `Mcp-Param-` and this. */
  readonly name: string;
};

export type WrongMark = { readonly at: Pointer; readonly reason: string };

/** In the order in which they are written. */
export function readMarks(schema: JsonObject): readonly HeaderMark[] {
  return [...findMarks(schema)].flatMap(({ node, name, reason }) =>
    reason === null ? [{ path: pathOf(node), name }] : [],
  );
}

export function listWrongMarks(schema: JsonObject): readonly WrongMark[] {
  return [...findMarks(schema)].flatMap(({ node, reason }) =>
    reason === null ? [] : [{ at: under(placeOf(node), markKeyword), reason }],
  );
}

/** Of a foreign schema, which may be large and deep: what a place in it is called is not looked for. */
export function hasWrongMark(schema: JsonObject): boolean {
  for (const { reason } of findMarks(schema)) if (reason !== null) return true;
  return false;
}

/** What is wrong marks nothing; the rest is as it was written. */
export function withoutWrongMarks(schema: JsonObject): JsonObject {
  if (!hasWrongMark(schema)) return schema;
  const copy = copyJson(schema) as JsonObject;
  for (const { node, reason } of findMarks(copy)) if (reason !== null) Reflect.deleteProperty(node.schema, markKeyword);
  return copy;
}

type Node = {
  readonly schema: JsonObject;
  /** null: the whole. */
  readonly parent: Node | null;
  readonly keyword: string;
  readonly key: string | number | null;
  /** Through properties alone. */
  readonly isReachable: boolean;
};

type FoundMark = {
  readonly node: Node;
  readonly name: string;
  /** null: it is right. */
  readonly reason: string | null;
};

/** What a header may be called (RFC 9110). */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const types: ReadonlySet<unknown> = new Set(["string", "integer", "boolean"]);

function* findMarks(schema: JsonObject): Generator<FoundMark, void> {
  const names = new Set<string>();
  const waiting: Node[] = [{ schema, parent: null, keyword: "", key: null, isReachable: true }];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    // From behind, so that the first is looked at first.
    for (const { keyword, key, schema: part } of subschemasOf(node.schema).toReversed()) {
      const isReachable: boolean = node.isReachable && keyword === "properties";
      if (isObject(part)) waiting.push({ schema: part, parent: node, keyword, key, isReachable });
    }
    const said = own(node.schema, markKeyword);
    if (said === undefined) continue;
    const name = typeof said === "string" ? said : "";
    const reason = reasonAgainst(node, name, names);
    if (reason === null) names.add(name.toLowerCase());
    yield { node, name, reason };
  }
}

function reasonAgainst(
  { schema, parent, isReachable }: Node,
  name: string,
  others: ReadonlySet<string>,
): string | null {
  if (parent === null || !isReachable)
    return "is only for a property that is reached through `properties` alone, not through lists, alternatives or definitions";
  if (!token.test(name)) return "must be the name of a header: letters, digits and -";
  if (!types.has(own(schema, "type"))) return 'is only for what has the `type` "string", "integer" or "boolean"';
  return others.has(name.toLowerCase()) ? `is "${name}" at another property already` : null;
}

function wayTo(node: Node): readonly Node[] {
  const way: Node[] = [];
  for (let each = node; each.parent !== null; each = each.parent) way.push(each);
  return way.toReversed();
}

function pathOf(node: Node): readonly string[] {
  return wayTo(node).map(({ key }) => String(key));
}

function placeOf(node: Node): Pointer {
  return wayTo(node).reduce((at, { keyword, key }) => under(at, ...(key === null ? [keyword] : [keyword, key])), "");
}
