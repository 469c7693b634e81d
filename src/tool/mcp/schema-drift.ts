// Two JSON Schemas of one thing, before and now: what of it has become narrower or wider. Pure.

import { canonicalText, isArray, isObject, own, type Json, type JsonObject } from "../../flow/json.ts";
import type { ToolChange } from "./contract.ts";
import { showLine, showValue } from "./diff-text.ts";

export type Note = {
  readonly kind: Exclude<ToolChange["kind"], "server" | "gone">;
  readonly lines: readonly string[];
};

/** `input`: a flow sends it, and is hurt when less is taken; `output`: it gets it, and is hurt when more may come. */
type Direction = "input" | "output";

type Place = { readonly path: string; readonly direction: Direction; readonly depth: number };

/** Deeper than the schemas of real tools; below it only that something differs is told. */
const depthMax = 32;

export function compareSchemas(agreed: JsonObject, found: JsonObject, direction: Direction): readonly Note[] {
  return compare(agreed, found, { path: "", direction, depth: 0 });
}

function compare(agreed: Json, found: Json, place: Place): readonly Note[] {
  if (isSame(agreed, found)) return [];
  if (!isObject(agreed) || !isObject(found) || place.depth > depthMax)
    return [unclear(place, "as a whole", agreed, found)];
  return [
    ...compareProperties(agreed, found, place),
    ...compareItems(agreed, found, place),
    ...compareTypes(agreed, found, place),
    ...compareValues(agreed, found, place),
    ...compareOpenness(agreed, found, place),
    ...boundKeys.flatMap(([key, sign]) => compareBound({ key, sign }, [agreed, found], place)),
    ...["pattern", "format"].flatMap((key) => compareRule(key, [agreed, found], place)),
    ...compareWords(agreed, found, place),
    ...compareRest(agreed, found, place),
  ];
}

function compareProperties(agreed: JsonObject, found: JsonObject, place: Place): readonly Note[] {
  const [before, now] = [mapIn(agreed, "properties"), mapIn(found, "properties")];
  const [wasRequired, isRequired] = [namesIn(agreed, "required"), namesIn(found, "required")];
  const names = new Set([...Object.keys(before), ...Object.keys(now), ...wasRequired, ...isRequired]);
  return [...names].flatMap((name): readonly Note[] => {
    const [one, other] = [own(before, name), own(now, name)];
    const inner = { ...place, path: place.path === "" ? name : `${place.path}.${name}`, depth: place.depth + 1 };
    if (other === undefined && one !== undefined) return [gone(inner)];
    if (one === undefined && other !== undefined) return [come(inner, other, isRequired.has(name))];
    const notes = one === undefined || other === undefined ? [] : compare(one, other, inner);
    return [...compareNeed(inner, wasRequired.has(name), isRequired.has(name)), ...notes];
  });
}

function gone(place: Place): Note {
  const what = place.direction === "input" ? "argument" : "field of the result";
  return { kind: "narrowing", lines: [`- ${show(place)}: the ${what} has gone`] };
}

function come(place: Place, schema: Json, isNeeded: boolean): Note {
  const type = isObject(schema) ? own(schema, "type") : undefined;
  const shape = type === undefined ? "anything" : typeof type === "string" ? showLine(type) : showValue(type);
  if (place.direction === "output")
    return { kind: "additive", lines: [`+ ${show(place)}: a new field of the result, ${shape}`] };
  return isNeeded
    ? { kind: "new_required", lines: [`+ ${show(place)}: a new argument that must be given, ${shape}`] }
    : { kind: "additive", lines: [`+ ${show(place)}: a new argument that may be given, ${shape}`] };
}

function compareNeed(place: Place, was: boolean, is: boolean): readonly Note[] {
  if (was === is) return [];
  if (place.direction === "output")
    return is
      ? [{ kind: "additive", lines: [`${show(place)}: is always there now`] }]
      : [{ kind: "narrowing", lines: [`${show(place)}: may be missing now`] }];
  return is
    ? [{ kind: "new_required", lines: [`${show(place)}: must be given now`] }]
    : [{ kind: "additive", lines: [`${show(place)}: may be left out now`] }];
}

function compareItems(agreed: JsonObject, found: JsonObject, place: Place): readonly Note[] {
  const [before, now] = [own(agreed, "items"), own(found, "items")];
  if (before === undefined || now === undefined) return compareRule("items", [agreed, found], place);
  return compare(before, now, { ...place, path: `${place.path}[]`, depth: place.depth + 1 });
}

const allTypes = ["object", "array", "string", "number", "integer", "boolean", "null"];

function compareTypes(agreed: JsonObject, found: JsonObject, place: Place): readonly Note[] {
  const [before, now] = [own(agreed, "type"), own(found, "type")];
  if (isSame(before, now)) return [];
  return [compareSets(typesOf(before), typesOf(now), place, `type: ${showValue(before)} → ${showValue(now)}`)];
}

/** Every whole number is a number. */
function typesOf(given: Json | undefined): ReadonlySet<string> {
  if (given === undefined) return new Set(allTypes);
  const types = (isArray(given) ? given : [given]).filter((one) => typeof one === "string");
  return new Set(types.includes("number") ? [...types, "integer"] : types);
}

function compareValues(agreed: JsonObject, found: JsonObject, place: Place): readonly Note[] {
  const [before, now] = [valuesOf(agreed), valuesOf(found)];
  if (before === null && now === null) return [];
  if (before === null || now === null)
    return compareFreedom(place, now === null, `values: ${showSet(before)} → ${showSet(now)}`);
  const less = [...before].filter((value) => !now.has(value));
  const more = [...now].filter((value) => !before.has(value));
  if (less.length + more.length === 0) return [];
  const told = [...less.map((value) => `- ${value}`), ...more.map((value) => `+ ${value}`)].map(showLine).join(", ");
  return [compareSets(before, now, place, `values: ${told}`)];
}

/** null: any. */
function valuesOf(schema: JsonObject): ReadonlySet<string> | null {
  const [list, one] = [own(schema, "enum"), own(schema, "const")];
  if (one !== undefined) return new Set([canonicalText(one)]);
  return list !== undefined && isArray(list) ? new Set(list.map(canonicalText)) : null;
}

function showSet(values: ReadonlySet<string> | null): string {
  return values === null ? "any" : showLine([...values].join(", "));
}

function compareSets(before: ReadonlySet<string>, now: ReadonlySet<string>, place: Place, told: string): Note {
  const [small, large] = place.direction === "input" ? [before, now] : [now, before];
  const isWithin = [...small].every((value) => large.has(value));
  return { kind: isWithin ? "additive" : "narrowing", lines: [`${show(place)}: ${told}`] };
}

/** A rule has gone, or one has come. */
function compareFreedom(place: Place, isFree: boolean, told: string): readonly Note[] {
  const isGood = isFree === (place.direction === "input");
  return [{ kind: isGood ? "additive" : "narrowing", lines: [`${show(place)}: ${told}`] }];
}

function compareOpenness(agreed: JsonObject, found: JsonObject, place: Place): readonly Note[] {
  const [before, now] = [own(agreed, "additionalProperties") ?? true, own(found, "additionalProperties") ?? true];
  if (isSame(before, now)) return [];
  if (typeof before === "boolean" && typeof now === "boolean")
    return compareFreedom(
      place,
      now,
      `other names: ${before ? "allowed" : "refused"} → ${now ? "allowed" : "refused"}`,
    );
  if (isObject(before) && isObject(now))
    return compare(before, now, { ...place, path: `${place.path}.*`, depth: place.depth + 1 });
  return [unclear(place, "additionalProperties", before, now)];
}

/** `1`: the smaller it is, the more is allowed. */
const boundKeys: readonly (readonly [key: string, sign: 1 | -1])[] = [
  ["minimum", 1],
  ["exclusiveMinimum", 1],
  ["minLength", 1],
  ["minItems", 1],
  ["minProperties", 1],
  ["maximum", -1],
  ["exclusiveMaximum", -1],
  ["maxLength", -1],
  ["maxItems", -1],
  ["maxProperties", -1],
];

type Pair = readonly [agreed: JsonObject, found: JsonObject];

function compareBound(
  bound: { readonly key: string; readonly sign: 1 | -1 },
  pair: Pair,
  place: Place,
): readonly Note[] {
  const { key, sign } = bound;
  const [before, now] = pair.map((schema) => own(schema, key));
  if (isSame(before, now)) return [];
  const told = `${key}: ${showValue(before)} → ${showValue(now)}`;
  if (before !== undefined && now !== undefined && (typeof before !== "number" || typeof now !== "number"))
    return [unclear(place, key, before, now)];
  const isWider = now === undefined || (before !== undefined && sign * (Number(now) - Number(before)) < 0);
  return compareFreedom(place, isWider, told);
}

/** One that is there or not; if both are, nobody can say which allows more. */
function compareRule(key: string, pair: Pair, place: Place): readonly Note[] {
  const [before, now] = pair.map((schema) => own(schema, key));
  if (isSame(before, now)) return [];
  if (before !== undefined && now !== undefined) return [unclear(place, key, before, now)];
  return compareFreedom(place, now === undefined, `${key}: ${showValue(before)} → ${showValue(now)}`);
}

/** For people only. */
const wordKeys: ReadonlySet<string> = new Set([
  "title",
  "description",
  "examples",
  "$comment",
  "deprecated",
  "$schema",
]);

function compareWords(agreed: JsonObject, found: JsonObject, place: Place): readonly Note[] {
  return [...wordKeys].flatMap((key): readonly Note[] => {
    const [before, now] = [own(agreed, key), own(found, key)];
    if (isSame(before, now)) return [];
    return [
      { kind: "description", lines: [`${show(place)}, ${key}:`, `- ${showValue(before)}`, `+ ${showValue(now)}`] },
    ];
  });
}

const compared: ReadonlySet<string> = new Set([
  "properties",
  "required",
  "items",
  "type",
  "enum",
  "const",
  "additionalProperties",
  "pattern",
  "format",
  ...boundKeys.map(([key]) => key),
  ...wordKeys,
]);

/** References, alternatives, defaults, and words that nobody here knows. */
function compareRest(agreed: JsonObject, found: JsonObject, place: Place): readonly Note[] {
  const keys = new Set([...Object.keys(agreed), ...Object.keys(found)]);
  return [...keys]
    .filter((key) => !compared.has(key) && !isSame(own(agreed, key), own(found, key)))
    .map((key) => unclear(place, key, own(agreed, key), own(found, key)));
}

function unclear(place: Place, what: string, before: Json | undefined, now: Json | undefined): Note {
  const lines = [`${show(place)}, ${showLine(what)}:`, `- ${showValue(before)}`, `+ ${showValue(now)}`];
  return { kind: "narrowing", lines };
}

function show({ path, direction }: Place): string {
  const whole = direction === "input" ? "arguments" : "result";
  return path === "" ? whole : direction === "input" ? showLine(path) : `${whole}.${showLine(path)}`;
}

function mapIn(schema: JsonObject, key: string): JsonObject {
  const found = own(schema, key);
  return isObject(found) ? found : {};
}

function namesIn(schema: JsonObject, key: string): ReadonlySet<string> {
  const found = own(schema, key);
  return new Set(found !== undefined && isArray(found) ? found.filter((name) => typeof name === "string") : []);
}

function isSame(one: Json | undefined, other: Json | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one === other || canonicalText(one) === canonicalText(other);
}
