// The part of JSON Schema (draft-07) in which the language is written down. The literals of this folder are the one
// source of the document types, the editors' schema and the shape check. One addition of ours: an object with
// `additionalProperties: false` also takes keys that begin with `x-`; the editors' schema says so in full.

import type { Json } from "../json.ts";

export type JsonType = "object" | "array" | "string" | "number" | "integer" | "boolean" | "null";

export type SchemaNode = {
  /** In scalar definitions: a noun phrase that completes "… must be". */
  readonly title?: string;
  readonly description?: string;
  readonly examples?: readonly Json[];
  readonly $ref?: string;
  readonly allOf?: readonly SchemaNode[];
  readonly anyOf?: readonly SchemaNode[];
  readonly type?: JsonType | readonly JsonType[];
  readonly const?: Json;
  readonly enum?: readonly Json[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: SchemaNode;
  readonly minItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: { readonly [key: string]: SchemaNode };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | SchemaNode;
  readonly propertyNames?: SchemaNode;
  /** A key and those without which it means nothing. */
  readonly dependencies?: { readonly [key: string]: readonly string[] };
};
