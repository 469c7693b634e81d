// An AlexClaw export (`version: 1`) as a pipeline of ours. Its steps keep their own words, which pipelines read.

import { isArray, isObject, objectFrom, own, type Json, type JsonObject } from "../json.ts";
import { pointerTo, type Pointer } from "../pointer.ts";
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
    ...resources(exported),
    ["steps", steps(exported)],
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

function resources(exported: JsonObject): readonly Entry[] {
  const list = own(exported, "resources");
  if (!isArray(list) || list.length === 0) return [];
  return [["resources", objectFrom(list.filter(isObject).map((each) => [textAt(each, "name"), each]))]];
}

function steps(exported: JsonObject): readonly Json[] {
  const list = own(exported, "steps");
  const names = new Set<string>();
  return (isArray(list) ? list : []).map((step) => (isObject(step) ? rewriteStep(step, names) : step));
}

/** There two steps may have one name, and `default` also catches errors. */
function rewriteStep(step: JsonObject, names: Set<string>): JsonObject {
  const entries = Object.entries(step).filter(([, value]) => value !== null);
  return objectFrom(
    entries.map(([key, value]): Entry => {
      if (key === "name" && typeof value === "string") return [key, freeName(value, names)];
      return key === "routes" && isArray(value) ? [key, withErrors(value)] : [key, value];
    }),
  );
}

function freeName(name: string, names: Set<string>): string {
  let free = name;
  for (let count = 2; names.has(free); count++) free = `${name} ${count}`;
  names.add(free);
  return free;
}

function withErrors(routes: readonly Json[]): readonly Json[] {
  const named = (outcome: string): JsonObject | undefined =>
    routes.filter(isObject).find((route) => withoutPrefix(textAt(route, "branch")) === outcome);
  const fallback = named("default");
  if (fallback === undefined || named("error") !== undefined) return routes;
  return [...routes, { branch: "on_error", goto: own(fallback, "goto") ?? "end" }];
}
