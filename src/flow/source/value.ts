// A flow given as a value instead of a text. It comes from a program, so it may be anything; what JSON cannot say is
// refused here, and the limits of texts hold for values too. What is used from then on is a copy of ours: freezing the
// plan must not freeze the caller's document, and changing the document must not change the plan.

import { finding, type Finding } from "../finding.ts";
import { isArray, isObject, objectFrom, type Json } from "../json.ts";
import { pointerTo, type Pointer } from "../pointer.ts";
import { depthLimit, keyLimit, nodeLimit } from "./limits.ts";
import type { Source } from "./read.ts";
import { explainLongKey } from "./reading.ts";

export function readValue(value: unknown): Source {
  const found = checkJson(value);
  return {
    value: found === undefined ? copyOf(value as Json) : undefined,
    syntax: "json",
    findings: found === undefined ? [] : [found],
    locate: () => undefined,
    locateKey: () => undefined,
  };
}

/** Wrapping a bare map, or reading a skill's config as args, adds a level. */
export function isTooDeep(value: Json, levelsLeft: number = depthLimit): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levelsLeft === 0 || Object.values(value).some((member) => isTooDeep(member, levelsLeft - 1));
}

type Visit = {
  readonly value: unknown;
  readonly key: string | number;
  readonly parent: Visit | null;
  readonly depth: number;
};

/** Stops at the first problem: a value with a cycle has no last one. */
function checkJson(root: unknown): Finding | undefined {
  const queue: Visit[] = [{ value: root, key: "", parent: null, depth: 1 }];
  for (const visit of queue) {
    const found = checkNode(visit);
    if (found !== undefined) return found;
    if (queue.length > nodeLimit) return tooLarge;
    const { value, depth } = visit;
    if (isArray(value))
      for (const [key, member] of value.entries()) queue.push({ value: member, key, parent: visit, depth: depth + 1 });
    else if (isObject(value)) {
      for (const [key, member] of Object.entries(value))
        queue.push({ value: member, key, parent: visit, depth: depth + 1 });
    }
  }
  return undefined;
}

const tooLarge: Finding = finding("too_large", "", `A flow may hold ${nodeLimit} values; this one holds more.`);

function checkNode(visit: Visit): Finding | undefined {
  const { value, key, parent, depth } = visit;
  if (parent !== null && typeof key === "string" && key.length > keyLimit)
    return finding("key_too_long", pointerOf(parent), explainLongKey(key));
  if (depth > depthLimit && typeof visit.value === "object" && visit.value !== null) {
    return finding("too_deep", pointerOf(visit), `Values may be nested ${depthLimit} deep; this one is deeper.`);
  }
  switch (typeof value) {
    case "string":
    case "boolean":
      return undefined;
    case "object":
      return isPlain(value) ? undefined : notJson(visit, "objects of a class");
    case "number":
      return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
        ? undefined
        : finding(
            "unsafe_number",
            pointerOf(visit),
            `${value} is no number that JSON can carry exactly. Write it as text.`,
          );
    case "undefined":
    case "function":
    case "symbol":
    case "bigint":
      return notJson(visit, typeof value);
  }
}

function isPlain(value: object | null): boolean {
  if (value === null || Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function notJson(visit: Visit, what: string): Finding {
  return finding("wrong_type", pointerOf(visit), `A flow is JSON, which has no ${what}. Leave it out.`);
}

function pointerOf(visit: Visit): Pointer {
  const parts: (string | number)[] = [];
  for (let at = visit; at.parent !== null; at = at.parent) parts.unshift(at.key);
  return pointerTo(...parts);
}

function copyOf(value: Json): Json {
  if (isArray(value)) return value.map(copyOf);
  if (!isObject(value)) return value;
  return objectFrom(Object.entries(value).map(([key, member]) => [key, copyOf(member)]));
}
