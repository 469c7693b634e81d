// Puts the values of secrets into the arguments of a call, at exactly the places that the template had for them: data that
// only looks like a placeholder stays data. The arguments themselves are not changed.

import { isArray, isObject, type Json } from "../flow/json.ts";
import { partsOf } from "../flow/pointer.ts";
import type { SecretPlace } from "../flow/template/expand.ts";

export function fillSecrets(args: Json, places: readonly SecretPlace[], valueOf: (name: string) => string): Json {
  let filled = args;
  // The last of a text first: what comes before it stays where it is.
  for (const place of places.toSorted((one, other) => other.offset - one.offset)) {
    const { offset, length, name } = place;
    const put = (text: Json): Json =>
      typeof text === "string" ? text.slice(0, offset) + valueOf(name) + text.slice(offset + length) : text;
    filled = changeAt(filled, partsOf(place.pointer), put);
  }
  return filled;
}

function changeAt(value: Json, path: readonly string[], change: (value: Json) => Json): Json {
  const [key, ...rest] = path;
  if (key === undefined) return change(value);
  if (isArray(value)) return value.map((item, index) => (String(index) === key ? changeAt(item, rest, change) : item));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(
    ([name, member]) => [name, name === key ? changeAt(member, rest, change) : member] as const,
  );
  return Object.fromEntries(members);
}
