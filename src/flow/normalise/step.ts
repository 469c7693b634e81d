// One step in canonical spelling: aliases replaced, targets by key, what changes nothing left out.

import { isArray, isObject, objectFrom, own, type Json, type JsonObject } from "../json.ts";
import { under, type Pointer } from "../pointer.ts";
import { resolveTarget, type Names } from "./names.ts";

export type StepPlace = {
  /** Where the step stands in the normal form. */
  readonly pointer: Pointer;
  /** Where it was written. */
  readonly written: Pointer;
  readonly names: Names;
  /** Filled with the places that move. */
  readonly origins: Map<Pointer, Pointer>;
};

const renamed: { readonly [key: string]: string } = objectFrom([
  ["on_missing_skill", "on_missing_tool"],
  ["fallback_skill", "fallback"],
]);
const targetKeys: ReadonlySet<string> = new Set(["next", "else", "parallel", "join", "input_from", "cancel"]);
const routeKeys: readonly string[] = ["routes", "on", "on_error"];
const dropped: ReadonlySet<string> = new Set(["attempt", "x-ui"]);

export function normaliseStep(step: JsonObject, place: StepPlace): JsonObject {
  const entries = Object.entries(step)
    .filter(([key]) => !dropped.has(key) && !routeKeys.includes(key))
    .flatMap(([key, value]) => normaliseEntry(key, value, place));
  const routes = normaliseRoutes(step, place);
  const all = routes.length === 0 ? entries : [...entries, ["routes", objectFrom(routes)] as const];
  return objectFrom(isGate(all) ? all.filter(([key, value]) => key !== "args" || !isEmpty(value)) : all);
}

type Entry = readonly [string, Json];

function normaliseEntry(key: string, value: Json, place: StepPlace): readonly Entry[] {
  if (key === "tool" && value === null) return [moveTo("gate", {}, { key, place })];
  if (key === "done" && value === false) return [];
  if (key === "gate" && isObject(value)) return [[key, resolveMember(value, "escalate_to", place.names)]];
  if (key === "branch" && isArray(value)) {
    return [[key, value.map((choice) => (isObject(choice) ? resolveMember(choice, "then", place.names) : choice))]];
  }
  // `cancel: true` and `cancel: false` are no names.
  if (targetKeys.has(key)) return [[key, resolveTarget(place.names, value)]];
  const canonical = own(renamed, key);
  return [canonical === undefined ? [key, value] : moveTo(canonical, value, { key, place })];
}

function moveTo(canonical: string, value: Json, { key, place }: { key: string; place: StepPlace }): Entry {
  place.origins.set(under(place.pointer, canonical), under(place.written, key));
  return [canonical, value];
}

function resolveMember(object: JsonObject, key: string, names: Names): JsonObject {
  return objectFrom(
    Object.entries(object).map(([name, value]) => [name, name === key ? resolveTarget(names, value) : value]),
  );
}

function isGate(entries: readonly Entry[]): boolean {
  return entries.some(([key]) => key === "gate");
}

function isEmpty(value: Json): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

type Route = { readonly outcome: string; readonly target: Json; readonly written: Pointer };

/** `routes`, its alias `on`, the seed's list and `on_error` become one map by outcome, without `on_`. */
function normaliseRoutes(step: JsonObject, place: StepPlace): readonly Entry[] {
  const found = routeKeys.flatMap((key) => {
    const routes = own(step, key);
    return routes === undefined ? [] : readRoutes(key, routes, under(place.written, key));
  });
  const container = routeKeys.find((key) => Object.hasOwn(step, key));
  if (container !== undefined) place.origins.set(under(place.pointer, "routes"), under(place.written, container));
  return found.map(({ outcome, target, written }): Entry => {
    place.origins.set(under(place.pointer, "routes", outcome), written);
    return [outcome, resolveTarget(place.names, target)];
  });
}

function readRoutes(key: string, routes: Json, written: Pointer): readonly Route[] {
  if (key === "on_error") return [{ outcome: "error", target: routes, written }];
  if (isArray(routes)) return routes.flatMap((route, index) => readListedRoute(route, under(written, index)));
  if (!isObject(routes)) return [];
  return Object.entries(routes).map(([outcome, target]) => ({
    outcome: withoutPrefix(outcome),
    target,
    written: under(written, outcome),
  }));
}

function readListedRoute(route: Json, written: Pointer): readonly Route[] {
  if (!isObject(route)) return [];
  const outcome = own(route, "branch");
  if (typeof outcome !== "string") return [];
  return [{ outcome: withoutPrefix(outcome), target: own(route, "goto") ?? "end", written: under(written, "goto") }];
}

export function withoutPrefix(outcome: string): string {
  return outcome.startsWith("on_") ? outcome.slice(3) : outcome;
}
