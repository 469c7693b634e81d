// A flow given as a value instead of a text. It comes from a program, so it may be anything; what JSON cannot say is
// refused here, and the limits of texts hold for values too.

import { finding, type Finding } from "../finding.ts";
import { isArray, isObject, type Json } from "../json.ts";
import { under, type Pointer } from "../pointer.ts";
import { depthLimit, nodeLimit } from "./limits.ts";
import type { Source } from "./read.ts";

export function readValue(value: unknown): Source {
  const findings = checkJson(value);
  return {
    value: isClean(value, findings) ? value : undefined,
    syntax: "json",
    findings,
    locate: () => undefined,
    locateKey: () => undefined,
  };
}

function isClean(_value: unknown, findings: readonly Finding[]): _value is Json {
  return findings.length === 0;
}

type Visit = { readonly value: unknown; readonly pointer: Pointer; readonly depth: number };

/** Stops at the first problem: a value with a cycle has no last one. */
function checkJson(root: unknown): readonly Finding[] {
  const queue: Visit[] = [{ value: root, pointer: "", depth: 1 }];
  for (const visit of queue) {
    const found = checkNode(visit) ?? (queue.length > nodeLimit ? tooLarge : undefined);
    if (found !== undefined) return [found];
    if (!isArray(visit.value) && !isObject(visit.value)) continue;
    for (const [key, value] of Object.entries(visit.value)) {
      queue.push({ value, pointer: under(visit.pointer, key), depth: visit.depth + 1 });
    }
  }
  return [];
}

const tooLarge: Finding = finding("too_large", "", `A flow may hold ${nodeLimit} values; this one holds more.`);

function checkNode({ value, pointer, depth }: Visit): Finding | undefined {
  if (depth > depthLimit)
    return finding("too_deep", pointer, `Values may be nested ${depthLimit} deep; this one is deeper.`);
  switch (typeof value) {
    case "string":
    case "boolean":
    case "object":
      return undefined;
    case "number":
      return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
        ? undefined
        : finding("unsafe_number", pointer, `${value} is no number that JSON can carry exactly. Write it as text.`);
    case "undefined":
    case "function":
    case "symbol":
    case "bigint":
      return finding("wrong_type", pointer, `A flow is JSON, which has no ${typeof value}. Leave it out.`);
  }
}
