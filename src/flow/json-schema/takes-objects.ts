// Whether an object could fit a schema, as far as that stands in it: by types, values, alternatives, and references inside it.
// What is in doubt is said to take them.

import { isArray, isObject, own, type Json, type JsonObject } from "../json.ts";
import { partsOf } from "../pointer.ts";

/** Deeper, and through more references, nobody who means it writes. */
const depthMax = 100;

export function takesObjects(schema: Json): boolean {
  return mayTake(schema, { root: schema, targets: new Map(), depth: 0 });
}

type Looking = {
  readonly root: Json;
  /** What is known of those that were referred to: each is looked at once, however many lead to it. */
  readonly targets: Map<string, boolean>;
  readonly depth: number;
};

function mayTake(schema: Json, looking: Looking): boolean {
  if (!isObject(schema) || looking.depth > depthMax) return schema !== false;
  const inside = { ...looking, depth: looking.depth + 1 };
  const each = (part: Json): boolean => mayTake(part, inside);
  return (
    hasObjectType(schema) &&
    hasObjectValue(schema) &&
    listOf(schema, "allOf").every(each) &&
    ["anyOf", "oneOf"].every((key) => !Object.hasOwn(schema, key) || listOf(schema, key).some(each)) &&
    mayTarget(own(schema, "$ref"), inside)
  );
}

function hasObjectType(schema: JsonObject): boolean {
  const type = own(schema, "type");
  return type === undefined || type === "object" || (isArray(type) && type.includes("object"));
}

function hasObjectValue(schema: JsonObject): boolean {
  const value = own(schema, "const");
  const values = own(schema, "enum");
  return (value === undefined || isObject(value)) && (!isArray(values) || values.some(isObject));
}

function listOf(schema: JsonObject, key: string): readonly Json[] {
  const list = own(schema, key);
  return isArray(list) ? list : [];
}

function mayTarget(reference: Json | undefined, looking: Looking): boolean {
  const path = typeof reference === "string" ? /^#((?:\/[^%]*)?)$/u.exec(reference)?.[1] : undefined;
  if (path === undefined) return true;
  const known = looking.targets.get(path);
  if (known !== undefined) return known;
  // One that leads back to itself says nothing by that.
  looking.targets.set(path, true);
  const target = find(looking.root, path);
  const takes = target === undefined || mayTake(target, looking);
  looking.targets.set(path, takes);
  return takes;
}

function find(root: Json, path: string): Json | undefined {
  return partsOf(path).reduce<Json | undefined>((place, part) => {
    if (isArray(place)) return place[Number(part)];
    return isObject(place) ? own(place, part) : undefined;
  }, root);
}
