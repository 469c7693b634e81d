// Holds values against JSON Schemas that others wrote. A schema is compiled once; applying it costs fuel by what it does,
// so that references that double, patterns and long lists end in an answer, never in a hang.

import {
  _,
  Ajv2020,
  Name,
  type AnySchema,
  type ErrorObject,
  type Format,
  type ValidateFunction,
} from "ajv/dist/2020.js";
import { hashOf } from "../hash.ts";
import { canonicalText, isArray, isObject, type Json } from "../json.ts";
import type { Pointer } from "../pointer.ts";
import { isPlainSchema } from "./plain.ts";
import { costKeyword, prepareSchema, reasonOf } from "./prepare.ts";
import { outsideUnions } from "./unions.ts";

export type CheckerOptions = {
  /** A safe way to run a pattern; null: there is none, and every text fits. Throws when it is no pattern. */
  readonly findPattern: (pattern: string) => RunnablePattern | null;
  readonly formats: Readonly<Record<string, Format>>;
};

export type RunnablePattern = {
  readonly test: (text: string) => boolean;
  /** What it takes to hold this text against it, in the fuel of a check. */
  readonly costOf: (text: string) => number;
};

export interface SchemaChecker {
  /** Equal schemas are compiled once. */
  compile(schema: Json): CompiledSchema;
}

export type CompiledSchema =
  | { readonly ok: true; readonly check: (value: Json) => Checked }
  | { readonly ok: false; readonly at: Pointer; readonly reason: string };

type Checked =
  | { readonly kind: "checked"; readonly errors: readonly ErrorObject[] }
  /** The schema leads in a circle, or asks for more than the value is worth. */
  | { readonly kind: "gave_up" };

const compiledMax = 500;

/** Everything may cost this much, and more by the size of the value. Measured: 5 to 50 ns a unit, so a small value takes
 *  25 ms at worst, the largest a second. */
const fuelLeast = 500_000;
const fuelPerSize = 256;
const fuelMost = 20_000_000;

// Foreign schemas use whatever keywords and formats they like; unknown ones are no mistake. Nothing is logged. A reference
// that were written out in place would make a small schema a huge one.
const options = {
  strict: false,
  allErrors: true,
  logger: false,
  addUsedSchema: false,
  inlineRefs: false,
  ownProperties: true,
} as const;

let judge: Ajv2020 | undefined;

/** Says what is a schema; made for the first that is not plainly one. */
function findJudge(): Ajv2020 {
  judge ??= new Ajv2020({ ...options, validateFormats: false, code: { optimize: false } });
  return judge;
}

export function createSchemaChecker({ findPattern, formats }: CheckerOptions): SchemaChecker {
  const byHash = new Map<string, CompiledSchema>();
  const byIdentity = new WeakMap<object, CompiledSchema>();
  const patterns = new Map<string, RunnablePattern>();
  const tank: Tank = { fuel: 0 };
  const canRun = (pattern: string): boolean => {
    const runnable = findPattern(pattern);
    if (runnable !== null) patterns.set(pattern, runnable);
    return runnable !== null;
  };
  // A compiler holds on to parts of everything that it has ever compiled, so it goes when they do.
  let compiler = createCompiler(tank, patterns, formats);
  const compileOnce = (schema: Json): CompiledSchema => {
    const hash = hashOf(schema);
    const known = byHash.get(hash);
    if (known !== undefined) return known;
    if (byHash.size >= compiledMax) {
      byHash.clear();
      patterns.clear();
      compiler = createCompiler(tank, patterns, formats);
    }
    const compiled = compileSchema(schema, { compiler, canRun, tank });
    byHash.set(hash, compiled);
    return compiled;
  };
  return {
    compile: (schema) => {
      if (!isObject(schema)) return compileOnce(schema);
      const compiled = byIdentity.get(schema) ?? compileOnce(schema);
      // Its owner can no longer change it, so it need not be read again to be known.
      if (Object.isFrozen(schema)) byIdentity.set(schema, compiled);
      return compiled;
    },
  };
}

/** What the check under way may still cost. Checks do not wait for anything, so there is one at a time. */
type Tank = { fuel: number };

class GaveUp extends Error {}

function spend(tank: Tank, cost: number): void {
  tank.fuel -= cost;
  if (tank.fuel < 0) throw new GaveUp();
}

/** Errors of alternatives are kept until one of them fits, and there may be thousands of alternatives. */
const errorsMax = 10_000;
/** As the compiler names it. */
const errorsSoFar = new Name("errors");

function createCompiler(
  tank: Tank,
  patterns: ReadonlyMap<string, RunnablePattern>,
  formats: CheckerOptions["formats"],
): Ajv2020 {
  const run = (pattern: string): { readonly test: (text: string) => boolean; readonly toString: () => string } => {
    const runnable = patterns.get(pattern);
    return {
      test: (text) => {
        if (runnable === undefined) return true;
        spend(tank, runnable.costOf(text));
        return runnable.test(text);
      },
      // By this Ajv tells one from another.
      toString: () => pattern,
    };
  };
  const compiler = new Ajv2020({
    ...options,
    meta: false,
    validateSchema: false,
    formats,
    // To make the code a little faster it would be gone through again and again.
    code: { regExp: Object.assign(run, { code: "run" }), optimize: false },
  });
  const charge = (cost: number, value: Json, errors: number): void => {
    if (errors > errorsMax) throw new GaveUp();
    spend(tank, cost + breadthOf(value));
  };
  compiler.addKeyword({
    keyword: costKeyword,
    schemaType: "number",
    code: ({ gen, schema, data }) => {
      const call = gen.scopeValue("func", { ref: charge, code: _`charge` });
      gen.code(_`${call}(${schema}, ${data}, ${errorsSoFar})`);
    },
  });
  // Ajv compares every item with every other one.
  compiler.removeKeyword("uniqueItems");
  compiler.addKeyword({
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    validate: (isAsked: boolean, items: readonly Json[]) => !isAsked || areUnique(items, tank),
    error: { message: "must NOT have duplicate items" },
  });
  return compiler;
}

/** What a keyword may have to go through at once. */
function breadthOf(value: Json): number {
  if (typeof value === "string" || isArray(value)) return value.length >> 3;
  return isObject(value) ? Object.keys(value).length >> 3 : 0;
}

function areUnique(items: readonly Json[], tank: Tank): boolean {
  const seen = new Set<string>();
  for (const item of items) {
    const text = canonicalText(item);
    spend(tank, 4 + text.length);
    seen.add(text);
  }
  return seen.size === items.length;
}

type Compiling = {
  readonly compiler: Ajv2020;
  readonly canRun: (pattern: string) => boolean;
  readonly tank: Tank;
};

function compileSchema(schema: Json, { compiler, canRun, tank }: Compiling): CompiledSchema {
  try {
    const prepared = prepareSchema(schema, canRun);
    if (!prepared.ok) return prepared;
    // The copy that was prepared is read by nobody else.
    const plain = prepared.schema as AnySchema;
    if (!isPlainSchema(prepared.schema) && findJudge().validateSchema(plain) !== true)
      return { ok: false, ...firstProblem(findJudge().errors ?? []) };
    const validate = compiler.compile(plain);
    // Ajv would keep every schema it has ever seen.
    if (isObject(schema)) compiler.removeSchema(plain);
    return { ok: true, check: (value) => check(value, { validate, tank, isLoose: prepared.isLoose }) };
  } catch (error) {
    // A reference that leads nowhere, a pattern that is none: Ajv says so by throwing.
    return { ok: false, at: "", reason: reasonOf(error) };
  }
}

type Checking = { readonly validate: ValidateFunction; readonly tank: Tank; readonly isLoose: boolean };

function check(value: Json, { validate, tank, isLoose }: Checking): Checked {
  tank.fuel = Math.min(fuelLeast + fuelPerSize * sizeOf(value), fuelMost);
  try {
    const fits: unknown = validate(value);
    if (fits === true) return { kind: "checked", errors: [] };
    const errors = validate.errors ?? [];
    // Neither a yes nor a no.
    if (errors.length === 0) return { kind: "gave_up" };
    // A pattern that was not run may have chosen the wrong branch.
    return { kind: "checked", errors: isLoose ? outsideUnions(errors, () => true) : errors };
  } catch {
    // Out of fuel, or out of stack: a reference to itself.
    return { kind: "gave_up" };
  } finally {
    validate.errors = null;
  }
}

/** Values and characters, more or less the length of its text. */
export function sizeOf(value: Json): number {
  if (typeof value === "string") return value.length + 1;
  if (isArray(value)) return value.reduce<number>((size, item) => size + sizeOf(item), 1);
  if (!isObject(value)) return 1;
  let size = 1;
  for (const key of Object.keys(value)) size += key.length + sizeOf(value[key] ?? null);
  return size;
}

export type Problem = Pick<ErrorObject, "instancePath" | "message">;

export function firstProblem(errors: readonly Problem[]): { readonly at: Pointer; readonly reason: string } {
  // Deepest first; then by place, since Ajv goes by the order in which keys were written.
  const [deepest] = errors.toSorted(
    (one, other) =>
      other.instancePath.length - one.instancePath.length || (one.instancePath < other.instancePath ? -1 : 1),
  );
  return { at: deepest?.instancePath ?? "", reason: deepest?.message ?? "it is not valid" };
}
