// The JSON Schemas that a flow carries: the input's and the gates' forms. They must be schemas, the defaults must fit
// them, and what expressions read of the input should stand in them.

import { Ajv2020, type AnySchema, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import type { Use } from "../compile/compiler.ts";
import { finding, type Finding } from "../finding.ts";
import { canonicalText, isObject, objectFrom, own, type Json, type JsonObject } from "../json.ts";
import type { Plan } from "../plan.ts";
import { pointerTo, under, type Pointer } from "../pointer.ts";

// Foreign schemas use whatever keywords and formats they like; unknown ones are no mistake. Nothing is logged.
const options = {
  strict: false,
  allErrors: true,
  validateFormats: false,
  logger: false,
  addUsedSchema: false,
} as const;

/** Says what is a schema. */
const ajv: Ajv2020 = new Ajv2020(options);

/** Holds values against schemas. It never runs a pattern, since a hostile one takes for ever: every text fits it. */
const checker: Ajv2020 = new Ajv2020({
  ...options,
  validateSchema: false,
  code: { regExp: Object.assign(fitEverything, { code: "fitEverything" }) },
});
checker.removeKeyword("patternProperties");
// Without the patterns, nobody can say which properties are left over.
checker.removeKeyword("unevaluatedProperties");
checker.addKeyword({ keyword: "patternProperties", compile: leaveUnchecked });
// Ajv compares every item with every other one; a long list would take for ever, too.
checker.removeKeyword("uniqueItems");
checker.addKeyword({
  keyword: "uniqueItems",
  type: "array",
  schemaType: "boolean",
  validate: areUnique,
  error: { message: "must NOT have duplicate items" },
});

function areUnique(isAsked: boolean, items: readonly Json[]): boolean {
  return !isAsked || new Set(items.map(canonicalText)).size === items.length;
}

function fitEverything(pattern: string, flags: string): { readonly test: () => boolean } {
  // Still refuses what is no pattern.
  RegExp(pattern, flags);
  return { test: () => true };
}

function leaveUnchecked(patterns: JsonObject): () => boolean {
  for (const pattern of Object.keys(patterns)) fitEverything(pattern, "u");
  return () => true;
}

export function checkSchemas(plan: Plan): readonly Finding[] {
  const { schema } = plan.input;
  const input = schema === null ? [] : checkSchema(schema, pointerTo("input"));
  const forms = Object.values(plan.steps).flatMap((step) =>
    step.kind === "gate" && step.form !== null ? checkSchema(step.form, under(step.pointer, "gate", "form")) : [],
  );
  return [...input, ...(input.length === 0 ? checkDefaults(plan) : []), ...forms];
}

function checkSchema(schema: Json, pointer: Pointer): readonly Finding[] {
  const compiled = compileSchema(schema);
  if (compiled.ok) return [];
  return [finding("bad_schema", pointer + compiled.at, `This is no JSON Schema (2020-12): ${compiled.reason}.`)];
}

type CompiledSchema =
  | { readonly ok: true; readonly validate: ValidateFunction; readonly hasPatterns: boolean }
  | { readonly ok: false; readonly at: Pointer; readonly reason: string };

// Compiling a schema costs as much as all the rest of validating a small flow, and flows are validated again and again.
const compiledSchemas = new Map<string, CompiledSchema>();
const compiledMax = 500;

/** Equal schemas are compiled once. */
function compileSchema(schema: Json): CompiledSchema {
  const key = canonicalText(schema);
  const known = compiledSchemas.get(key) ?? compileAnew(schema, /"pattern(Properties)?":/.test(key));
  if (compiledSchemas.size >= compiledMax) compiledSchemas.clear();
  compiledSchemas.set(key, known);
  return known;
}

function compileAnew(schema: Json, hasPatterns: boolean): CompiledSchema {
  try {
    const plain = structuredClone(withoutDialect(schema)) as AnySchema;
    if (ajv.validateSchema(plain) !== true) return { ok: false, ...firstProblem(ajv.errors ?? []) };
    const validate = checker.compile(plain);
    // Ajv would keep every schema it has ever seen.
    if (isObject(schema)) checker.removeSchema(plain);
    return { ok: true, validate, hasPatterns };
  } catch (error) {
    // A reference that leads nowhere, a pattern that is none: Ajv says so by throwing.
    return { ok: false, at: "", reason: error instanceof Error ? error.message : String(error) };
  }
}

/** Most schemas of older drafts are good ones of this one too; Ajv would refuse them for their name alone. */
function withoutDialect(schema: Json): Json {
  if (!isObject(schema) || typeof own(schema, "$schema") !== "string") return schema;
  return objectFrom(Object.entries(schema).filter(([key]) => key !== "$schema"));
}

/** These fail for what their parts say, or do not say, together. */
export const unionKeywords: ReadonlySet<string> = new Set(["anyOf", "oneOf", "not", "if", "contains"]);

/** What is wrong with the value; undefined when the schema is none, or leads in a circle: then nothing can be said. */
export function problemsOf(schema: Json, value: Json): readonly ErrorObject[] | undefined {
  try {
    const compiled = compileSchema(schema);
    if (!compiled.ok) return undefined;
    if (compiled.validate(value)) return [];
    const errors = compiled.validate.errors ?? [];
    // A pattern that was not run may have chosen the wrong branch.
    return compiled.hasPatterns ? outsideUnions(errors, () => true) : errors;
  } catch {
    return undefined;
  }
}

/** The problems that no failed union that is `chosen` can have brought about. */
export function outsideUnions(
  errors: readonly ErrorObject[],
  chosen: (union: ErrorObject) => boolean,
): readonly ErrorObject[] {
  const unions = errors.filter((error) => unionKeywords.has(error.keyword) && chosen(error));
  return errors.filter((error) => isOfRoot(error) || !unions.some((union) => isWithin(error, union.instancePath)));
}

/** Behind a reference the path no longer tells of a union, but the schema's own first level is never behind one. */
function isOfRoot({ instancePath, schemaPath }: ErrorObject): boolean {
  return instancePath === "" && (schemaPath === "#/required" || schemaPath === "#/additionalProperties");
}

function isWithin({ instancePath }: Problem, place: Pointer): boolean {
  return instancePath === place || instancePath.startsWith(`${place}/`);
}

type Problem = Pick<ErrorObject, "instancePath" | "message">;

function firstProblem(errors: readonly Problem[]): { readonly at: Pointer; readonly reason: string } {
  // Deepest first; then by place, since Ajv goes by the order in which keys were written.
  const [deepest] = errors.toSorted(
    (one, other) =>
      other.instancePath.length - one.instancePath.length || (one.instancePath < other.instancePath ? -1 : 1),
  );
  return { at: deepest?.instancePath ?? "", reason: deepest?.message ?? "it is not valid" };
}

/** What speaks of the input as a whole: what is still missing may come with the input. */
const wholeKeywords: ReadonlySet<string> = new Set(
  "required minProperties dependentRequired dependentSchemas dependencies anyOf oneOf not if then else".split(" "),
);

/** The defaults must fit as far as they go. */
function checkDefaults({ input }: Plan): readonly Finding[] {
  const { schema, defaults } = input;
  if (!isObject(schema) || Object.keys(defaults).length === 0) return [];
  const partial = objectFrom(Object.entries(schema).filter(([key]) => !wholeKeywords.has(key)));
  const errors = problemsOf(partial, defaults);
  if (errors === undefined) return problemsOf(schema, defaults) === undefined ? [endlessSchema] : [];
  const problems = outsideUnions(errors, ({ instancePath }) => instancePath === "").flatMap(problemOfDefault);
  return Object.keys(defaults).flatMap((key) => {
    const place = pointerTo(key);
    const mine = problems.filter((problem) => isWithin(problem, place));
    if (mine.length === 0) return [];
    const { at, reason } = firstProblem(mine);
    const message = `The default of "${key}" does not fit the input's schema: it ${reason}.`;
    return [finding("bad_defaults", pointerTo("defaults", "input") + at, message)];
  });
}

const endlessSchema: Finding = finding(
  "bad_schema",
  pointerTo("input"),
  "This schema refers to itself without end, so that nothing can be checked against it.",
);

function problemOfDefault(error: ErrorObject): readonly Problem[] {
  if (error.instancePath !== "") return [error];
  const extra: unknown = error.params["additionalProperty"];
  return typeof extra === "string" ? [{ instancePath: pointerTo(extra), message: "is not among its properties" }] : [];
}

/** `input.x.y` where the schema names the properties and x, or y of x, is none of them. */
export function checkInputNames({ input }: Plan, uses: readonly Use[]): readonly Finding[] {
  return uses.flatMap(({ reference, pointer }) => {
    if (reference.root !== "input") return [];
    const path = unknownPath(input, reference.path.map(String));
    if (path === undefined) return [];
    const message = `"input.${path.join(".")}" is not in the input's schema, so nobody will be asked for it. Add it to properties, or correct the name.`;
    return [finding("outside_input_schema", pointer, message)];
  });
}

/** The path as far as the first name that neither the schema nor a default has. */
function unknownPath({ schema, defaults }: Plan["input"], path: readonly string[]): readonly string[] | undefined {
  let part: Json | undefined = schema ?? undefined;
  let value: Json | undefined = defaults;
  for (const [index, name] of path.entries()) {
    const properties: JsonObject | undefined = closedProperties(part);
    if (properties === undefined) return undefined;
    part = own(properties, name);
    value = isObject(value) ? own(value, name) : undefined;
    if (part === undefined && value === undefined) return path.slice(0, index + 1);
  }
  return undefined;
}

/** The properties of a schema that says all that it takes, as far as a reader can tell. */
function closedProperties(schema: Json | undefined): JsonObject | undefined {
  const properties = isObject(schema) ? own(schema, "properties") : undefined;
  if (!isObject(schema) || !isObject(properties)) return undefined;
  const opening = ["patternProperties", "allOf", "anyOf", "oneOf", "if", "$ref", "dependentSchemas"];
  if (opening.some((key) => Object.hasOwn(schema, key))) return undefined;
  const additional = own(schema, "additionalProperties");
  return additional === undefined || additional === false ? properties : undefined;
}
