// Documents of a server as the library's own values: the same names, written otherwise. A server is trusted with what it
// says; only that it speaks of the same things is looked at.

import { StepwellError } from "../error.ts";
import { isArray, isObject, own, type Json, type JsonObject } from "../flow/json.ts";

export function objectIn(value: Json | undefined): JsonObject {
  return value !== undefined && isObject(value) ? value : unknownAnswer("an object");
}

export function listIn(value: Json | undefined): readonly JsonObject[] {
  if (value === undefined || !isArray(value)) return unknownAnswer("a list");
  return value.map(objectIn);
}

export function fieldIn(document: JsonObject, name: string): Json {
  const value = own(document, name);
  return value === undefined ? unknownAnswer(`"${name}"`) : value;
}

export function numberIn(document: JsonObject, name: string): number {
  const value = fieldIn(document, name);
  return typeof value === "number" ? value : unknownAnswer(`the number "${name}"`);
}

export function textIn(document: JsonObject, name: string): string {
  const value = fieldIn(document, name);
  return typeof value === "string" ? value : unknownAnswer(`the text "${name}"`);
}

/** `take<Token>(document, ["id", "createdAt"])` reads `id` and `created_at`. */
export function take<Told extends object, Name extends keyof Told & string = keyof Told & string>(
  document: JsonObject,
  names: readonly Name[],
): Pick<Told, Name> {
  const fields = names.map((name) => [name, fieldIn(document, toWireName(name))]);
  return Object.fromEntries(fields) as Pick<Told, Name>;
}

function toWireName(name: string): string {
  return name.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);
}

function unknownAnswer(what: string): never {
  throw new StepwellError("SERVER_UNUSABLE", `The server answers without ${what}: it may be of another version.`);
}
