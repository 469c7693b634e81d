// An AlexClaw export (`version: 1`) as a pipeline of ours. Its steps keep their own words, which pipelines read.

import { isArray, isObject, objectFrom, own, type Json, type JsonObject } from "../json.ts";
import { pointerTo, under, type Pointer } from "../pointer.ts";
import { alexClawRoute, alexClawStep } from "../schema/alexclaw.ts";
import type { Rewritten } from "./normalise.ts";
import { withoutPrefix } from "./step.ts";

type Entry = readonly [string, Json];

export function rewriteAlexClaw(exported: JsonObject): Rewritten {
  const origins = new Map<Pointer, Pointer>();
  const workflow = objectAt(exported, "workflow");
  const head = ["name", "description"].flatMap((key) => moved(workflow, key, origins));
  const document = objectFrom<Json>([
    ...head,
    ...triggers(workflow, origins),
    ...twoFactor(workflow, origins),
    ...resources(exported, origins),
    ["steps", steps(exported, origins)],
    ...kept(workflow),
  ]);
  return { document, origins };
}

function objectAt(object: JsonObject, key: string): JsonObject {
  const value = own(object, key);
  return isObject(value) ? value : {};
}

/** A text that the shape check has asked for. */
function textAt(object: JsonObject, key: string): string {
  const value = own(object, key);
  return typeof value === "string" ? value : "";
}

function moved(workflow: JsonObject, key: string, origins: Map<Pointer, Pointer>): readonly Entry[] {
  const value = own(workflow, key);
  if (typeof value !== "string") return [];
  origins.set(pointerTo(key), pointerTo("workflow", key));
  return [[key, value]];
}

function triggers(workflow: JsonObject, origins: Map<Pointer, Pointer>): readonly Entry[] {
  const cron = own(workflow, "schedule");
  if (typeof cron !== "string" || cron === "") return [];
  origins.set(pointerTo("triggers"), pointerTo("workflow", "schedule"));
  return [["triggers", [{ cron }]]];
}

function twoFactor(workflow: JsonObject, origins: Map<Pointer, Pointer>): readonly Entry[] {
  if (own(objectAt(workflow, "metadata"), "requires_2fa") !== true) return [];
  origins.set(pointerTo("requires_2fa"), pointerTo("workflow", "metadata", "requires_2fa"));
  return [["requires_2fa", true]];
}

/** What has no meaning here travels along, so that nothing of the file is lost. */
function kept(workflow: JsonObject): readonly Entry[] {
  const rest = Object.entries(workflow).filter(([key]) => !["name", "description", "schedule"].includes(key));
  return rest.length === 0 ? [] : [["x-alexclaw", objectFrom(rest)]];
}

function resources(exported: JsonObject, origins: Map<Pointer, Pointer>): readonly Entry[] {
  const list = own(exported, "resources");
  if (!isArray(list) || list.length === 0) return [];
  const entries = list.filter(isObject).map((each, index): Entry => {
    const name = textAt(each, "name");
    origins.set(pointerTo("resources", name), pointerTo("resources", index));
    return [name, withoutNulls(each)];
  });
  return [["resources", objectFrom(entries)]];
}

function withoutNulls(object: JsonObject): JsonObject {
  return objectFrom(Object.entries(object).filter(([, value]) => value !== null));
}

function onlyKeysOf({ properties }: { readonly properties: object }, object: JsonObject): JsonObject {
  return objectFrom(Object.entries(object).filter(([key]) => Object.hasOwn(properties, key)));
}

function steps(exported: JsonObject, origins: Map<Pointer, Pointer>): readonly Json[] {
  const list = own(exported, "steps");
  const names = new Set<string>();
  return (isArray(list) ? list : [])
    .filter(isObject)
    .map((step, index) => rewriteStep(step, { names, origins, pointer: pointerTo("steps", index) }));
}

type StepPlace = {
  /** The names that are taken. */
  readonly names: Set<string>;
  readonly origins: Map<Pointer, Pointer>;
  readonly pointer: Pointer;
};

/** There two steps may have one name, `default` also catches errors, and keys that nobody knows say nothing. */
function rewriteStep(step: JsonObject, { names, origins, pointer }: StepPlace): JsonObject {
  return objectFrom(
    Object.entries(withoutNulls(onlyKeysOf(alexClawStep, step))).map(([key, value]): Entry => {
      if (key === "name" && typeof value === "string") return [key, freeName(value, names)];
      if (key !== "routes" || !isArray(value)) return [key, value];
      return [key, withErrors(value.filter(isObject), under(pointer, "routes"), origins)];
    }),
  );
}

function freeName(name: string, names: Set<string>): string {
  let free = name;
  for (let count = 2; names.has(free); count++) free = `${name} ${count}`;
  names.add(free);
  return free;
}

function withErrors(
  routes: readonly JsonObject[],
  pointer: Pointer,
  origins: Map<Pointer, Pointer>,
): readonly JsonObject[] {
  const known = routes.map((route) => onlyKeysOf(alexClawRoute, route));
  const outcomes = known.map((route) => withoutPrefix(textAt(route, "branch")));
  const place = outcomes.indexOf("default");
  const fallback = known[place];
  if (fallback === undefined || outcomes.includes("error")) return known;
  origins.set(under(pointer, known.length), under(pointer, place));
  return [...known, { ...fallback, branch: "on_error" }];
}
