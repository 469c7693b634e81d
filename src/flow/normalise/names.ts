// What a step answers to: its key, its `name`, in a pipeline its position. Targets are written with any of these and
// stored with the key.

import { isArray, isObject, own, type Json, type JsonObject } from "../json.ts";

export type Names = ReadonlyMap<string, string>;

export function namesOfSteps(steps: JsonObject): Names {
  const names = new Map<string, string>();
  // Sorted, so that of two steps with one name the same one wins however they were written down.
  for (const key of Object.keys(steps).toSorted()) {
    const step = own(steps, key);
    const name = isObject(step) ? own(step, "name") : undefined;
    if (typeof name === "string" && !names.has(name)) names.set(name, key);
  }
  // A key always means its own step, whatever other steps call themselves; the clash is a finding of its own.
  for (const key of Object.keys(steps)) names.set(key, key);
  return names;
}

export type PipelinePlace = { readonly name: string; readonly position: number; readonly at: number };

/** The steps of a pipeline in the order of their positions, each with the name it goes by. */
export function placesOfPipeline(steps: readonly Json[]): readonly PipelinePlace[] {
  const places = steps.map((step, at) => {
    const position = isObject(step) ? own(step, "position") : undefined;
    const name = isObject(step) ? own(step, "name") : undefined;
    const place = typeof position === "number" ? position : at + 1;
    return { name: typeof name === "string" ? name : `step_${place}`, position: place, at };
  });
  return places.toSorted((one, other) => one.position - other.position);
}

export function namesOfPipeline(places: readonly PipelinePlace[]): Names {
  const byPosition = places.map(({ name, position }) => [String(position), name] as const);
  return new Map([...byPosition, ...places.map(({ name }) => [name, name] as const)]);
}

/** A target with its step's key in place of an alias or a position; what answers to no name stays as it is, as text. */
export function resolveTarget(names: Names, target: Json): Json {
  if (isArray(target)) return target.map((each) => resolveTarget(names, each));
  if (typeof target !== "string" && typeof target !== "number") return target;
  return names.get(String(target)) ?? String(target);
}
