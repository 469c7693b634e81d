// The schema that editors use: draft-07, the wrapped form only. Three things differ from the literals, each because of
// how editors read a schema: a `$ref` beside other keywords is replaced by what it names (else the property's own
// description is lost), `allOf` is folded in, and objects say that they take `x-…` keys.

import type { Json, JsonObject } from "../json.ts";
import type { SchemaNode } from "./node.ts";
import { definitionNamed, resolve } from "./resolve.ts";
import { snippets } from "./snippets.ts";
import { callers, toolDefinitions, type ToolSchema } from "./tools.ts";

/** The JSON Schema of flow documents. */
export function flowSchema(): JsonObject {
  return assemble(undefined);
}

/** The same, with the names of these tools, and with the arguments of each where that tool is called. */
export function flowSchemaFor(tools: readonly ToolSchema[]): JsonObject {
  return assemble(toolDefinitions(tools));
}

type Parts = {
  /** The definitions that are named so far, in the order of their first use. */
  readonly written: Map<string, Json>;
  readonly knowsTools: boolean;
};

function assemble(tools: JsonObject | undefined): JsonObject {
  const parts: Parts = { written: new Map(), knowsTools: tools !== undefined };
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    $id: "https://stepwell.dev/schema/flow.json",
    title: "Stepwell flow",
    description: "A workflow: a map of steps, a list of steps, or a machine of states and transitions.",
    type: "object",
    // A bare oneOf would put every mistake on the first line; conditions leave it where it is.
    if: { anyOf: [{ required: ["states"] }, { required: ["transitions"], not: { required: ["steps"] } }] },
    then: toEditor(definitionNamed("machine"), parts),
    else: {
      if: { required: ["steps"], properties: { steps: { type: "array" } } },
      then: toEditor(definitionNamed("pipeline"), parts),
      else: toEditor(definitionNamed("flow"), parts),
    },
    definitions: { ...Object.fromEntries(parts.written), ...tools },
  };
}

function toEditor(node: SchemaNode, parts: Parts): JsonObject {
  const { $ref, ...beside } = node;
  if ($ref === undefined) return expand("", node, parts);
  const { name = "", node: target } = resolve(node);
  if (Object.keys(beside).length > 0) return expand(name, { ...target, ...beside }, parts);
  if (!parts.written.has(name)) {
    // Its place is taken first: a definition may lead back to itself.
    parts.written.set(name, {});
    parts.written.set(name, expand(name, target, parts));
  }
  return { $ref };
}

function expand(name: string, node: SchemaNode, parts: Parts): JsonObject {
  const { title, properties, items, anyOf, additionalProperties, propertyNames, ...plain } = node;
  const isCaller = parts.knowsTools && callers.has(name);
  const members = Object.entries(properties ?? {}).map(([key, member]): readonly [string, Json] => {
    const schema = toEditor(member, parts);
    return [key, isCaller && key === "tool" ? withToolNames(schema) : schema];
  });
  const entries: readonly (readonly [string, Json | undefined])[] = [
    ...Object.entries(plain),
    ["patternErrorMessage", node.pattern === undefined ? undefined : `Must be ${title ?? "of another form"}.`],
    ["anyOf", anyOf?.map((alternative) => toEditor(alternative, parts))],
    ["items", items && toEditor(items, parts)],
    ["propertyNames", propertyNames && toEditor(propertyNames, parts)],
    ["properties", properties && Object.fromEntries(name === "flow" ? [...members, ...machineKeys] : members)],
    ["patternProperties", additionalProperties === false ? { "^x-": {} } : undefined],
    [
      "additionalProperties",
      typeof additionalProperties === "object" ? toEditor(additionalProperties, parts) : additionalProperties,
    ],
    ["defaultSnippets", snippets[name]],
    ["allOf", isCaller ? [{ $ref: "#/definitions/toolCall" }] : undefined],
  ];
  return Object.fromEntries(entries.filter((entry): entry is readonly [string, Json] => entry[1] !== undefined));
}

/** Other names stay right: a tool may come later, and a short name works too. The example would be offered as a tool. */
function withToolNames(schema: JsonObject): JsonObject {
  const { type = "string", description = "" } = schema;
  return { description, anyOf: [{ $ref: "#/definitions/toolName" }, { type }] };
}

/** A document without states is taken for a flow; these keys, once written, make it a machine. */
const machineKeys: readonly (readonly [string, Json])[] = ["states", "transitions"].map((key) => {
  const { description = "", examples = [] } = resolve(definitionNamed("machine")).node.properties?.[key] ?? {};
  return [key, { description, examples }];
});
