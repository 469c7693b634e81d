// Moves and removes steps. In a pipeline others may lead to a step by its number: they go on leading to the same step.

import { isObject, type Json } from "./json.ts";
import { pointerOf, setAt, valueAt, type Patch, type Path } from "./patch.ts";
import type { StepPlace } from "./step-form.ts";

export type Order = {
  /** From 0; null: the order in which steps are written means nothing. */
  readonly at: number | null;
  readonly count: number;
  /** Why they cannot be moved; null: they can. */
  readonly problem: string | null;
};

export function orderOf(flow: Json, { path, notation }: StepPlace): Order {
  if (notation !== "pipeline") return { at: null, count: 0, problem: null };
  const steps = stepsIn(flow);
  const isNumbered = steps.some((step) => isObject(step) && "position" in step);
  const problem = isNumbered ? "Its steps say their positions themselves: change them in the text." : null;
  return { at: Number(path[1]), count: steps.length, problem };
}

function stepsIn(flow: Json): readonly Json[] {
  const steps = valueAt(flow, ["steps"]);
  return Array.isArray(steps) ? (steps as readonly Json[]) : [];
}

/** One place up or down. */
export function moveStep(flow: Json, from: number, to: number): Patch {
  const moved = (at: number): number => (at === from ? to : at === to ? from : at);
  const move = {
    op: "move",
    from: pointerOf(["steps", String(from)]),
    path: pointerOf(["steps", String(to)]),
  } as const;
  return [move, ...retarget(flow, moved)];
}

/** Whoever led to it by its number then leads to the one behind it. */
export function removeStep(flow: Json, { path, notation }: StepPlace): Patch {
  const remove = { op: "remove", path: pointerOf(path) } as const;
  if (notation !== "pipeline") return [remove];
  const gone = Number(path[1]);
  return [remove, ...retarget(flow, (at) => (at > gone ? at - 1 : at), gone)];
}

/** Numbers of steps as they are from then on, where each then stands. */
function retarget(flow: Json, moved: (at: number) => number, gone: number | null = null): Patch {
  const steps = stepsIn(flow);
  return steps.flatMap((step, at) => {
    if (at === gone) return [];
    return numbersIn(step).flatMap(({ path, no }): Patch => {
      const isLast = no - 1 === gone && gone === steps.length - 1;
      const value = isLast ? "end" : moved(no - 1) + 1;
      if (value === no) return [];
      return [{ op: "replace", path: pointerOf(["steps", String(moved(at)), ...path]), value }];
    });
  });
}

type Numbered = { readonly path: Path; readonly no: number };

function numbersIn(step: Json): readonly Numbered[] {
  if (!isObject(step)) return [];
  const { routes, branch } = step;
  const places: readonly Path[] = [
    ...["next", "else", "on_error", "input_from"].map((key) => [key]),
    ...(isObject(routes) ? Object.keys(routes).map((name) => ["routes", name]) : []),
    ...(Array.isArray(routes) ? routes.map((_, at) => ["routes", String(at), "goto"]) : []),
    ...(Array.isArray(branch) ? branch.map((_, at) => ["branch", String(at), "then"]) : []),
  ];
  return places.flatMap((path) => {
    const no = valueAt(step, path);
    return typeof no === "number" ? [{ path, no }] : [];
  });
}

/** What a flow says about itself. */
export function setAbout(flow: Json, key: "name" | "description" | "timeout" | "cancel", text: string): Patch {
  return setAt(flow, [key], text === "" ? undefined : text);
}

/** A bare map of steps has no place for what is about all of them. */
export function hasWrapper(flow: Json): boolean {
  return isObject(flow) && ("steps" in flow || "states" in flow || "format" in flow);
}
