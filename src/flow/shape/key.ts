// Keys that the language does not have: what was meant, and the patch that says so.

import { finding, type FindingCode, type PatchOperation } from "../finding.ts";
import { isArray, isObject, own, type JsonObject } from "../json.ts";
import { under } from "../pointer.ts";
import type { SchemaNode } from "../schema/node.ts";
import { alternativesOf, propertiesOf, takesTypeOf, type Resolved } from "../schema/resolve.ts";
import type { Place } from "./place.ts";
import type { Field, View } from "./view.ts";
import { quote, sentence } from "./words.ts";
import { nearest } from "../suggest.ts";

type Scene = Resolved & { readonly place: Place; readonly report: View["report"] };

/** The members by the key that was meant, with a finding for each key that is not known. */
export function meantKeys(object: JsonObject, scene: Scene): ReadonlyMap<string, Field> {
  const { node, place, report } = scene;
  const fields = new Map<string, Field>();
  for (const [key, value] of Object.entries(object)) {
    const field = { key, value, pointer: under(place.pointer, key) };
    if (Object.hasOwn(propertiesOf(node), key)) fields.set(key, field);
    else if (node.additionalProperties === false && !key.startsWith("x-")) {
      const isTaken = (name: string): boolean => Object.hasOwn(object, name) || fields.has(name);
      const stray = explain(field, { object, scene, isTaken });
      if (stray.meant !== undefined) fields.set(stray.meant, field);
      report(finding(stray.code, field.pointer, sentence(place, stray.claim), stray.patch));
    }
  }
  return fields;
}

type Stray = {
  readonly code: FindingCode;
  readonly claim: string;
  readonly patch?: readonly PatchOperation[];
  /** The key it counts as from here on. */
  readonly meant?: string;
};

type Surroundings = {
  readonly object: JsonObject;
  readonly scene: Scene;
  readonly isTaken: (key: string) => boolean;
};

const forkKeys: ReadonlySet<string> = new Set(["parallel", "join", "on_branch_error"]);
const withoutForks: { readonly [definition: string]: string } = {
  pipelineStep: "a pipeline follows one path",
  state: "a machine is in one state at a time",
  transition: "a machine is in one state at a time",
};

/** Words of other languages for the same thing, which no distance between spellings would find. */
const synonyms: { readonly [definition: string]: { readonly [key: string]: string } } = {
  machine: { start: "initial", initial_state: "initial" },
  step: { params: "args", parameters: "args", arguments: "args", with: "args", goto: "next", then: "next" },
  pipelineStep: { params: "args", parameters: "args", arguments: "args", with: "args", goto: "next", then: "next" },
};

/** Actions whose timeout stands on the step, as that of all others does. */
const timedByStep: { readonly [definition: string]: string } = { gate: "gate", waitUntil: "wait", waitEvent: "wait" };

function explain(field: Field, surroundings: Surroundings): Stray {
  const { key, pointer } = field;
  const { scene, isTaken } = surroundings;
  const name = scene.name ?? "";
  const oneWay = own(withoutForks, name);
  if (oneWay !== undefined && forkKeys.has(key)) return fork(field, oneWay, surroundings);
  if (key === "true" && Object.hasOwn(propertiesOf(scene.node), "on")) return misreadOn(field, surroundings);
  const action = own(timedByStep, name);
  if (action !== undefined && key === "timeout") {
    return { code: "unknown_key", claim: `has no key "timeout". Put it on the step, beside ${quote(action)}.` };
  }
  const { budget } = scene.place;
  budget.suggestionsLeft -= 1;
  if (budget.suggestionsLeft < 0) return { code: "unknown_key", claim: `has no key ${quote(key)}.` };
  const inside = misfiled(field, surroundings);
  if (inside !== undefined) return inside;
  const meant = own(own(synonyms, name) ?? {}, key) ?? nearestKey(field, scene.node);
  if (meant === undefined) return foreign(field);
  if (isTaken(meant)) {
    const claim = `has no key ${quote(key)}; it looks like ${quote(meant)}, which is there already. Remove it.`;
    return { code: "unknown_key", claim, patch: [{ op: "remove", path: pointer }] };
  }
  const patch = [{ op: "move", from: pointer, path: under(scene.place.pointer, meant) } as const];
  return { code: "unknown_key", claim: `has no key ${quote(key)}. Write ${quote(meant)}.`, patch, meant };
}

/** Of keys that are spelt alike, one that can have this value. */
function nearestKey({ key, value }: Field, node: SchemaNode): string | undefined {
  const properties = Object.entries(propertiesOf(node));
  const fitting = properties.filter(([, schema]) =>
    alternativesOf(schema).some((each) => takesTypeOf(each.node, value)),
  );
  const names = [fitting, properties].map((some) => some.map(([name]) => name));
  return names.map((some) => nearest(key, some)).find((name) => name !== undefined);
}

function misreadOn({ pointer }: Field, { scene, isTaken }: Surroundings): Stray {
  const meant = isTaken("routes") ? "on" : "routes";
  const claim = `has the key "true": a YAML 1.1 tool has read the key on as true. Write ${quote(meant)}.`;
  const patch = [{ op: "move", from: pointer, path: under(scene.place.pointer, meant) } as const];
  return { code: "misread_on", claim, patch, meant };
}

function foreign({ key, pointer }: Field): Stray {
  const claim = `has no key ${quote(key)}. Remove it, or call it ${quote(`x-${key}`)} if it is a note of your own.`;
  return { code: "unknown_key", claim, patch: [{ op: "remove", path: pointer }] };
}

/** One branch is no fork: it is what follows. Of several, only the author knows which one is meant. */
function fork({ key, value, pointer }: Field, reason: string, { scene, isTaken }: Surroundings): Stray {
  const claim = `cannot have ${quote(key)}: ${reason}. Remove it, or write a flow, whose steps may fork.`;
  const removal = { op: "remove", path: pointer } as const;
  const branches = key === "parallel" && isArray(value) ? value : [];
  if (branches.length > 1) return { code: "fan_out_not_allowed", claim };
  const [first] = branches;
  const isWayOn = scene.name === "pipelineStep" && !["next", "branch", "done", "terminal"].some(isTaken);
  if (typeof first !== "string" || !isWayOn) return { code: "fan_out_not_allowed", claim, patch: [removal] };
  const next = { op: "add", path: under(scene.place.pointer, "next"), value: first } as const;
  return { code: "fan_out_not_allowed", claim, patch: [removal, next] };
}

/** A key of something inside: `attempts` on a step belongs into its `retry`. */
function misfiled({ key, pointer }: Field, { object, scene }: Surroundings): Stray | undefined {
  const owners = Object.entries(propertiesOf(scene.node)).flatMap(([name, schema]) =>
    hasKey(schema, key) ? [name] : [],
  );
  const owner = owners.find((name) => Object.hasOwn(object, name)) ?? owners[0];
  if (owner === undefined) return undefined;
  const claim = `has no key ${quote(key)}; it belongs into ${quote(owner)}.`;
  const at = under(scene.place.pointer, owner);
  const move = { op: "move", from: pointer, path: under(at, key) } as const;
  const there = own(object, owner);
  if (there === undefined) return { code: "unknown_key", claim, patch: [{ op: "add", path: at, value: {} }, move] };
  const isFree = isObject(there) && !Object.hasOwn(there, key);
  return { code: "unknown_key", claim, ...(isFree ? { patch: [move] } : {}) };
}

function hasKey(schema: SchemaNode, key: string): boolean {
  return alternativesOf(schema).some(
    ({ node }) => node.additionalProperties === false && Object.hasOwn(propertiesOf(node), key),
  );
}
