// Keys of a step that have older names too, and where they stand. What is changed is changed there: the same thing said
// under two names is refused.

import { isObject, type Json, type JsonObject } from "./json.ts";
import { setAt, valueAt, type Patch, type Path } from "./patch.ts";

type Key = "tool" | "fallback" | "on_missing_tool" | "on_circuit_open" | "on_unknown" | "timeout";

/** The settings of a skill hold some of what other steps say themselves. */
const older: { readonly [key in Key]: readonly Path[] } = {
  tool: [["skill"]],
  fallback: [["fallback_skill"], ["config", "fallback_skill"]],
  on_missing_tool: [["on_missing_skill"], ["config", "on_missing_skill"]],
  on_circuit_open: [["config", "on_circuit_open"]],
  on_unknown: [],
  timeout: [["config", "timeout_ms"]],
};

function pathOf(step: JsonObject, key: Key): Path {
  if (Object.hasOwn(step, key)) return [key];
  return older[key].find((path) => (valueAt(step, path) ?? null) !== null) ?? [key];
}

/** As a text; "": it says nothing about it. */
export function keyIn(step: JsonObject, key: Key): string {
  const value = valueAt(step, pathOf(step, key));
  return key === "timeout" && typeof value === "number" ? `${value}ms` : typeof value === "string" ? value : "";
}

export function setKey(flow: Json, place: Path, key: Key, text: string): Patch {
  const step = valueAt(flow, place);
  const path = isObject(step) ? pathOf(step, key) : [key];
  return setAt(flow, [...place, ...path], text === "" ? undefined : text);
}

/** By settings of a skill, which cannot stand beside arguments. */
export function isHandedOtherwise(step: JsonObject): boolean {
  const settings = ["config", "prompt_template", "llm_tier", "llm_model"];
  return !("args" in step) && settings.some((key) => key in step);
}
