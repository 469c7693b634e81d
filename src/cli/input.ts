// The input of a run, as it is given on the command line: `--input` as a whole, `key=value` one by one.

import { readFileSync } from "node:fs";
import { StepwellError } from "../error.ts";
import { isObject, own, type Json, type JsonObject } from "../flow/json.ts";
import { readText } from "../flow/source/read.ts";
import { nearest } from "../flow/suggest.ts";

export type InputWish = {
  /** JSON, `@file` or `-` for standard input. */
  readonly whole: string | undefined;
  /** `key=value`: JSON where it is some, else a text; `key:=json` is JSON or wrong; `key=@file` reads the value. */
  readonly pairs: readonly string[];
  /** Of the flow; a property that must be a text stays one. */
  readonly schema: Json;
};

const hint = 'name=Ada, count:=3, text=@file, --input \'{"name": "Ada"}\', --input @file.json, --input -';

export function readInput({ whole, pairs, schema }: InputWish): JsonObject {
  const input = new Map(whole === undefined ? [] : Object.entries(readWhole(whole)));
  const seen = new Set<string>();
  for (const pair of pairs) {
    const { key, value } = readPair(pair, schema);
    if (seen.has(key)) throw new StepwellError("USAGE", `"${key}" is given twice.`, { hint });
    seen.add(key);
    input.set(key, value);
  }
  return Object.fromEntries(input);
}

function readWhole(given: string): JsonObject {
  const { text, place } = readGiven(given);
  return readObject(text, place);
}

/** Any JSON, `@file` or `-` for standard input. */
export function readValue(given: string): Json {
  const { text, place } = readGiven(given);
  return readJson(text, place);
}

function readGiven(given: string): { readonly text: string; readonly place: string } {
  if (given === "-") return { text: readFile(0, "standard input"), place: "Standard input" };
  if (!given.startsWith("@")) return { text: given, place: "What was given" };
  const path = given.slice(1);
  return { text: readFile(path, path), place: path };
}

/** `place`: where it stands, for whoever got it wrong; it begins a sentence. */
export function readObject(text: string, place: string): JsonObject {
  const value = readJson(text, place);
  if (isObject(value)) return value;
  throw new StepwellError("INPUT_INVALID", `${place} must be an object, such as {"name": "Ada"}.`, {
    hint,
  });
}

function readJson(text: string, place: string): Json {
  if (text.trim() === "") throw new StepwellError("INPUT_INVALID", `${place} holds no JSON.`, { hint });
  const { value, findings } = readText(text, { syntax: "json" });
  const [problem] = findings;
  if (value !== undefined && problem === undefined) return value;
  const { line = 1, column = 1, message = "It cannot be read." } = problem ?? {};
  throw new StepwellError("INPUT_INVALID", `${place} is no JSON, at ${line}:${column}: ${message}`, { hint });
}

function readPair(pair: string, schema: Json): { readonly key: string; readonly value: Json } {
  const [, key = "", forced, given = ""] = /^([^=]*?)(:?)=(.*)$/s.exec(pair) ?? [];
  if (key === "") throw new StepwellError("USAGE", `"${pair}" is no key=value.`, { hint });
  const text = given.startsWith("@") ? readFile(given.slice(1), given.slice(1)) : given;
  if (forced === ":") return { key, value: readJson(text, `The value of "${key}"`) };
  const isText = given.startsWith("@") || isTextIn(schema, key);
  return { key, value: isText ? text : guess(text) };
}

/** What the flow says nothing about, though it says what it takes: it goes along, and is most likely a slip of the pen. */
export function findStrangers(input: JsonObject, schema: Json): readonly string[] {
  const properties = isObject(schema) ? own(schema, "properties") : undefined;
  if (!isObject(properties) || Object.keys(properties).length === 0) return [];
  const strangers = Object.keys(input).filter((key) => !Object.hasOwn(properties, key));
  return strangers.map((key) => {
    const near = nearest(key, Object.keys(properties));
    return `The flow names no input "${key}".${near === undefined ? "" : ` Did you mean "${near}"?`}`;
  });
}

function isTextIn(schema: Json, key: string): boolean {
  const properties = isObject(schema) ? own(schema, "properties") : undefined;
  const property = isObject(properties) ? own(properties, key) : undefined;
  return isObject(property) && own(property, "type") === "string";
}

/** A number that JSON cannot keep exactly stays the text that it is. */
function guess(text: string): Json {
  const { value, findings } = readText(text, { syntax: "json" });
  return value === undefined || findings.length > 0 ? text : value;
}

function readFile(path: string | 0, name: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT")
      throw new StepwellError("FILE_NOT_FOUND", `There is no file "${name}".`, { hint, cause });
    const said = cause instanceof Error ? cause.message : String(cause);
    throw new StepwellError("FILE_NOT_FOUND", `${name} cannot be read: ${said}`, { cause });
  }
}
