// Where a flow names other workflows, as it was written: the `flow` of its steps, in every notation that has them.

import { canonicalText, isArray, isObject, objectFrom, own, type Json, type JsonObject } from "../../flow/json.ts";
import { readText } from "../../flow/source/read.ts";
import type { Reference } from "../workflow-entry.ts";

/** What stands there now is given, and what shall stand there comes back. */
type Rename = (reference: Reference) => Reference;

/** The same value when nothing is called otherwise. */
export function renameReferences(flow: Json, rename: Rename): Json {
  if (!isObject(flow) || own(flow, "states") !== undefined) return flow;
  const steps = own(flow, "steps");
  if (steps === undefined) return isBare(flow) ? renameMembers(flow, rename) : flow;
  const start = own(flow, "start");
  const renamed = isArray(steps) ? renameList(steps, rename) : isObject(steps) ? renameMembers(steps, rename) : steps;
  const first = start === undefined ? undefined : renameStep(start, rename);
  if (renamed === steps && first === start) return flow;
  return replaceMembers(flow, { steps: renamed, ...(first === undefined ? {} : { start: first }) });
}

/** `flow: greet@3`, in whatever way it is quoted; what else looks like it is found out when the text is read again.
 *  Names are shorter than the limit, which keeps long lines from taking long. */
const written = /(\bflow["']?[ \t]*:[ \t]*)(["']?)([^"'\s,}][^"'\r\n,}]{0,139}?)\2(?=[ \t]*(?:[,}\r\n]|#|$))/gu;

/** Needs no quotes in YAML. */
const plain = /^[\p{L}\p{N}_][\p{L}\p{N}_.()@ -]*$/u;

/** A text with the same changes, its comments and layout as they were; undefined: it would not say what the flow says. */
export function renameInText(text: string, flow: Json, rename: Rename): string | undefined {
  const renamed = text.replace(written, (whole: string, head: string, quote: string, reference: string) => {
    const other = renameText(reference, rename);
    if (other === reference) return whole;
    return `${head}${quote === "" && plain.test(other) ? other : JSON.stringify(other)}`;
  });
  const { value } = readText(renamed);
  return value !== undefined && canonicalText(value) === canonicalText(flow) ? renamed : undefined;
}

/** The members keep their places. */
export function replaceMembers(object: JsonObject, members: JsonObject): JsonObject {
  return objectFrom(Object.entries(object).map(([key, value]) => [key, own(members, key) ?? value]));
}

function isBare(flow: JsonObject): boolean {
  return own(flow, "format") === undefined;
}

function renameMembers(steps: JsonObject, rename: Rename): JsonObject {
  const entries = Object.entries(steps).map(([key, step]) => [key, renameStep(step, rename)] as const);
  return entries.every(([key, step]) => step === steps[key]) ? steps : objectFrom(entries);
}

function renameList(steps: readonly Json[], rename: Rename): readonly Json[] {
  const renamed = steps.map((step) => renameStep(step, rename));
  return renamed.every((step, index) => step === steps[index]) ? steps : renamed;
}

function renameStep(step: Json, rename: Rename): Json {
  const reference = isObject(step) ? own(step, "flow") : undefined;
  if (!isObject(step) || typeof reference !== "string") return step;
  const renamed = renameText(reference, rename);
  return renamed === reference ? step : replaceMembers(step, { flow: renamed });
}

function renameText(text: string, rename: Rename): string {
  const [, name, no] = /^([^@]+)(?:@([1-9]\d{0,8}))?$/s.exec(text) ?? [];
  if (name === undefined) return text;
  const renamed = rename({ name, no: no === undefined ? null : Number(no) });
  return renamed.no === null ? renamed.name : `${renamed.name}@${renamed.no}`;
}
