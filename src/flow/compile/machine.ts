// A machine's states become steps that wait for an event, its terminal states ends, and each action a tool step on the
// way from one state to the next.

import { finding } from "../finding.ts";
import { walk } from "../graph/graph.ts";
import { objectFrom } from "../json.ts";
import type { EndStep, PlanStep, StateStep, StateTransition, StepBase, StepKey, ToolStep } from "../plan.ts";
import { pointerTo, under, type Pointer } from "../pointer.ts";
import type { MachineDocument, MachineTransition, State } from "../schema/types.ts";
import {
  compileCondition,
  compileStructure,
  compileTemplate,
  report,
  suggest,
  type Compiler,
  type Site,
} from "./compiler.ts";
import { durationMs, durationOrNull, type Defaults } from "./policy.ts";
import { compilePolicy, type StepSource } from "./step.ts";

export type CompiledMachine = {
  readonly start: StepKey;
  readonly steps: { readonly [key: StepKey]: PlanStep };
};

export function compileMachine(compiler: Compiler, machine: MachineDocument, defaults: Defaults): CompiledMachine {
  const actions = new Map<StepKey, ToolStep>();
  const leaving = new Map<string, StateTransition[]>(Object.keys(machine.states).map((name) => [name, []]));
  for (const [index, transition] of machine.transitions.entries()) {
    const place = { compiler, machine, defaults, actions, pointer: pointerTo("transitions", index) };
    for (const [at, from] of fromList(transition).entries()) {
      const known = stateNamed(place, from, under(place.pointer, "from", at));
      if (known !== undefined) addTransition(place, { transition, from: known, leaving: leaving.get(known) ?? [] });
    }
  }
  const states = Object.entries(machine.states).map(([name, state]): readonly [StepKey, PlanStep] => [
    name,
    compileState(name, state, leaving.get(name) ?? []),
  ]);
  checkInitial(compiler, machine);
  return { start: initialState(compiler, machine), steps: objectFrom<PlanStep>([...states, ...actions]) };
}

type Place = {
  readonly compiler: Compiler;
  readonly machine: MachineDocument;
  readonly defaults: Defaults;
  readonly actions: Map<StepKey, ToolStep>;
  /** Of the transition. */
  readonly pointer: Pointer;
};

function fromList({ from }: MachineTransition): readonly string[] {
  return typeof from === "string" ? [from] : from;
}

function stateNamed({ compiler, machine }: Place, name: string, pointer: Pointer): string | undefined {
  if (Object.hasOwn(machine.states, name)) return name;
  const near = suggest(compiler, name, () => Object.keys(machine.states));
  const sorry = `There is no state "${name}".`;
  compiler.findings.push(
    near === undefined
      ? finding("unknown_state", pointer, `${sorry} Add it to states, or name another one.`)
      : finding("unknown_state", pointer, `${sorry} Did you mean "${near}"?`, [
          { op: "replace", path: pointer, value: near },
        ]),
  );
  return undefined;
}

type Leaving = {
  readonly transition: MachineTransition;
  readonly from: string;
  readonly leaving: StateTransition[];
};

function addTransition(place: Place, { transition, from, leaving }: Leaving): void {
  const { compiler, machine, pointer } = place;
  if (machine.states[from]?.terminal !== undefined) {
    const message = `"${from}" is terminal, and what has ended stays ended. Remove it from the transition "${transition.name}".`;
    report(compiler, "transition_from_terminal", under(pointer, "from"), message);
  }
  if (leaving.some((other) => other.name === transition.name)) {
    const message = `Two transitions called "${transition.name}" leave "${from}", and nobody could say which one to fire. Rename one.`;
    report(compiler, "duplicate_transition", under(pointer, "name"), message);
  }
  leaving.push(compileStateTransition(place, transition, from));
}

function compileStateTransition(place: Place, transition: MachineTransition, from: string): StateTransition {
  const { compiler, pointer } = place;
  const site: Site = {
    step: from,
    pointer,
    moment: "after",
    roots: ["data", "event", "result"],
    mayHoldSecrets: false,
  };
  const at = (key: string): Site => ({ ...site, pointer: under(pointer, key) });
  const { guard, set, on_error: onError, after } = transition;
  const to = stateNamed(place, transition.to, under(pointer, "to")) ?? from;
  const failed = onError === undefined ? undefined : stateNamed(place, onError, under(pointer, "on_error"));
  return {
    name: transition.name,
    to,
    guard: guard === undefined ? null : compileCondition(compiler, guard, { ...at("guard"), roots: ["data", "event"] }),
    requiresReason: transition.requires_reason ?? false,
    set: set === undefined ? null : compileTemplate(compiler, set, at("set")),
    action: compileAction(place, transition, { from, to, failed }),
    onError: failed ?? null,
    afterMs: after === undefined ? null : durationMs(after),
    pointer,
  };
}

type Way = { readonly from: string; readonly to: string; readonly failed: string | undefined };

function compileAction(place: Place, transition: MachineTransition, way: Way): StepKey | null {
  const { action, compensate } = transition;
  if (action === undefined) return null;
  const { compiler, defaults, actions, pointer } = place;
  const key = freeKey(place, `${way.from}/${transition.name}`);
  const spec = compensate === undefined ? action : { ...action, compensate };
  const source: StepSource = {
    key,
    spec,
    pointer: under(pointer, "action"),
    position: null,
    defaults,
    fallthrough: { kind: "end" },
  };
  const roots = ["data", "event"];
  const site: Site = {
    step: key,
    pointer: under(source.pointer, "args"),
    moment: "before",
    roots,
    mayHoldSecrets: true,
  };
  const to = { kind: "step", step: way.to } as const;
  actions.set(key, {
    ...emptyBase(key, transition.name, source.pointer),
    kind: "tool",
    tool: action.tool,
    args: compileStructure(compiler, action.args ?? {}, { ...site, wanted: "an object" }),
    each: null,
    transition: { kind: "next", to },
    routes: objectFrom(way.failed === undefined ? [] : [["error", { kind: "step", step: way.failed }]]),
    timeoutMs: durationOrNull(action.timeout) ?? defaults.timeoutMs,
    ...compilePolicy(compiler, source, roots),
  });
  return key;
}

/** States may be called anything, also what an action would be called. */
function freeKey({ machine, actions }: Place, wanted: string): StepKey {
  const isTaken = (key: string): boolean => Object.hasOwn(machine.states, key) || actions.has(key);
  // Two actions of one name are an error already; their number makes the key free at once.
  let key = isTaken(wanted) ? `${wanted}'${actions.size}` : wanted;
  while (isTaken(key)) key += "'";
  return key;
}

function emptyBase(key: StepKey, label: string, pointer: Pointer): StepBase {
  return {
    key,
    label,
    pointer,
    position: null,
    transition: { kind: "events" },
    routes: objectFrom([]),
    outcome: null,
    onNoMatch: "hold",
    cancel: { kind: "allowed" },
    inputFrom: null,
    timeoutMs: null,
    mentions: [],
  };
}

function compileState(name: string, state: State, transitions: readonly StateTransition[]): StateStep | EndStep {
  const base = emptyBase(name, state.label ?? name, pointerTo("states", name));
  const { terminal } = state;
  if (typeof terminal !== "string") return { ...base, kind: "state", transitions };
  return { ...base, kind: "end", transition: { kind: "end", terminal, output: null, message: null } };
}

/** A name that stands for a state has become that state's flag; what is left names none. */
function checkInitial(compiler: Compiler, machine: MachineDocument): void {
  const { initial } = machine;
  if (initial === undefined) return;
  const path = pointerTo("initial");
  const near = suggest(compiler, initial, () => Object.keys(machine.states));
  const message = `There is no state "${initial}" to start in.`;
  compiler.findings.push(
    near === undefined
      ? finding("unknown_state", path, `${message} Name one of states.`)
      : finding("unknown_state", path, `${message} Did you mean "${near}"?`, [{ op: "replace", path, value: near }]),
  );
}

function initialState(compiler: Compiler, machine: MachineDocument): StepKey {
  const names = Object.keys(machine.states);
  const marked = names.filter((name) => machine.states[name]?.initial === true);
  const next = statesNextTo(machine);
  // Of a few, that is: each walk is as long as the machine.
  const reach = new Map(marked.slice(0, 20).map((name) => [name, walk([name], (state) => next.get(state) ?? []).size]));
  // Of several the one that leads to most states is most likely meant; else by name, whatever the order of keys.
  const initial = marked.toSorted(
    (one, other) => (reach.get(other) ?? 0) - (reach.get(one) ?? 0) || (one < other ? -1 : 1),
  );
  const first = initial[0] ?? names[0] ?? "";
  if (initial.length === 0 && machine.initial === undefined) reportNoInitial(compiler, machine);
  for (const extra of initial.slice(1)) {
    const path = pointerTo("states", extra, "initial");
    const message = `A machine starts in one state, but both "${first}" and "${extra}" are initial. Keep one.`;
    compiler.findings.push(finding("several_initial_states", path, message, [{ op: "remove", path }]));
  }
  return first;
}

function statesNextTo(machine: MachineDocument): ReadonlyMap<string, readonly string[]> {
  const next = new Map<string, string[]>();
  for (const { from, to, on_error: failed } of machine.transitions) {
    for (const state of typeof from === "string" ? [from] : from) {
      const list = next.get(state) ?? [];
      list.push(to, failed ?? to);
      next.set(state, list);
    }
  }
  return next;
}

function reportNoInitial(compiler: Compiler, machine: MachineDocument): void {
  const entered = new Set(machine.transitions.map((transition) => transition.to));
  const candidates = Object.keys(machine.states).filter((name) => !entered.has(name));
  const message = 'No state is initial. Mark the one in which a run starts with "initial": true.';
  const [only] = candidates;
  if (candidates.length !== 1 || only === undefined)
    return report(compiler, "no_initial_state", pointerTo("states"), message);
  const path = pointerTo("states", only, "initial");
  compiler.findings.push(finding("no_initial_state", pointerTo("states"), message, [{ op: "add", path, value: true }]));
}
