// AlexClaw's way to write a pipeline step: a skill with a config and settings for its language model. What the skill
// was handed becomes the args of a tool; the resilience settings inside the config become policies of the step.

import { isArray, isObject, objectFrom, own, type Json, type JsonObject } from "../json.ts";
import { under, type Pointer } from "../pointer.ts";

type Entry = readonly [string, Json];
type Place = { readonly pointer: Pointer; readonly written: Pointer; readonly origins: Map<Pointer, Pointer> };

const policies: { readonly [key: string]: string } = objectFrom([
  ["on_circuit_open", "on_circuit_open"],
  ["on_missing_skill", "on_missing_tool"],
  ["fallback_skill", "fallback"],
  ["timeout_ms", "timeout"],
]);
const modelKeys: readonly string[] = ["prompt_template", "llm_tier", "llm_model"];
const skillKeys: readonly string[] = ["skill", "config", ...modelKeys];

export function rewriteSkill(step: JsonObject, place: Place): JsonObject {
  if (!skillKeys.some((key) => Object.hasOwn(step, key))) return step;
  const rest = Object.entries(step).filter(([key]) => !skillKeys.includes(key));
  const written = own(step, "config");
  const config = isObject(written) ? Object.entries(written) : [];
  const tool = own(step, "skill");
  const handed = config.filter(([key]) => own(policies, key) === undefined);
  const args = skillArgs(step, handed, place);
  if (tool !== undefined) place.origins.set(under(place.pointer, "tool"), under(place.written, "skill"));
  return objectFrom<Json>([
    ...(tool === undefined ? [] : [["tool", tool] as const]),
    ...(Object.hasOwn(step, "args") ? [] : [["args", args] as const]),
    ...policyEntries(config, place),
    ...rest,
  ]);
}

function policyEntries(config: readonly Entry[], place: Place): readonly Entry[] {
  return config.flatMap(([key, value]): readonly Entry[] => {
    const policy = own(policies, key);
    if (policy === undefined || value === null) return [];
    place.origins.set(under(place.pointer, policy), under(place.written, "config", key));
    // A text is a duration with its unit, or the check of the normal form says that it is none.
    return [[policy, key === "timeout_ms" && typeof value === "number" ? `${value}ms` : value]];
  });
}

function skillArgs(step: JsonObject, config: readonly Entry[], place: Place): JsonObject {
  const settings = modelKeys.flatMap((key): readonly Entry[] => {
    const value = own(step, key);
    if (value === undefined || value === null) return [];
    place.origins.set(under(place.pointer, "args", key), under(place.written, key));
    return [[key, literal(value)]];
  });
  place.origins.set(under(place.pointer, "args", "config"), under(place.written, "config"));
  const handed: readonly Entry[] = config.length === 0 ? [] : [["config", literal(objectFrom(config))]];
  return objectFrom<Json>([["input", "{{ previous }}"], ...handed, ...settings]);
}

/** Foreign text never becomes a template of ours. */
function literal(value: Json): Json {
  if (typeof value === "string") return value.replaceAll("{{", '{{ "{{" }}');
  if (isArray(value)) return value.map(literal);
  if (!isObject(value)) return value;
  return objectFrom(Object.entries(value).map(([key, member]) => [key, literal(member)]));
}
