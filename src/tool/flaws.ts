// What is wrong with a value that does not fit a schema, in words for whoever wrote the step. Lists and objects are never
// shown, texts only by their beginning, and secrets not at all.

import type { ErrorObject } from "ajv/dist/2020.js";
import { outermostUnions, outsideUnions } from "../flow/json-schema/unions.ts";
import { isArray, isObject, own, type Json } from "../flow/json.ts";
import { partsOf, pointerTo, under, type Pointer } from "../flow/pointer.ts";
import { nearest } from "../flow/suggest.ts";
import type { StandardIssue } from "./standard-schema.ts";

export type Subject = {
  readonly value: Json;
  /** Whether the value at this place may be shown. */
  readonly canShow: (place: Pointer) => boolean;
  /** Known at the top, and not given. */
  readonly missing?: readonly string[];
};

const flawsMax = 5;
const flawLengthMax = 300;
const shownLengthMax = 40;
/** Names of places may repeat a secret: they are told whole or not at all. */
const placeLengthMax = 150;
const wholeLengthMax: number = flawLengthMax - placeLengthMax - 2;

/** `score: expected number, got text "x"; title: is missing` */
export function describeErrors(errors: readonly ErrorObject[], subject: Subject): string {
  const told = [...outsideUnions(errors, () => true), ...outermostUnions(errors)];
  return joined(told.map((error) => wordsFor(error, errors, subject)));
}

/** In the words of the library that found them, except of a place that must not be shown. */
export function describeIssues(
  issues: readonly StandardIssue[],
  {
    canShow,
    isSecret = false,
  }: Pick<Subject, "canShow"> & {
    /** Words may repeat a secret of another place: then they are told whole or not at all. */ readonly isSecret?: boolean;
  },
): string {
  return joined(
    issues.map(({ message, path = [] }) => {
      const place = pointerTo(...path.map((part) => String(typeof part === "object" ? part.key : part)));
      return at(place, canShow(place) && !(isSecret && message.length > wholeLengthMax) ? message : "does not fit");
    }),
  );
}

function joined(flaws: readonly string[]): string {
  const different = [...new Set(flaws)];
  const told = different.slice(0, flawsMax).map((flaw) => cut(flaw, flawLengthMax));
  if (different.length > flawsMax) told.push(`and ${different.length - flawsMax} more`);
  return told.join("; ");
}

function at(place: Pointer, words: string): string {
  const name = partsOf(place).join(".");
  return name === "" ? words : `${name.length > placeLengthMax ? "a place with a long name" : name}: ${words}`;
}

function wordsFor(error: ErrorObject, all: readonly ErrorObject[], subject: Subject): string {
  const { instancePath: place, keyword, message = "does not fit" } = error;
  const got = `got ${shown(place, subject)}`;
  switch (keyword) {
    case "required":
      return at(under(place, textParam(error, "missingProperty")), "is missing");
    case "additionalProperties":
      return extra(place, textParam(error, "additionalProperty"), subject);
    case "unevaluatedProperties":
      return extra(place, textParam(error, "unevaluatedProperty"), subject);
    case "type":
      return at(place, `expected ${typesOf(error).join(" or ")}, ${got}`);
    case "enum":
      return at(place, `expected one of ${listParam(error, "allowedValues")}, ${got}`);
    case "const":
      return at(place, `expected ${JSON.stringify(error.params["allowedValue"])}, ${got}`);
    case "anyOf":
    case "oneOf":
      return at(place, unionWords(error, all, got));
    default:
      return at(place, `${message}, ${got}`);
  }
}

function extra(place: Pointer, name: string, { missing = [] }: Subject): string {
  const near = place === "" ? nearest(name, missing) : undefined;
  return at(under(place, name), near === undefined ? "is not known" : `is not known (did you mean "${near}"?)`);
}

/** Alternatives that are all types are one type with several names. */
function unionWords(union: ErrorObject, all: readonly ErrorObject[], got: string): string {
  if (isArray(union.params["passingSchemas"])) return "fits more than one of the forms that exclude each other";
  const inside = all.filter(
    (error) => error !== union && error.instancePath.startsWith(union.instancePath) && error.keyword !== "anyOf",
  );
  const isOfTypes = inside.every(
    ({ keyword, instancePath }) => keyword === "type" && instancePath === union.instancePath,
  );
  if (!isOfTypes || inside.length === 0) return `fits none of the allowed forms, ${got}`;
  return `expected ${[...new Set(inside.flatMap(typesOf))].join(" or ")}, ${got}`;
}

const typeNames: Readonly<Record<string, string>> = {
  string: "text",
  integer: "whole number",
  boolean: "true or false",
  array: "list",
};

function typesOf({ params }: ErrorObject): readonly string[] {
  const type: unknown = params["type"];
  const types: readonly unknown[] = Array.isArray(type) ? type : String(type).split(",");
  return types.map((name) => own(typeNames, String(name)) ?? String(name));
}

function shown(place: Pointer, { value, canShow }: Subject): string {
  const found = valueAt(value, place);
  if (isArray(found)) return "a list";
  if (isObject(found)) return "an object";
  if (found === undefined || found === null) return "null";
  const kind = typeof found === "string" ? "text" : typeof found;
  if (!canShow(place)) return kind;
  return typeof found === "string" ? `text ${JSON.stringify(cut(found, shownLengthMax))}` : `${kind} ${found}`;
}

function valueAt(value: Json, place: Pointer): Json | undefined {
  let found: Json | undefined = value;
  for (const part of partsOf(place)) {
    if (isArray(found)) found = found[Number(part)];
    else found = isObject(found) ? own(found, part) : undefined;
  }
  return found;
}

function textParam({ params }: ErrorObject, name: string): string {
  return String(params[name]);
}

function listParam({ params }: ErrorObject, name: string): string {
  const values: unknown = params[name];
  return Array.isArray(values) ? values.map((value) => JSON.stringify(value)).join(", ") : "";
}

/** The beginning of a text, if it is longer; never half a character. */
export function cut(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : `${text.slice(0, lengthMax).toWellFormed()}…`;
}
