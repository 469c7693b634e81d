// What the functions do. Their arguments are evaluated and their number is right: the parser has counted them.

import { isArray, isObject, type Json } from "../json.ts";
import type { FunctionName } from "./ast.ts";
import { produceContainer, produceText, spend, spendReading, type Evaluation, type Found } from "./evaluation.ts";
import { stop } from "./problem.ts";
import { createSearch, slownessOf } from "./search.ts";
import { describe, finite, isEqual, isLess, joinTexts, keysOf, textOf, typeOf, wrongOperand } from "./values.ts";

export type Call = {
  readonly evaluation: Evaluation;
  readonly name: FunctionName;
  readonly args: readonly Found[];
  readonly at: number;
};

/** `has` is not here: it looks at a path and not at a value. */
export const functions: { readonly [name in Exclude<FunctionName, "has">]: (call: Call) => Json } = {
  contains,
  endsWith: (call) => {
    const part = textAt(call, 1);
    spendReading(call.evaluation, part, call.at);
    return textAt(call, 0).endsWith(part);
  },
  join: (call) => {
    const { evaluation, at } = call;
    const separator = call.args.length > 1 ? textAt(call, 1) : "";
    const list = listAt(call, 0);
    spend(evaluation, list.length, at);
    return joinTexts(
      evaluation,
      list.map((member) => textOf(evaluation, member, at)),
      separator,
      at,
    );
  },
  keys: (call) => {
    const [map] = call.args;
    if (!isObject(map)) return mistake(call, map, "a map");
    const keys = keysOf(call.evaluation, map, call.at);
    return produceContainer(call.evaluation, keys, keys, call.at);
  },
  lower: (call) => changeText(call, (text) => text.toLowerCase()),
  max: (call) => pickOne(call, (candidate, best) => isLess(call.evaluation, best, candidate, call.at)),
  min: (call) => pickOne(call, (candidate, best) => isLess(call.evaluation, candidate, best, call.at)),
  number: toNumber,
  size: sizeOf,
  split,
  startsWith: (call) => {
    const part = textAt(call, 1);
    spendReading(call.evaluation, part, call.at);
    return textAt(call, 0).startsWith(part);
  },
  string: (call) => {
    const [value] = call.args;
    if (typeof value === "string") return value;
    return produceText(call.evaluation, textOf(call.evaluation, value, call.at), call.at);
  },
  trim: (call) => changeText(call, (text) => text.trim()),
  type: (call) => typeOf(call.args[0]),
  upper: (call) => changeText(call, (text) => text.toUpperCase()),
};

function mistake(call: Call, value: Found, needed: string): never {
  const cure = value === null || value === undefined ? " Give it a value with ??, or ask with has before." : "";
  const message = `${call.name} needs ${needed} and was given ${describe(value)}.${cure}`;
  return wrongOperand(call.evaluation, message, call.at);
}

function textAt(call: Call, index: number): string {
  const value = call.args[index];
  return typeof value === "string" ? value : mistake(call, value, "a text");
}

function listAt(call: Call, index: number): readonly Json[] {
  const value = call.args[index];
  return isArray(value) ? value : mistake(call, value, "a list");
}

function changeText(call: Call, change: (text: string) => string): string {
  const text = textAt(call, 0);
  spendReading(call.evaluation, text, call.at);
  return produceText(call.evaluation, change(text), call.at);
}

function contains(call: Call): boolean {
  const { evaluation, args, at } = call;
  const [whole, part = null] = args;
  if (isArray(whole)) return whole.some((member) => isEqual(evaluation, member, part, at));
  if (typeof whole !== "string") return mistake(call, whole, "a text or a list");
  const wanted = textAt(call, 1);
  spendReading(evaluation, whole, at, slownessOf(wanted));
  spendReading(evaluation, wanted, at, slownessOf(wanted));
  return createSearch(wanted)(whole, 0) !== -1;
}

function sizeOf(call: Call): number {
  const { evaluation, args, at } = call;
  const [value] = args;
  if (isArray(value)) return value.length;
  if (isObject(value)) return Object.keys(value).length;
  if (typeof value !== "string") return mistake(call, value, "a text, a list or a map");
  spendReading(evaluation, value, at);
  if (!pairStart.test(value)) return value.length;
  spendReading(evaluation, value, at, 3);
  return countCharacters(value);
}

const pairStart = /[\ud800-\udbff]/;

/** Code points: what people call characters, as far as a short loop can tell. */
function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

function split(call: Call): readonly string[] {
  const { evaluation, at } = call;
  const text = textAt(call, 0);
  const separator = textAt(call, 1);
  spendReading(evaluation, text, at, slownessOf(separator));
  spendReading(evaluation, separator, at, slownessOf(separator));
  const pieces: string[] = [];
  for (const piece of separator === "" ? text : piecesOf(text, separator)) {
    spend(evaluation, 1, at);
    pieces.push(produceText(evaluation, piece, at));
  }
  return produceContainer(evaluation, pieces, pieces, at);
}

function* piecesOf(text: string, separator: string): Generator<string, void> {
  const find = createSearch(separator);
  let from = 0;
  for (let found = find(text, 0); found !== -1; found = find(text, from)) {
    yield text.slice(from, found);
    from = found + separator.length;
  }
  yield text.slice(from);
}

// JSON's own numbers, and no `Infinity`, `0x10` or empty text, which JavaScript would take.
const numberShape = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

function toNumber(call: Call): number {
  const { evaluation, args, at } = call;
  const [value] = args;
  if (typeof value === "number") return value;
  if (typeof value !== "string") return mistake(call, value, "a text or a number");
  spendReading(evaluation, value, at);
  const text = value.trim();
  if (numberShape.test(text)) return finite(evaluation, Number(text), at);
  const message = 'number cannot read this text. Give it digits, as in "12.5".';
  return stop(evaluation, { code: "not_a_number", message, at });
}

function pickOne(call: Call, isBetter: (candidate: Json, best: Json) => boolean): Json {
  const { evaluation, name, args, at } = call;
  const candidates = args.length === 1 ? listAt(call, 0) : args;
  spend(evaluation, candidates.length, at);
  let best: Json | undefined;
  for (const candidate of candidates) {
    const isRanked = typeof candidate === "number" || typeof candidate === "string";
    if (!isRanked || (best !== undefined && typeof candidate !== typeof best)) {
      return mistake(call, candidate, "numbers alone or texts alone");
    }
    if (best === undefined || isBetter(candidate, best)) best = candidate;
  }
  if (best !== undefined) return best;
  return wrongOperand(evaluation, `${name} was given an empty list. Ask for its size before.`, at);
}
