// The JSON Schemas that a flow carries: the input's and the gates' forms. They must be schemas, the defaults must fit
// them, and what expressions read of the input should stand in them.

import { Ajv2020, type AnySchema, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import type { Use } from "../compile/compiler.ts";
import { finding, type Finding } from "../finding.ts";
import { canonicalText, isObject, own, type Json, type JsonObject } from "../json.ts";
import type { Plan } from "../plan.ts";
import { pointerTo, under, type Pointer } from "../pointer.ts";

// Foreign schemas use whatever keywords and formats they like; unknown ones are no mistake. Nothing is logged.
const ajv: Ajv2020 = new Ajv2020({
  strict: false,
  allErrors: true,
  validateFormats: false,
  logger: false,
  addUsedSchema: false,
});

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

export type CompiledSchema =
  | { readonly ok: true; readonly validate: ValidateFunction }
  | { readonly ok: false; readonly at: Pointer; readonly reason: string };

// Compiling a schema costs as much as all the rest of validating a small flow, and flows are validated again and again.
const compiledSchemas = new Map<string, CompiledSchema>();
const compiledMax = 500;

/** Equal schemas are compiled once. */
export function compileSchema(schema: Json): CompiledSchema {
  const key = canonicalText(schema);
  const known = compiledSchemas.get(key) ?? compileAnew(schema);
  if (compiledSchemas.size >= compiledMax) compiledSchemas.clear();
  compiledSchemas.set(key, known);
  return known;
}

function compileAnew(schema: Json): CompiledSchema {
  try {
    const plain = structuredClone(schema) as AnySchema;
    if (ajv.validateSchema(plain) !== true) return { ok: false, ...firstProblem(ajv.errors ?? []) };
    const validate = ajv.compile(plain);
    // Ajv would keep every schema it has ever seen.
    if (isObject(schema)) ajv.removeSchema(plain);
    return { ok: true, validate };
  } catch (error) {
    // A reference that leads nowhere, a pattern that is none: Ajv says so by throwing.
    return { ok: false, at: "", reason: error instanceof Error ? error.message : String(error) };
  }
}

function firstProblem(errors: readonly ErrorObject[]): { readonly at: Pointer; readonly reason: string } {
  // Deepest first; then by place, since Ajv goes by the order in which keys were written.
  const [deepest] = errors.toSorted(
    (one, other) =>
      other.instancePath.length - one.instancePath.length || (one.instancePath < other.instancePath ? -1 : 1),
  );
  return { at: deepest?.instancePath ?? "", reason: deepest?.message ?? "it is not valid" };
}

/** Each default must fit its own property; what is required may still come with the input. */
function checkDefaults({ input }: Plan): readonly Finding[] {
  const properties = isObject(input.schema) ? own(input.schema, "properties") : undefined;
  if (!isObject(properties)) return [];
  return Object.entries(input.defaults).flatMap(([key, value]) => {
    const compiled = compileSchema(withDefinitions(input.schema, own(properties, key) ?? true));
    if (!compiled.ok || compiled.validate(value)) return [];
    const { at, reason } = firstProblem(compiled.validate.errors ?? []);
    const message = `The default of "${key}" does not fit the input's schema: it ${reason}.`;
    return [finding("bad_defaults", pointerTo("defaults", "input", key) + at, message)];
  });
}

function withDefinitions(root: Json, schema: Json): Json {
  const definitions = isObject(root) ? own(root, "$defs") : undefined;
  return isObject(schema) && definitions !== undefined ? { ...schema, $defs: definitions } : schema;
}

/** `input.x` where the schema names the properties and x is none of them. */
export function checkInputNames(plan: Plan, uses: readonly Use[]): readonly Finding[] {
  const { schema, defaults } = plan.input;
  if (!isObject(schema) || !isClosed(schema)) return [];
  const properties = own(schema, "properties");
  const known = new Set([...Object.keys(isObject(properties) ? properties : {}), ...Object.keys(defaults)]);
  return uses.flatMap(({ reference, pointer }) => {
    const [name] = reference.path;
    if (reference.root !== "input" || name === undefined || known.has(String(name))) return [];
    const message = `"input.${name}" is not in the input's schema, so nobody will be asked for it. Add it to properties, or correct the name.`;
    return [finding("outside_input_schema", pointer, message)];
  });
}

/** Says all that it takes, as far as a reader can tell. */
function isClosed(schema: JsonObject): boolean {
  if (!isObject(own(schema, "properties"))) return false;
  const opening = ["patternProperties", "allOf", "anyOf", "oneOf", "if", "$ref", "dependentSchemas"];
  if (opening.some((key) => Object.hasOwn(schema, key))) return false;
  const additional = own(schema, "additionalProperties");
  return additional === undefined || additional === false;
}
