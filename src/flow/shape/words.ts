// The wording of shape findings: whose part is wrong, what was found, what was expected.

import { isArray, isObject, type Json } from "../json.ts";
import { partsOf } from "../pointer.ts";
import type { JsonType, SchemaNode } from "../schema/node.ts";
import { typesOf } from "../schema/resolve.ts";
import type { Place } from "./place.ts";

/** `Step "ask": "retry.attempts" must be …`, `Step "ask" has no …`, `"timeout" must be …`, `The document has no …`. */
export function sentence({ pointer, subject }: Place, claim: string): string {
  const path = partsOf(pointer.slice(subject.pointer.length)).join(".");
  if (path === "") return `${subject.label === "" ? "The document" : subject.label} ${claim}`;
  return `${subject.label === "" ? "" : `${subject.label}: `}${quote(path)} ${claim}`;
}

export function quote(text: string): string {
  const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return JSON.stringify(shown);
}

export function inWords(value: Json): string {
  if (isArray(value)) return "a list";
  if (isObject(value)) return "an object";
  return typeof value === "string" ? `the text ${quote(value)}` : String(value);
}

export function listWords(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} or ${last}`;
}

const typeWords: { readonly [type in JsonType]: string } = {
  object: "an object",
  array: "a list",
  string: "a text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  null: "null",
};

export function expectation(node: SchemaNode): string {
  if (node.title !== undefined) return node.title;
  const values = node.enum ?? (node.const === undefined ? [] : [node.const]);
  if (values.length > 0) return listWords(values.map((value) => JSON.stringify(value)));
  return listWords(typesOf(node).map((type) => typeWords[type]));
}
