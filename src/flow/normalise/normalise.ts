// From the document as it was written to its normal form: one spelling for everything that means the same, so that
// everything behind it reads one language and the hash of a flow changes only when its meaning may have.
// The normal form is itself a valid document, and its own normal form.

import { isArray, isObject, objectFrom, own, type Json, type JsonObject } from "../json.ts";
import type { Notation } from "../plan.ts";
import { pointerTo, type Pointer } from "../pointer.ts";
import { normaliseMachine } from "./machine.ts";
import { namesOfPipeline, namesOfSteps, placesOfPipeline, resolveTarget } from "./names.ts";
import type { Origins } from "./origins.ts";
import { rewriteSkill } from "./skill.ts";
import { normaliseStep } from "./step.ts";

export type Rewritten = { readonly document: JsonObject; readonly origins: Origins };

const format = "stepwell/v1";

export function normalise(written: JsonObject, notation: Notation, isBare: boolean): Rewritten {
  const origins = new Map<Pointer, Pointer>();
  const document = isBare ? wrap(written, origins) : hoistStart(written, origins);
  const head = Object.entries(document).filter(([key]) => !["format", "start", "steps", "x-ui"].includes(key));
  if (notation === "machine") return { document: normaliseMachine(document, origins), origins };
  const body = notation === "pipeline" ? normalisePipeline(document, origins) : normaliseFlow(document, origins);
  return { document: objectFrom([["format", format], ...head, ...body]), origins };
}

/** The bare map of the seeds: everything in it is a step. */
function wrap(written: JsonObject, origins: Map<Pointer, Pointer>): JsonObject {
  const steps = Object.entries(written).filter(([key]) => !key.startsWith("x-"));
  for (const [key] of steps) origins.set(pointerTo("steps", key), pointerTo(key));
  origins.set(pointerTo("steps"), "");
  return objectFrom([["steps", objectFrom(steps)]]);
}

/** A step written in place of the start's name is the step `start`. */
function hoistStart(written: JsonObject, origins: Map<Pointer, Pointer>): JsonObject {
  const start = own(written, "start");
  const steps = own(written, "steps");
  if (!isObject(start) || !isObject(steps)) return written;
  origins.set(pointerTo("steps", "start"), pointerTo("start"));
  const entries = Object.entries(written).filter(([key]) => key !== "start" && key !== "steps");
  return objectFrom([...entries, ["steps", objectFrom([["start", start], ...Object.entries(steps)])]]);
}

type Entry = readonly [string, Json];

function normaliseFlow(document: JsonObject, origins: Map<Pointer, Pointer>): readonly Entry[] {
  const written = own(document, "steps");
  const steps = isObject(written) ? written : {};
  const names = namesOfSteps(steps);
  const start = own(document, "start") ?? (Object.hasOwn(steps, "start") ? "start" : undefined);
  const entries = Object.entries(steps).map(([key, step]): Entry => {
    const pointer = pointerTo("steps", key);
    const place = { pointer, written: origins.get(pointer) ?? pointer, names, origins };
    return [key, isObject(step) ? withoutOwnName(key, normaliseStep(step, place)) : step];
  });
  const body: Entry = ["steps", objectFrom(entries)];
  return start === undefined ? [body] : [["start", resolveTarget(names, start)], body];
}

function withoutOwnName(key: string, step: JsonObject): JsonObject {
  if (own(step, "name") !== key) return step;
  return objectFrom(Object.entries(step).filter(([name]) => name !== "name"));
}

function normalisePipeline(document: JsonObject, origins: Map<Pointer, Pointer>): readonly Entry[] {
  const written = own(document, "steps");
  const steps = isArray(written) ? written : [];
  const places = placesOfPipeline(steps);
  const names = namesOfPipeline(places);
  const list = places.map(({ name, position, at }, index): Json => {
    const step = steps[at] ?? null;
    const pointer = pointerTo("steps", index);
    if (index !== at) origins.set(pointer, pointerTo("steps", at));
    if (!isObject(step)) return step;
    const place = { pointer, written: pointerTo("steps", at), names, origins };
    return inPlace(normaliseStep(rewriteSkill(step, place), place), {
      name,
      position,
      isRegular: position === index + 1,
    });
  });
  const start = own(document, "start");
  return start === undefined
    ? [["steps", list]]
    : [
        ["start", resolveTarget(names, start)],
        ["steps", list],
      ];
}

/** The name is always written, the position only where it is not the place in the list. */
function inPlace(step: JsonObject, place: { name: string; position: number; isRegular: boolean }): JsonObject {
  const entries = Object.entries(step).filter(([key]) => key !== "position" && key !== "name");
  const position: readonly Entry[] = place.isRegular ? [] : [["position", place.position]];
  return objectFrom<Json>([["name", place.name], ...position, ...entries]);
}
