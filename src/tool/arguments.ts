// Arguments are held against the tool's schema before it is called, and its result before anybody reads it. Whoever wrote
// the step is told what was expected and what was given.

import { sizeOf } from "../flow/json-schema/checker.ts";
import { isArray, isObject, own, type Json, type JsonObject } from "../flow/json.ts";
import type { Pointer } from "../flow/pointer.ts";
import { cut, describeErrors, describeIssues } from "./flaws.ts";
import { compileToolSchema } from "./schema.ts";
import type { StandardIssue } from "./standard-schema.ts";
import type { ToolAnswer } from "./tool.ts";

/** As much as a tool may answer: what one gives the next can take. */
const sizeMax: number = 4 * 1024 * 1024;
const namesMax = 30;
const messageLengthMax = 4096;

type Refused = Extract<ToolAnswer, { kind: "failed" }>;

export type Described = {
  readonly name: string;
  readonly input: JsonObject | null;
  readonly output: JsonObject | null;
};

export type Given = {
  readonly input: Json;
  /** Where the values of secrets stand. */
  readonly secretPlaces?: readonly Pointer[];
};

/** Nothing was called yet; null: it may be. */
export function refuseArguments(tool: Described, given: Given): Refused | null {
  if (tool.input === null) return null;
  const compiled = compileToolSchema(tool.input);
  if (!compiled.ok) return badSchema(tool, "input", compiled);
  if (sizeOf(given.input) > sizeMax)
    return badArguments(tool, given, "together they are larger than 4 MB; keep them elsewhere and say where");
  const checked = compiled.check(given.input);
  if (checked.kind === "gave_up")
    return badArguments(tool, given, "they cannot be checked, since its schema asks too much of them");
  if (checked.errors.length === 0) return null;
  const missing = expectedNames(tool.input).filter(
    (name) => !isObject(given.input) || !Object.hasOwn(given.input, name),
  );
  const subject = { value: given.input, canShow: canShow(given), missing };
  return badArguments(tool, given, describeErrors(checked.errors, subject));
}

/** The same for what the library of a Standard Schema found. */
export function refuseIssues(tool: Described, given: Given, issues: readonly StandardIssue[]): Refused {
  return badArguments(
    tool,
    given,
    describeIssues(issues, { canShow: canShow(given), isSecret: (given.secretPlaces ?? []).length > 0 }),
  );
}

/** Found before the call: afterwards it would be too late to say so. */
export function refuseOutputSchema(tool: Described): Refused | null {
  if (tool.output === null) return null;
  const compiled = compileToolSchema(tool.output);
  return compiled.ok ? null : badSchema(tool, "output", compiled);
}

/** It has happened, and would happen again. A result that cannot be checked is no worse than one of a tool without a
 *  schema. What it holds is not shown: it may repeat a secret. */
export function refuseResult(tool: Described, result: Json): Refused | null {
  const compiled = tool.output === null ? undefined : compileToolSchema(tool.output);
  const checked = compiled?.ok === true ? compiled.check(result) : undefined;
  if (checked?.kind !== "checked" || checked.errors.length === 0) return null;
  return badResult(tool, describeErrors(checked.errors, { value: result, canShow: () => false }));
}

export function refuseResultIssues(tool: Described, issues: readonly StandardIssue[]): Refused {
  return badResult(tool, describeIssues(issues, { canShow: () => false }));
}

/** A place is hidden with all that is in it and around it: words about the whole may tell of a part. */
function canShow({ secretPlaces = [] }: Given): (place: Pointer) => boolean {
  return (place) =>
    !secretPlaces.some(
      (secret) => secret === place || secret.startsWith(`${place}/`) || place.startsWith(`${secret}/`),
    );
}

function badArguments(tool: Described, { input }: Given, flaws: string): Refused {
  const message = `The tool "${tool.name}" does not take these arguments: ${flaws}. ${namesOf(tool, input)}`;
  return { kind: "failed", code: "bad_args", message: cut(message, messageLengthMax), isFinal: true };
}

function badResult({ name }: Described, flaws: string): Refused {
  const message = `The result of the tool "${name}" is not what its schema says: ${flaws}.`;
  return { kind: "failed", code: "bad_result", message: cut(message, messageLengthMax), isFinal: true };
}

type Unusable = { readonly at: Pointer; readonly reason: string };

function badSchema({ name }: Described, side: "input" | "output", { at, reason }: Unusable): Refused {
  const place = at === "" ? "" : ` at ${cut(at, 200)}`;
  const message = `The ${side} schema of the tool "${name}" cannot be used${place}: ${cut(reason, 500)}. Nothing was called.`;
  return { kind: "failed", code: "bad_schema", message, isFinal: true };
}

function namesOf({ input: schema }: Described, input: Json): string {
  const given = isObject(input) ? list(Object.keys(input)) : "none";
  const required = schema === null ? undefined : own(schema, "required");
  const isRequired = (name: string): boolean => isArray(required) && required.includes(name);
  const expected = expectedNames(schema).map((name) => (isRequired(name) ? name : `${name} (optional)`));
  return `Expected ${list(expected)}; given ${given}.`;
}

function expectedNames(schema: JsonObject | null): readonly string[] {
  const properties = schema === null ? undefined : own(schema, "properties");
  return isObject(properties) ? Object.keys(properties) : [];
}

function list(names: readonly string[]): string {
  const shown = names.slice(0, namesMax).map((name) => cut(name, 60));
  if (names.length > namesMax) shown.push("…");
  return shown.join(", ") || "none";
}
