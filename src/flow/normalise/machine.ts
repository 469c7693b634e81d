// A machine in canonical spelling: the initial state by its flag, a terminal state by its kind, `from` as a list.

import { isArray, isObject, objectFrom, own, type Json, type JsonObject } from "../json.ts";
import { pointerTo, type Pointer } from "../pointer.ts";

const kinds: ReadonlySet<Json> = new Set(["success", "failure", "cancel"]);

export function normaliseMachine(written: JsonObject, origins: Map<Pointer, Pointer>): JsonObject {
  const head = Object.entries(written).filter(
    ([key]) => !["format", "x-ui", "initial", "states", "transitions"].includes(key),
  );
  const initial = own(written, "initial");
  const states = own(written, "states");
  const transitions = own(written, "transitions");
  const body = [
    ["states", isObject(states) ? normaliseStates(states, initial, origins) : {}],
    [
      "transitions",
      isArray(transitions) ? transitions.map((each, index) => normaliseTransition(each, index, origins)) : [],
    ],
  ] as const;
  // An initial state that is no state must stay to be seen.
  const dangling = typeof initial === "string" && !(isObject(states) && Object.hasOwn(states, initial));
  return objectFrom<Json>([
    ["format", "stepwell/v1"],
    ...head,
    ...(dangling ? [["initial", initial] as const] : []),
    ...body,
  ]);
}

function normaliseStates(states: JsonObject, initial: Json | undefined, origins: Map<Pointer, Pointer>): JsonObject {
  return objectFrom(
    Object.entries(states).map(([name, state]): readonly [string, Json] => {
      if (!isObject(state)) return [name, state];
      const isInitial = own(state, "initial") === true || name === initial;
      if (name === initial) origins.set(pointerTo("states", name, "initial"), pointerTo("initial"));
      return [name, normaliseState(state, { name, isInitial, origins })];
    }),
  );
}

type StatePlace = { readonly name: string; readonly isInitial: boolean; readonly origins: Map<Pointer, Pointer> };

function normaliseState(state: JsonObject, { name, isInitial, origins }: StatePlace): JsonObject {
  const kindKey = ["kind", "terminal_kind"].find((key) => kinds.has(own(state, key) ?? null));
  const rest = Object.entries(state).filter(
    ([key]) => !["initial", "terminal", "kind", "terminal_kind", "x-ui"].includes(key),
  );
  const terminal = own(state, "terminal");
  const kind = terminal === true && kindKey !== undefined ? (own(state, kindKey) ?? null) : terminal;
  if (terminal === true && kindKey !== undefined) {
    origins.set(pointerTo("states", name, "terminal"), pointerTo("states", name, kindKey));
  }
  return objectFrom<Json>([
    ...(isInitial ? [["initial", true] as const] : []),
    ...(kind === undefined || kind === false ? [] : [["terminal", kind] as const]),
    ...rest,
  ]);
}

function normaliseTransition(transition: Json, index: number, origins: Map<Pointer, Pointer>): Json {
  if (!isObject(transition)) return transition;
  // The tool step on the way has its undoing from the transition, and findings in it belong there.
  if (Object.hasOwn(transition, "compensate")) {
    origins.set(pointerTo("transitions", index, "action", "compensate"), pointerTo("transitions", index, "compensate"));
  }
  const from = own(transition, "from");
  if (typeof from === "string") {
    origins.set(pointerTo("transitions", index, "from", 0), pointerTo("transitions", index, "from"));
  }
  return objectFrom<Json>(
    Object.entries(transition)
      .filter(([key]) => key !== "x-ui")
      .map(([key, value]) => [key, key === "from" && typeof value === "string" ? [value] : value]),
  );
}
