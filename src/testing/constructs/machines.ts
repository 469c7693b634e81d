// The constructs of machines.

import { isArray, isObject, own, type Json, type JsonObject } from "../../flow/json.ts";
import { uses, type Construct } from "./construct.ts";

export const machineConstructs: readonly Construct<JsonObject>[] = [
  uses("machine: initial beside the states", (document) => Object.hasOwn(document, "initial")),
  inStates("initial", (state) => own(state, "initial") === true),
  ...["success", "failure", "cancel"].map((kind) =>
    inStates(`terminal ${kind}`, (state) => own(state, "terminal") === kind),
  ),
  inStates("terminal with a kind", (state) => own(state, "terminal") === true && Object.hasOwn(state, "kind")),
  inStates("terminal with a terminal_kind", (state) => Object.hasOwn(state, "terminal_kind")),
  inStates("label", (state) => Object.hasOwn(state, "label")),
  inStates("description", (state) => Object.hasOwn(state, "description")),
  ...["guard", "action", "compensate", "on_error", "set", "after", "requires_reason"].map((key) =>
    inTransitions(key, (transition) => Object.hasOwn(transition, key)),
  ),
  inTransitions(
    "action.retry",
    ({ action }) => action !== undefined && isObject(action) && Object.hasOwn(action, "retry"),
  ),
  inTransitions("from several states", ({ from }) => isArray(from)),
  inTransitions("to its own state", ({ from, to }) => from === to),
  uses("machine: one name from several states", (document) => {
    const names = transitionsOf(document).map((transition) => own(transition, "name"));
    return new Set(names).size < names.length;
  }),
];

function inStates(name: string, isUsed: (state: JsonObject) => boolean): Construct<JsonObject> {
  return uses(`machine: state ${name}`, (document) => objectsIn(own(document, "states")).some(isUsed));
}

function inTransitions(name: string, isUsed: (transition: JsonObject) => boolean): Construct<JsonObject> {
  return uses(`machine: transition ${name}`, (document) => transitionsOf(document).some(isUsed));
}

function transitionsOf(document: JsonObject): readonly JsonObject[] {
  return objectsIn(own(document, "transitions"));
}

function objectsIn(value: Json | undefined): readonly JsonObject[] {
  return isObject(value) || isArray(value) ? Object.values(value).filter(isObject) : [];
}
