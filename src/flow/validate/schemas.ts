// The JSON Schemas that a flow carries: the input's and the gates' forms. They must be schemas, the defaults must fit
// them, and what expressions read of the input should stand in them.

import type { ErrorObject } from "ajv/dist/2020.js";
import type { Use } from "../compile/compiler.ts";
import { finding, hasErrors, type Finding } from "../finding.ts";
import {
  createSchemaChecker,
  firstProblem,
  type CompiledSchema,
  type Problem,
  type SchemaChecker,
} from "../json-schema/checker.ts";
import { listWrongMarks } from "../json-schema/header-marks.ts";
import { takesObjects } from "../json-schema/takes-objects.ts";
import { outsideUnions } from "../json-schema/unions.ts";
import { isObject, objectFrom, own, type Json, type JsonObject } from "../json.ts";
import { problemsLimit } from "../source/limits.ts";
import type { Plan } from "../plan.ts";
import { pointerTo, under, type Pointer } from "../pointer.ts";

/** It never runs a pattern, since that takes an engine of its own: every text fits. */
const checker: SchemaChecker = createSchemaChecker({ findPattern: refuseNone, formats: {} });

function refuseNone(pattern: string): null {
  // Still refuses what is no pattern.
  RegExp(pattern, "u");
  return null;
}

export function checkSchemas(plan: Plan): readonly Finding[] {
  const { schema } = plan.input;
  const input = schema === null ? [] : checkInputSchema(schema);
  const forms = Object.values(plan.steps).flatMap((step) =>
    step.kind === "gate" && step.form !== null ? checkSchema(step.form, under(step.pointer, "gate", "form")) : [],
  );
  return [...input, ...(hasErrors(input) ? [] : checkDefaults(plan)), ...forms];
}

/** One that no object fits would refuse every start, through every door. */
function checkInputSchema(schema: Json): readonly Finding[] {
  const findings = checkSchema(schema, pointerTo("input"));
  if (findings.length > 0) return findings;
  if (takesObjects(schema)) return isObject(schema) ? checkHeaderMarks(schema) : [];
  const cure = "Make what is wanted a property of one: { type: object, properties: { … } }.";
  return [
    finding(
      "bad_schema",
      pointerTo("input"),
      `The input of a run is an object, and no object fits this schema. ${cure}`,
    ),
  ];
}

/** What is wrong marks nothing, so that the workflow can be called all the same. */
function checkHeaderMarks(schema: JsonObject): readonly Finding[] {
  return listWrongMarks(schema)
    .slice(0, problemsLimit)
    .map(({ at, reason }) => {
      const pointer = pointerTo("input") + at;
      const message = `This x-mcp-header ${reason}. MCP clients are not shown it; correct it, or take it out.`;
      return finding("bad_header_mark", pointer, message, [{ op: "remove", path: pointer }]);
    });
}

function checkSchema(schema: Json, pointer: Pointer): readonly Finding[] {
  const compiled = checker.compile(schema);
  if (compiled.ok) return [];
  return [finding("bad_schema", pointer + compiled.at, `This is no JSON Schema (2020-12): ${compiled.reason}.`)];
}

/** What is wrong with the value; undefined when the schema is none, or leads in a circle: then nothing can be said. */
export function problemsOf(schema: Json, value: Json): readonly ErrorObject[] | undefined {
  const compiled = compileAny(schema);
  const checked = compiled?.ok === true ? compiled.check(value) : undefined;
  return checked?.kind === "checked" ? checked.errors : undefined;
}

/** undefined: the schema is too deep to be read at all. */
function compileAny(schema: Json): CompiledSchema | undefined {
  try {
    return checker.compile(schema);
  } catch {
    return undefined;
  }
}

function isWithin({ instancePath }: Problem, place: Pointer): boolean {
  return instancePath === place || instancePath.startsWith(`${place}/`);
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
