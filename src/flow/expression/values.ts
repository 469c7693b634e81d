// JSON values as expressions see them: their types, their texts, when two are the same and which is less.

import { isArray, isObject, own, type Json, type JsonObject } from "../json.ts";
import {
  produceText,
  refuseDepth,
  reserveText,
  spend,
  spendReading,
  weigh,
  type Evaluation,
  type Found,
} from "./evaluation.ts";
import { membersPerFuel, valueDepthMax } from "./limits.ts";
import { stop } from "./problem.ts";

export type TypeName = "null" | "boolean" | "number" | "string" | "list" | "map";

export function typeOf(value: Found): TypeName {
  if (value === null || value === undefined) return "null";
  if (typeof value === "boolean") return "boolean";
  if (typeof value === "number") return "number";
  if (typeof value === "string") return "string";
  return isArray(value) ? "list" : "map";
}

/** How a message speaks of a value. */
export function describe(value: Found): string {
  if (value === undefined) return "a missing value";
  if (typeof value === "string") return "a text";
  if (typeof value !== "object" || value === null) return String(value);
  return isArray(value) ? "a list" : "a map";
}

/** Stops because a value is not of the type that is needed. */
export function wrongOperand(evaluation: Evaluation, message: string, at: number): never {
  return stop(evaluation, { code: "wrong_operand", message, at });
}

/** A number that JSON can hold; minus zero, which it cannot, is zero. */
export function finite(evaluation: Evaluation, value: number, at: number): number {
  if (!Number.isFinite(value)) {
    const message = "The result is no finite number. Check for a division by zero before, or for numbers too large.";
    return stop(evaluation, { code: "not_finite", message, at });
  }
  return value === 0 ? 0 : value;
}

/** Null is false, so that a missing path can be asked for; everything else but true and false is a mistake. */
export function truthOf(evaluation: Evaluation, value: Found, at: number): boolean {
  if (typeof value === "boolean") return value;
  if (value === null || value === undefined) return false;
  const message = `A condition must be true or false, and this is ${describe(value)}. Compare it with something.`;
  return wrongOperand(evaluation, message, at);
}

/** What a value is inside a longer text: null is nothing, lists and maps are JSON. */
export function textOf(evaluation: Evaluation, value: Found, at: number): string {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return "";
  if (typeof value !== "object") return String(value);
  const { size } = weigh(evaluation, value, at);
  reserveText(evaluation, size, at);
  spend(evaluation, Math.floor(size / membersPerFuel), at);
  return JSON.stringify(value);
}

export function joinTexts(evaluation: Evaluation, texts: readonly string[], separator: string, at: number): string {
  let length = separator.length * Math.max(0, texts.length - 1);
  for (const text of texts) length += text.length;
  reserveText(evaluation, length, at);
  return produceText(evaluation, texts.join(separator), at);
}

/** Sorted: stores do not all keep the order in which keys were written, and an expression must replay the same. */
export function keysOf(evaluation: Evaluation, map: JsonObject, at: number): readonly string[] {
  const keys = Object.keys(map);
  spend(evaluation, keys.length, at);
  return keys.toSorted();
}

export function isEqual(evaluation: Evaluation, left: Json, right: Json, at: number): boolean {
  return isSame({ evaluation, at }, left, right, 0);
}

type Comparison = { readonly evaluation: Evaluation; readonly at: number };

function isSame(comparison: Comparison, left: Json, right: Json, level: number): boolean {
  const { evaluation, at } = comparison;
  spend(evaluation, 1, at);
  if (typeof left === "string" && typeof right === "string") {
    if (left.length !== right.length) return false;
    spendReading(evaluation, left, at);
    return left === right;
  }
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return left === right;
  if (level >= valueDepthMax) refuseDepth(evaluation, at);
  if (isArray(left)) return isArray(right) && isSameList(comparison, left, right, level + 1);
  return isObject(left) && isObject(right) && isSameMap(comparison, left, right, level + 1);
}

function isSameList(comparison: Comparison, left: readonly Json[], right: readonly Json[], level: number): boolean {
  if (left.length !== right.length) return false;
  return left.every((member, index) => {
    const other = right[index];
    return other !== undefined && isSame(comparison, member, other, level);
  });
}

function isSameMap(comparison: Comparison, left: JsonObject, right: JsonObject, level: number): boolean {
  const members = Object.entries(left);
  if (members.length !== Object.keys(right).length) return false;
  return members.every(([key, member]) => {
    const other = own(right, key);
    return other !== undefined && isSame(comparison, member, other, level);
  });
}

/** Numbers by size, texts by their UTF-16 units, false before true. Everything else is never less. */
export function isLess(evaluation: Evaluation, left: Json, right: Json, at: number): boolean {
  if (typeof left === "string" && typeof right === "string") {
    spendReading(evaluation, left.length < right.length ? left : right, at);
    return left < right;
  }
  if (typeof left === "number" && typeof right === "number") return left < right;
  return left === false && right === true;
}
