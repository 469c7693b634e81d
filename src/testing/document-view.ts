// A document as it was written, step by step: what the coverage table, the mutations and the fuzzer look at. It reads
// valid documents only, and knows nothing of the compiler, so that the two can be compared.

import { isArray, isObject, own, type Json, type JsonObject } from "../flow/json.ts";
import { pointerTo, under, type Pointer } from "../flow/pointer.ts";

export type WrittenNotation = "flow" | "bare" | "pipeline" | "machine";

export type StepView = {
  /** The key; in a pipeline the name, else `step_` and the position. */
  readonly key: string;
  readonly pointer: Pointer;
  readonly step: JsonObject;
  /** In a pipeline; else null. */
  readonly position: number | null;
};

export type TargetSite = {
  readonly kind: "next" | "then" | "else" | "route" | "parallel" | "join" | "escalate" | "cleanup" | "input_from";
  readonly pointer: Pointer;
  readonly target: Json;
  /** Of a route, without `on_`; else "". */
  readonly outcome: string;
};

export function notationOf(document: JsonObject): WrittenNotation {
  if (Object.hasOwn(document, "states")) return "machine";
  const steps = own(document, "steps");
  if (isArray(steps)) return "pipeline";
  return isObject(steps) ? "flow" : "bare";
}

/** The steps of a flow or pipeline, in the order of their positions where they have one; a machine has none. */
export function stepsOf(document: JsonObject): readonly StepView[] {
  switch (notationOf(document)) {
    case "machine":
      return [];
    case "bare":
      return mapSteps(document, "");
    case "flow": {
      const start = own(document, "start");
      const first = isObject(start) ? [{ key: "start", pointer: "/start", step: start, position: null }] : [];
      return [...first, ...mapSteps(own(document, "steps"), pointerTo("steps"))];
    }
    case "pipeline":
      return listSteps(own(document, "steps"));
  }
}

function mapSteps(steps: Json | undefined, pointer: Pointer): readonly StepView[] {
  if (!isObject(steps)) return [];
  return Object.entries(steps).flatMap(([key, step]) =>
    isObject(step) ? [{ key, pointer: under(pointer, key), step, position: null }] : [],
  );
}

function listSteps(steps: Json | undefined): readonly StepView[] {
  if (!isArray(steps)) return [];
  const views = steps.flatMap((step, index) => {
    if (!isObject(step)) return [];
    const written = own(step, "position");
    const position = typeof written === "number" ? written : index + 1;
    const name = own(step, "name");
    const key = typeof name === "string" ? name : `step_${position}`;
    return [{ key, pointer: pointerTo("steps", index), step, position }];
  });
  return views.toSorted((one, other) => one.position - other.position);
}

/** The step that answers to this name or position. */
export function findStep(steps: readonly StepView[], target: Json): StepView | undefined {
  return steps.find(({ key, step, position }) => key === target || own(step, "name") === target || position === target);
}

/** The document says where it starts, by `start` or by a step of that key. */
export function isStartNamed(document: JsonObject): boolean {
  return Object.hasOwn(document, "start") || stepsOf(document).some(({ key }) => key === "start");
}

/** The first step: the one that is named, the first of a pipeline, or the only one that nothing leads to. */
export function startOf(document: JsonObject): StepView | undefined {
  const steps = stepsOf(document);
  if (notationOf(document) === "pipeline") return steps[0];
  const named = own(document, "start");
  if (typeof named === "string" && notationOf(document) === "flow") return findStep(steps, named);
  const start = steps.find(({ key }) => key === "start");
  if (start !== undefined) return start;
  const entered = new Set(steps.flatMap(targetsOf).map(({ target }) => findStep(steps, target)));
  return steps.find((view) => !entered.has(view));
}

/** Every place in a step where another one is named. */
export function targetsOf({ step, pointer }: StepView): readonly TargetSite[] {
  const sites: TargetSite[] = [];
  const add = (kind: TargetSite["kind"], target: Json | undefined, ...at: readonly (string | number)[]): void => {
    if (target !== undefined) sites.push({ kind, target, outcome: "", pointer: under(pointer, ...at) });
  };
  add("next", own(step, "next"), "next");
  add("else", own(step, "else"), "else");
  add("join", own(step, "join"), "join");
  add("input_from", own(step, "input_from"), "input_from");
  const [branch, parallel, gate, cancel] = ["branch", "parallel", "gate", "cancel"].map((key) => own(step, key));
  if (isArray(branch)) {
    for (const [index, choice] of branch.entries()) {
      if (isObject(choice)) add("then", own(choice, "then"), "branch", index, "then");
    }
  }
  if (isArray(parallel)) for (const [index, name] of parallel.entries()) add("parallel", name, "parallel", index);
  if (isObject(gate)) add("escalate", own(gate, "escalate_to"), "gate", "escalate_to");
  if (typeof cancel === "string") add("cleanup", cancel, "cancel");
  return [...sites, ...routesOf({ step, pointer })];
}

function routesOf({ step, pointer }: { step: JsonObject; pointer: Pointer }): readonly TargetSite[] {
  const shorthand = own(step, "on_error");
  const sites: TargetSite[] = [];
  if (shorthand !== undefined) sites.push(route("error", shorthand, under(pointer, "on_error")));
  for (const key of ["routes", "on"]) {
    const routes = own(step, key);
    if (isObject(routes)) {
      for (const [name, target] of Object.entries(routes)) sites.push(route(name, target, under(pointer, key, name)));
    }
    if (isArray(routes)) {
      for (const [index, listed] of routes.entries()) {
        if (!isObject(listed)) continue;
        const target = own(listed, "goto") ?? "end";
        sites.push(route(textOf(own(listed, "branch")), target, under(pointer, key, index, "goto")));
      }
    }
  }
  return sites;
}

function route(name: string, target: Json, pointer: Pointer): TargetSite {
  return { kind: "route", target, pointer, outcome: name.startsWith("on_") ? name.slice(3) : name };
}

const asideKinds: ReadonlySet<TargetSite["kind"]> = new Set(["escalate", "cleanup", "input_from"]);

/** The steps that can follow this one, a fork's join among them; side paths left out. */
export function followersOf(steps: readonly StepView[], view: StepView): readonly StepView[] {
  const named = targetsOf(view)
    .filter((site) => !asideKinds.has(site.kind))
    .flatMap(({ target }) => findStep(steps, target) ?? []);
  if (view.position === null || hasTransition(view.step)) return named;
  return [...named, ...steps.slice(steps.indexOf(view) + 1, steps.indexOf(view) + 2)];
}

/** Something besides routes says where the step leads. */
export function hasTransition(step: JsonObject): boolean {
  return ["next", "branch", "parallel", "join", "done", "terminal"].some((key) => Object.hasOwn(step, key));
}

/** Everything that can be reached from these steps without passing `stops`. */
export function reachedFrom(
  steps: readonly StepView[],
  starts: readonly StepView[],
  stops: ReadonlySet<StepView> = new Set(),
): ReadonlySet<StepView> {
  const reached = new Set(starts.filter((start) => !stops.has(start)));
  for (const view of reached) {
    for (const next of followersOf(steps, view)) if (!stops.has(next)) reached.add(next);
  }
  return reached;
}

/** A text as it is; of anything else nothing. */
export function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
