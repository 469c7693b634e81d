// A copy of a document without the given places, so that what is left can be looked at.

import { isArray, isObject, objectFrom, type Json } from "../json.ts";
import { under, type Pointer } from "../pointer.ts";

export function withoutPlaces(value: Json, places: Iterable<Pointer>): Json | undefined {
  return pruned(value, "", new Set(places));
}

function pruned(value: Json, pointer: Pointer, places: ReadonlySet<Pointer>): Json | undefined {
  if (places.has(pointer)) return undefined;
  if (isArray(value)) return value.map((item, index) => pruned(item, under(pointer, index), places) ?? null);
  if (!isObject(value)) return value;
  return objectFrom(
    Object.entries(value).flatMap(([key, member]) => {
      const kept = pruned(member, under(pointer, key), places);
      return kept === undefined ? [] : [[key, kept] as const];
    }),
  );
}
