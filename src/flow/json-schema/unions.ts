// Which of the problems that a schema finds are worth telling: of alternatives that all failed only they themselves, not
// what each of them would have wanted.

import type { ErrorObject } from "ajv/dist/2020.js";
import { parentOf, type Pointer } from "../pointer.ts";

/** These fail for what their parts say, or do not say, together. */
const unionKeywords: ReadonlySet<string> = new Set(["anyOf", "oneOf", "not", "if", "contains"]);

/** The problems that no failed union that is `chosen` can have brought about. */
export function outsideUnions(
  errors: readonly ErrorObject[],
  chosen: (union: ErrorObject) => boolean,
): readonly ErrorObject[] {
  const places = new Set<Pointer>();
  for (const error of errors) if (unionKeywords.has(error.keyword) && chosen(error)) places.add(error.instancePath);
  if (places.size === 0) return errors;
  return errors.filter((error) => isOfRoot(error) || !isWithinAny(error.instancePath, places));
}

/** Of the unions that failed one at each place, and none below another. */
export function outermostUnions(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const byPlace = new Map<Pointer, ErrorObject>();
  for (const error of errors) if (unionKeywords.has(error.keyword)) byPlace.set(error.instancePath, error);
  const places = new Set(byPlace.keys());
  return [...byPlace.values()].filter(
    ({ instancePath }) => instancePath === "" || !isWithinAny(parentOf(instancePath), places),
  );
}

/** Behind a reference the path no longer tells of a union, but the schema's own first level is never behind one. */
function isOfRoot({ instancePath, schemaPath }: ErrorObject): boolean {
  return instancePath === "" && (schemaPath === "#/required" || schemaPath === "#/additionalProperties");
}

/** At one of the places, or below it. By its own length, however many places there are. */
function isWithinAny(pointer: Pointer, places: ReadonlySet<Pointer>): boolean {
  for (let place = pointer; ; place = parentOf(place)) {
    if (places.has(place)) return true;
    if (place === "") return false;
  }
}
