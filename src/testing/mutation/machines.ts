// Mistakes in machines.

import { isArray, isObject, own, type Json, type JsonObject } from "../../flow/json.ts";
import { pointerTo, under, type Pointer } from "../../flow/pointer.ts";
import { notationOf } from "../document-view.ts";
import type { Random } from "../random.ts";
import {
  added,
  misspell,
  mutationClass,
  objectAt,
  pickSome,
  removed,
  replaced,
  type Mistake,
  type MutationClass,
} from "./mutation.ts";

type StateView = { readonly name: string; readonly state: JsonObject; readonly pointer: Pointer };
type TransitionView = { readonly transition: JsonObject; readonly pointer: Pointer };

type MachineView = {
  readonly states: readonly StateView[];
  readonly transitions: readonly TransitionView[];
  readonly initial: string;
  readonly random: Random;
};

function inMachine(name: string, write: (machine: MachineView) => Mistake | undefined): MutationClass {
  return mutationClass(name, (document, random) =>
    notationOf(document) === "machine" ? write(viewOf(document, random)) : undefined,
  );
}

function viewOf(document: JsonObject, random: Random): MachineView {
  const states = Object.entries(objectAt(document, "states") ?? {}).flatMap(([name, state]) =>
    isObject(state) ? [{ name, state, pointer: pointerTo("states", name) }] : [],
  );
  const list = own(document, "transitions");
  const transitions = (isArray(list) ? list : []).flatMap((transition, index) =>
    isObject(transition) ? [{ transition, pointer: pointerTo("transitions", index) }] : [],
  );
  const flagged = states.find(({ state }) => own(state, "initial") === true)?.name ?? "";
  const named = own(document, "initial");
  return { states, transitions, initial: typeof named === "string" ? named : flagged, random };
}

function isTerminal({ state }: StateView): boolean {
  return Object.hasOwn(state, "terminal");
}

/** To how many states a run that starts in this one can come. */
function reachOf({ transitions }: MachineView, name: string): number {
  const reached = new Set<Json>([name]);
  for (const state of reached) {
    for (const { transition } of transitions) {
      const { from, to, on_error: failed } = transition;
      const leaves = isArray(from) ? from.includes(state) : from === state;
      for (const next of leaves ? [to, failed] : []) if (next !== undefined) reached.add(next);
    }
  }
  return reached.size;
}

/** A name that no state has, one slip away from one that is there. */
function unknown({ states, random }: MachineView, name: string): string {
  const wrong = misspell(random, name);
  return states.some((state) => state.name === wrong) ? `${name}_gone` : wrong;
}

function unknownState(key: "to" | "on_error"): (machine: MachineView) => Mistake | undefined {
  return (machine) => {
    const view = pickSome(
      machine.random,
      machine.transitions.filter(({ transition }) => Object.hasOwn(transition, key)),
    );
    const state = view === undefined ? undefined : own(view.transition, key);
    if (view === undefined || typeof state !== "string") return undefined;
    const pointer = under(view.pointer, key);
    return { code: "unknown_state", pointer, changes: [replaced(pointer, unknown(machine, state))] };
  };
}

const stateMutations: readonly MutationClass[] = [
  inMachine("several initial states", (machine) => {
    const { states, initial, random } = machine;
    const first = states.find(({ name }) => name === initial);
    // From the true one everything can be reached; a state that leads as far could be the true one too.
    const others = states.filter((view) => !isTerminal(view) && reachOf(machine, view.name) < states.length);
    const other = pickSome(random, others);
    if (other === undefined || first === undefined || own(first.state, "initial") !== true) return undefined;
    const pointer = under(other.pointer, "initial");
    return { code: "several_initial_states", pointer, changes: [added(pointer, true)] };
  }),
  inMachine("no initial state", ({ states }) => {
    const first = states.find(({ state }) => own(state, "initial") === true);
    if (first === undefined) return undefined;
    return { code: "no_initial_state", pointer: "/states", changes: [removed(under(first.pointer, "initial"))] };
  }),
  inMachine("terminal without a kind", ({ states, random }) => {
    const view = pickSome(random, states.filter(isTerminal));
    if (view === undefined) return undefined;
    const pointer = under(view.pointer, "terminal");
    return { code: "terminal_without_kind", pointer, changes: [replaced(view.pointer, { terminal: true })] };
  }),
  inMachine("a kind on a state that ends nothing", ({ states, random }) => {
    const view = pickSome(
      random,
      states.filter((each) => !isTerminal(each)),
    );
    if (view === undefined) return undefined;
    const pointer = under(view.pointer, "kind");
    return { code: "non_terminal_with_kind", pointer, changes: [added(pointer, "success")] };
  }),
  inMachine("invalid kind of a terminal", ({ states, random }) => {
    const view = pickSome(
      random,
      states.filter(({ state }) => typeof own(state, "terminal") === "string"),
    );
    const kind = view === undefined ? undefined : own(view.state, "terminal");
    if (view === undefined || typeof kind !== "string") return undefined;
    const pointer = under(view.pointer, "terminal");
    return { code: "invalid_terminal_kind", pointer, changes: [replaced(pointer, misspell(random, kind))] };
  }),
  inMachine("unreachable state", ({ random }) => {
    const state: JsonObject = random.pick<JsonObject>([
      { terminal: "success" },
      { terminal: "failure", label: "Alone" },
    ]);
    return { code: "unreachable_state", pointer: "/states/lonely", changes: [added("/states/lonely", state)] };
  }),
  inMachine("a state without a way to end", ({ transitions, initial }) => ({
    code: "no_way_to_end",
    pointer: "/states/limbo",
    changes: [
      added("/states/limbo", {}),
      added(pointerTo("transitions", transitions.length), { name: "get_lost", from: initial, to: "limbo" }),
    ],
  })),
];

const transitionMutations: readonly MutationClass[] = [
  inMachine("a transition to an unknown state", unknownState("to")),
  inMachine("an action that fails into an unknown state", unknownState("on_error")),
  inMachine("a transition from an unknown state", (machine) => {
    const view = pickSome(machine.random, machine.transitions);
    if (view === undefined) return undefined;
    const from = own(view.transition, "from") ?? "";
    const pointer = isArray(from) ? under(view.pointer, "from", 0) : under(view.pointer, "from");
    const first: Json = isArray(from) ? (from[0] ?? "") : from;
    const wrong = unknown(machine, typeof first === "string" ? first : "");
    return { code: "unknown_state", pointer, changes: [replaced(pointer, wrong)] };
  }),
  inMachine("a transition from a terminal state", ({ states, transitions, initial, random }) => {
    const end = pickSome(random, states.filter(isTerminal));
    if (end === undefined) return undefined;
    const pointer = pointerTo("transitions", transitions.length);
    const transition = { name: "rise_again", from: end.name, to: initial };
    return { code: "transition_from_terminal", pointer: under(pointer, "from"), changes: [added(pointer, transition)] };
  }),
  inMachine("two transitions of one name from one state", ({ transitions, random }) => {
    const view = pickSome(random, transitions);
    if (view === undefined) return undefined;
    const pointer = pointerTo("transitions", transitions.length);
    return {
      code: "duplicate_transition",
      pointer: under(pointer, "name"),
      changes: [added(pointer, view.transition)],
    };
  }),
  inMachine("a guard that does not parse", ({ transitions, random }) => {
    const view = pickSome(random, transitions);
    if (view === undefined) return undefined;
    const pointer = under(view.pointer, "guard");
    return { code: "expression_syntax", pointer, changes: [added(pointer, "data.pages >")] };
  }),
  inMachine("a transition without a name", ({ transitions, random }) => {
    const view = pickSome(random, transitions);
    if (view === undefined) return undefined;
    return { code: "missing_key", pointer: view.pointer, changes: [removed(under(view.pointer, "name"))] };
  }),
  inMachine("parallel in a machine", ({ states, random }) => {
    const view = pickSome(
      random,
      states.filter((each) => !isTerminal(each)),
    );
    if (view === undefined) return undefined;
    const pointer = under(view.pointer, "parallel");
    return { code: "fan_out_not_allowed", pointer, changes: [added(pointer, ["one", "two"])] };
  }),
];

export const machineMutations: readonly MutationClass[] = [...stateMutations, ...transitionMutations];
