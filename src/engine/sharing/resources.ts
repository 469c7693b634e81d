// Resources: the named things that flows read. A flow carries its own; those that came with files are kept beside the
// workflows as well, each under its name and address, so that what is here already is used instead of a copy.

import { canonicalText, isObject, objectFrom, own, type Json, type JsonObject } from "../../flow/json.ts";
import { byText } from "./document.ts";
import { replaceMembers } from "./references.ts";

export const resourceKind = "resource";

/** The order in which people read them; the rest follows by name. */
const order: readonly string[] = ["name", "type", "url", "content", "tags", "metadata", "enabled", "role"];

/** With its name, and with its keys in order. */
export function toResource(name: string, definition: Json): JsonObject {
  const members: JsonObject = isObject(definition) ? definition : {};
  const rest = Object.keys(members)
    .filter((key) => !order.includes(key))
    .toSorted(byText);
  const keys = [...order.slice(1), ...rest].filter((key) => (own(members, key) ?? null) !== null);
  return objectFrom<Json>([["name", name], ...keys.map((key) => [key, own(members, key) ?? null] as const)]);
}

/** What tells one from another. */
export function resourceKey(resource: JsonObject): string {
  return canonicalText([own(resource, "name") ?? null, own(resource, "url") ?? null]);
}

export function nameOfResource(resource: JsonObject): string {
  const name = own(resource, "name");
  return typeof name === "string" ? name : "";
}

/** Each once, by name; of two that are called alike and lie at one address, the first. */
export function listOnce(resources: readonly JsonObject[]): readonly JsonObject[] {
  const byKey = new Map<string, JsonObject>();
  for (const each of resources) if (!byKey.has(resourceKey(each))) byKey.set(resourceKey(each), each);
  return [...byKey].toSorted(([one], [other]) => byText(one, other)).map(([, each]) => each);
}

/** Those that a flow carries, as it was written. */
export function resourcesIn(flow: Json): readonly JsonObject[] {
  const written = mapIn(flow);
  return written === undefined ? [] : Object.entries(written).map(([name, each]) => toResource(name, each));
}

/** The same value when nothing becomes another one. */
export function replaceResources(flow: Json, replace: (resource: JsonObject) => JsonObject): Json {
  const written = mapIn(flow);
  if (written === undefined || !isObject(flow)) return flow;
  let isSame = true;
  const entries = Object.entries(written).map(([name, each]): readonly [string, Json] => {
    const given = toResource(name, each);
    const replaced = replace(given);
    if (canonicalText(given) === canonicalText(replaced)) return [name, each];
    isSame = false;
    return [name, replaced];
  });
  return isSame ? flow : replaceMembers(flow, { resources: objectFrom(entries) });
}

/** What was added to a file by hand, for its workflow to read. A bare map of steps has no place for it. */
export function addResources(flow: Json, added: readonly JsonObject[]): Json {
  const isDocument = isObject(flow) && (own(flow, "steps") ?? own(flow, "states")) !== undefined;
  const written = mapIn(flow) ?? {};
  const fresh = added.filter((each) => own(written, nameOfResource(each)) === undefined);
  if (!isDocument || fresh.length === 0) return flow;
  const resources = objectFrom([
    ...Object.entries(written),
    ...fresh.map((each) => [nameOfResource(each), each] as const),
  ]);
  if (own(flow, "resources") !== undefined) return replaceMembers(flow, { resources });
  return objectFrom<Json>([...Object.entries(flow), ["resources", resources]]);
}

/** In a bare map, `resources` is a step. */
function mapIn(flow: Json): JsonObject | undefined {
  if (!isObject(flow) || (own(flow, "steps") ?? own(flow, "states")) === undefined) return undefined;
  const resources = own(flow, "resources");
  return isObject(resources) ? resources : undefined;
}
