// A JSON Schema of somebody else, before anything is compiled from it: its size is limited, its references stay inside it,
// patterns that nobody can run safely are taken out, and every part is marked with what it costs to apply it.

import { isArray, isObject, own, type Json } from "../json.ts";
import { partsOf, under, type Pointer } from "../pointer.ts";
import { shapeOf, subschemasOf } from "./subschemas.ts";

/** Of the schema as text. */
const charactersMax = 262_144;
/** Of schemas inside schemas. */
const depthMax = 64;
const subschemasMax = 5000;
/** Each target becomes a function of its own, and the compiler takes its time for many. */
const referencesMax = 1000;
const patternsMax = 100;
const patternLengthMax = 1000;
/** There are seven types; the compiler compares each entry with each other one. */
const typesMax = 16;

/** Says what applying a part of the schema costs; nobody else's schema can use it. */
export const costKeyword = "x-stepwell-cost";

/** Whether a pattern can be run; throws when it is none. */
export type PatternTest = (pattern: string) => boolean;

export type PreparedSchema =
  /** `isLoose`: patterns were taken out, so alternatives that rest on them cannot be told apart. */
  | { readonly ok: true; readonly schema: Json; readonly isLoose: boolean }
  | { readonly ok: false; readonly at: Pointer; readonly reason: string };

type Mutable = { [key: string]: Json };

type Preparing = {
  readonly root: Mutable;
  readonly canRun: PatternTest;
  readonly seen: Set<Mutable>;
  readonly waiting: { readonly schema: Json; readonly at: Pointer; readonly depth: number }[];
  readonly targets: Set<string>;
  /** Whether they are run. */
  readonly patterns: Map<string, boolean>;
  subschemas: number;
  isLoose: boolean;
};

class Unfit extends Error {
  readonly at: Pointer;

  constructor(at: Pointer, reason: string) {
    super(reason);
    this.at = at;
  }
}

export function prepareSchema(schema: Json, canRun: PatternTest): PreparedSchema {
  if (typeof schema === "boolean") return { ok: true, schema, isLoose: false };
  try {
    if (!isObject(schema)) throw new Unfit("", "it must be an object or a boolean");
    const text = JSON.stringify(schema);
    if (text.length > charactersMax) throw new Unfit("", `it is longer than ${charactersMax} characters`);
    const root: Mutable = JSON.parse(text);
    // Most schemas of older drafts are good ones of this one too; they would be refused for their name alone.
    if (typeof root["$schema"] === "string") delete root["$schema"];
    return walk(root, canRun);
  } catch (error) {
    // Too deep for a stack, a circle, a pattern that is none.
    return { ok: false, at: error instanceof Unfit ? error.at : "", reason: reasonOf(error) };
  }
}

/** What went wrong, without the words of an engine that ran out of stack. */
export function reasonOf(error: unknown): string {
  if (error instanceof RangeError) return "it is too complicated";
  return error instanceof Error ? error.message : String(error);
}

function walk(root: Mutable, canRun: PatternTest): PreparedSchema {
  const preparing: Preparing = {
    root,
    canRun,
    seen: new Set(),
    waiting: [{ schema: root, at: "", depth: 1 }],
    targets: new Set(),
    patterns: new Map(),
    subschemas: 0,
    isLoose: false,
  };
  for (let next = preparing.waiting.pop(); next !== undefined; next = preparing.waiting.pop()) {
    const { schema, at, depth } = next;
    if (!isMutable(schema) || preparing.seen.has(schema)) continue;
    preparing.seen.add(schema);
    if (depth > depthMax) throw new Unfit(at, `it is nested more than ${depthMax} deep`);
    visit(preparing, schema, at, depth);
  }
  checkNames(preparing);
  for (const schema of preparing.seen) schema[costKeyword] = costOf(schema);
  // Of a whole that has no name the compiler finds only the parts.
  if (preparing.targets.has("#")) root["$id"] = "stepwell:whole";
  // Whoever knows only some of the patterns cannot say which properties are left over.
  if (preparing.isLoose) for (const schema of preparing.seen) delete schema["unevaluatedProperties"];
  return { ok: true, schema: root, isLoose: preparing.isLoose };
}

/** The schema is a copy of our own. */
function isMutable(schema: Json): schema is Mutable {
  return isObject(schema);
}

/** A name that stands where no schema does would lead to a part that was never looked at. */
function checkNames({ targets, seen }: Preparing): void {
  const names = new Set([...seen].map((schema) => own(schema, "$anchor")));
  for (const target of targets) {
    if (!isPlace(target) && !names.has(target.slice(1))) throw new Unfit("", `"${target}" in it leads nowhere`);
  }
}

/** `#` or `#/…`; all else is a name. */
function isPlace(reference: string): boolean {
  return reference === "#" || reference.startsWith("#/");
}

/** Entries that become code of their own although they are no schemas. */
const namesByName = new Set(["dependentRequired", "dependencies"]);

function visit(preparing: Preparing, schema: Mutable, at: Pointer, depth: number): void {
  count(preparing, at);
  readReference(preparing, schema, at, depth);
  dropPatterns(preparing, schema, at);
  withTuples(schema);
  const { type } = schema;
  if (isArray(type) && type.length > typesMax) throw new Unfit(under(at, "type"), "it lists more types than there are");
  for (const [keyword, value] of Object.entries(schema))
    if (namesByName.has(keyword) && isObject(value)) count(preparing, under(at, keyword), Object.keys(value).length);
  for (const { keyword, key, schema: part } of subschemasOf(schema))
    preparing.waiting.push({
      schema: part,
      at: key === null ? under(at, keyword) : under(at, keyword, key),
      depth: depth + 1,
    });
}

function count(preparing: Preparing, at: Pointer, parts = 1): void {
  preparing.subschemas += parts;
  if (preparing.subschemas > subschemasMax) throw new Unfit(at, `it has more than ${subschemasMax} parts`);
}

/** A schema is one document: names that it gives itself are not read, and nothing outside it is ever looked for. */
function readReference(preparing: Preparing, schema: Mutable, at: Pointer, depth: number): void {
  delete schema["$id"];
  // Such a schema answers with a promise, which looks like a yes.
  delete schema["$async"];
  for (const keyword of ["$dynamicRef", "$recursiveRef"]) {
    if (Object.hasOwn(schema, keyword)) throw new Unfit(under(at, keyword), `${keyword} is not supported`);
  }
  const reference = own(schema, "$ref");
  if (typeof reference !== "string") return;
  const place = under(at, "$ref");
  if (!reference.startsWith("#")) {
    throw new Unfit(place, `it refers to "${reference.slice(0, 80)}"; only what is inside it (#…) is followed`);
  }
  preparing.targets.add(reference);
  if (preparing.targets.size > referencesMax) throw new Unfit(place, `it has more than ${referencesMax} references`);
  // What the reference leads to need not stand where schemas usually do.
  const target = isPlace(reference) ? findTarget(preparing.root, reference) : undefined;
  if (target !== undefined) preparing.waiting.push({ schema: target, at: reference.slice(1), depth: depth + 1 });
}

/** undefined: nothing is there, and the compiler will say so. */
function findTarget(root: Mutable, reference: string): Json | undefined {
  let target: Json | undefined = root;
  for (const part of partsOf(decodeURIComponent(reference.slice(1)))) {
    if (isArray(target)) target = target[Number(part)];
    else target = isObject(target) ? own(target, part) : undefined;
  }
  return target;
}

function dropPatterns(preparing: Preparing, schema: Mutable, at: Pointer): void {
  const { pattern, patternProperties } = schema;
  if (typeof pattern === "string" && !isRun(preparing, pattern, under(at, "pattern"))) {
    delete schema["pattern"];
    preparing.isLoose = true;
  }
  if (!isObject(patternProperties)) return;
  const names = Object.keys(patternProperties);
  if (names.every((name) => isRun(preparing, name, under(at, "patternProperties")))) return;
  // Any other property may be one of these.
  delete schema["patternProperties"];
  delete schema["additionalProperties"];
  preparing.isLoose = true;
}

function isRun({ patterns, canRun }: Preparing, pattern: string, at: Pointer): boolean {
  const known = patterns.get(pattern);
  if (known !== undefined) return known;
  if (patterns.size >= patternsMax) throw new Unfit(at, `it has more than ${patternsMax} patterns`);
  const runs = pattern.length <= patternLengthMax && canRun(pattern);
  patterns.set(pattern, runs);
  return runs;
}

/** Older drafts list the schemas of the first items under `items`. */
function withTuples(schema: Mutable): void {
  const { items } = schema;
  if (!isArray(items) || Object.hasOwn(schema, "prefixItems")) return;
  if (items.length > 0) schema["prefixItems"] = items;
  delete schema["items"];
  const rest = own(schema, "additionalItems");
  if (rest !== undefined) schema["items"] = rest;
}

const annotations = new Set("title description default examples $comment $defs definitions".split(" "));
/** So much for each entry: none of them makes more than one error of this cost. */
const entryCost = 4;

/** Of applying this part alone: its own words, not those of the parts inside it, which cost for themselves. */
function costOf(schema: Mutable): number {
  let entries = 1;
  for (const [key, value] of Object.entries(schema)) {
    if (annotations.has(key)) continue;
    const shape = shapeOf(key);
    if (shape === undefined) entries += Math.ceil(JSON.stringify(value).length / 16);
    else entries += shape === "single" ? 1 : sizeOf(value);
  }
  return entries * entryCost;
}

function sizeOf(value: Json): number {
  if (isArray(value)) return value.length;
  return isObject(value) ? Object.keys(value).length : 1;
}
