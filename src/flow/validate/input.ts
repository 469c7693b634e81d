// The door of a run: what it is started with is checked before anything is written. The flow's defaults are put under
// it, then it is held against the flow's schema, and every problem is told at once.

import type { ErrorObject } from "ajv/dist/2020.js";
import { isArray, isObject, objectFrom, type Json, type JsonObject } from "../json.ts";
import type { Plan } from "../plan.ts";
import { under, type Pointer } from "../pointer.ts";
import { bytesLimit, depthLimit, nodeLimit } from "../source/limits.ts";
import { problemsOf } from "./schemas.ts";

export type InputProblem = {
  readonly code: "not_json" | "not_an_object" | "too_deep" | "too_large" | "bad_input" | "bad_schema";
  /** Where in the input. */
  readonly pointer: Pointer;
  readonly message: string;
};

export type PreparedInput =
  | { readonly ok: true; readonly input: JsonObject }
  | { readonly ok: false; readonly problems: readonly InputProblem[] };

/** Nothing given is an empty input. The answer is a copy: what the caller does to its own later changes nothing. */
export function prepareInput({ input }: Pick<Plan, "input">, given: unknown): PreparedInput {
  // The most common input of all.
  if ((given ?? null) === null && input.schema === null && Object.keys(input.defaults).length === 0)
    return { ok: true, input: objectFrom([]) };
  const value = given ?? {};
  if (!isObject(value)) return refused("not_an_object", `The input must be an object, not ${nameOf(value)}.`);
  const problem = findUnfit(value);
  if (problem !== undefined) return { ok: false, problems: [problem] };
  const text = JSON.stringify(objectFrom([...Object.entries(input.defaults), ...Object.entries(value)]));
  // A character has three bytes at most: nearly all are known to fit without a count.
  if (text.length * 3 > bytesLimit && new TextEncoder().encode(text).length > bytesLimit)
    return refused("too_large", "The input, with the flow's defaults, is larger than 1 MB.");
  const prepared: JsonObject = JSON.parse(text);
  const problems = input.schema === null ? [] : checkInput(input.schema, prepared);
  return problems.length === 0 ? { ok: true, input: prepared } : { ok: false, problems };
}

function refused(code: InputProblem["code"], message: string): PreparedInput {
  return { ok: false, problems: [{ code, pointer: "", message }] };
}

function nameOf(value: unknown): string {
  return isArray(value) ? "a list" : `the ${typeof value === "string" ? "text" : typeof value} ${String(value)}`;
}

/** The first thing that JSON cannot say, or that is too deep or too much. Not by recursion: it may be endless. */
function findUnfit(input: JsonObject): InputProblem | undefined {
  const waiting: { readonly value: unknown; readonly pointer: Pointer; readonly depth: number }[] = [
    { value: input, pointer: "", depth: 1 },
  ];
  for (let seen = 0; seen < waiting.length; seen++) {
    const next = waiting[seen];
    if (next === undefined) break;
    const { value, pointer, depth } = next;
    if (!isPlain(value)) return { code: "not_json", pointer, message: `"${pointer}" is nothing that JSON can say.` };
    if (typeof value !== "object" || value === null) continue;
    if (depth > depthLimit)
      return { code: "too_deep", pointer, message: `The input is nested more than ${depthLimit} deep.` };
    if (waiting.length > nodeLimit) return { code: "too_large", pointer, message: "The input has too many values." };
    for (const [key, member] of Object.entries(value))
      waiting.push({ value: member, pointer: under(pointer, key), depth: depth + 1 });
  }
  return undefined;
}

/** Members that are not set are left out, as in JSON. */
function isPlain(value: unknown): boolean {
  switch (typeof value) {
    case "string":
    case "boolean":
    case "undefined":
      return true;
    case "number":
      return Number.isFinite(value);
    case "object":
      return value === null || isArray(value) || isRecord(value);
    case "bigint":
    case "symbol":
    case "function":
      return false;
  }
}

function isRecord(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/** After so many the rest is mostly their consequence. */
const problemsMax = 100;

function checkInput(schema: NonNullable<Plan["input"]["schema"]>, input: JsonObject): readonly InputProblem[] {
  const errors = problemsOf(schema, input);
  if (errors === undefined)
    return [{ code: "bad_schema", pointer: "", message: "The flow's input schema cannot be applied to this input." }];
  return toProblems(errors, "input");
}

/** What is wrong with an answer of people; nothing when the form cannot be applied to it. */
export function checkAnswerData(form: Json, data: Json): readonly InputProblem[] {
  return toProblems(problemsOf(form, data) ?? [], "answer");
}

/** Each once. */
function toProblems(errors: readonly ErrorObject[], whole: string): readonly InputProblem[] {
  const problems = errors.slice(0, problemsMax).map((error) => toProblem(error, whole));
  return [...new Map(problems.map((problem) => [`${problem.pointer} ${problem.message}`, problem])).values()];
}

function toProblem({ instancePath, message = "does not fit", params }: ErrorObject, whole: string): InputProblem {
  const missing: unknown = params["missingProperty"];
  if (typeof missing === "string")
    return { code: "bad_input", pointer: under(instancePath, missing), message: `"${missing}" is missing.` };
  const extra: unknown = params["additionalProperty"];
  if (typeof extra === "string") {
    const owner = instancePath === "" ? `the ${whole}` : subjectOf(instancePath, whole);
    const told = `"${extra}" is not among the properties of ${owner}.`;
    return { code: "bad_input", pointer: under(instancePath, extra), message: told };
  }
  const allowed: unknown = params["allowedValues"];
  const among = isArray(allowed) ? `: ${allowed.map((value) => JSON.stringify(value)).join(", ")}` : "";
  return { code: "bad_input", pointer: instancePath, message: `${subjectOf(instancePath, whole)} ${message}${among}.` };
}

function subjectOf(pointer: Pointer, whole: string): string {
  return pointer === "" ? `The ${whole}` : `"${pointer.slice(1)}"`;
}
