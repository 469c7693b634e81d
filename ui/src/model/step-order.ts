// Moves and removes steps. In a pipeline others may lead to a step by its number, or by the name that it has from its
// number: they go on leading to the same step.

import { isObject, type Json } from "./json.ts";
import { pointerOf, setAt, valueAt, type Patch, type Path } from "./patch.ts";
import type { StepPlace } from "./step-form.ts";
import { mentionsIn, nameOfPlace, numberOf, readsByNumber, saysName, type Mention } from "./step-references.ts";

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
  return { at: Number(path[1]), count: steps.length, problem: problemOf(steps) };
}

function problemOf(steps: readonly Json[]): string | null {
  if (steps.some((step) => isObject(step) && "position" in step))
    return "Its steps say their positions themselves: change them in the text.";
  if (steps.some((step, at) => numberOf(nameOfPlace(step, at)) !== null))
    return "A step is called by a number: change the order in the text.";
  if (steps.some(readsByNumber))
    return "An expression may read a step by its number (steps[…]): change the order in the text.";
  return null;
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
  const change: Change = { steps: stepsIn(flow), moved, gone: null };
  return [...giveNames(flow, change), move, ...retarget(flow, change)];
}

/** Whoever led to it by its number then leads to the one behind it. */
export function removeStep(flow: Json, { path, notation }: StepPlace): Patch {
  const remove = { op: "remove", path: pointerOf(path) } as const;
  if (notation !== "pipeline") return [remove];
  const gone = Number(path[1]);
  const change: Change = { steps: stepsIn(flow), moved: (at) => (at > gone ? at - 1 : at), gone };
  return [...giveNames(flow, change), remove, ...retarget(flow, change)];
}

type Change = {
  readonly steps: readonly Json[];
  /** Where each then stands. */
  readonly moved: (at: number) => number;
  readonly gone: number | null;
};

/** A step without a name is called by its number. Where one of these names is said, whoever gets another number keeps
 *  what it is called, in writing: rewriting each expression would have to understand all of them. */
function giveNames(flow: Json, { steps, moved, gone }: Change): Patch {
  const movers = [...steps.keys()].filter((at) => at === gone || moved(at) !== at);
  const nameless = movers.filter((at) => at !== gone && isObject(steps[at]) && !hasName(steps[at]));
  const names = movers.map((at) => `step_${at + 1}`);
  if (nameless.length === 0 || !saysName([valueAt(flow, ["start"]) ?? null, steps], names)) return [];
  return nameless.map((at) => ({
    op: "add",
    path: pointerOf(["steps", String(at), "name"]),
    value: nameOfPlace(steps[at], at),
  }));
}

function hasName(step: Json | undefined): boolean {
  return isObject(step) && typeof step["name"] === "string";
}

/** Numbers of steps as they are from then on. */
function retarget(flow: Json, change: Change): Patch {
  const { steps, moved, gone } = change;
  const start = valueAt(flow, ["start"]);
  const begin =
    typeof start === "string" || typeof start === "number" ? { path: ["start"], value: start, isWay: true } : null;
  return [
    // Nothing can begin with the end.
    ...(begin === null || isLast(change, begin) ? [] : renumber(change, begin, ["start"])),
    ...steps.flatMap((step, at) => {
      if (at === gone) return [];
      const place = ["steps", String(moved(at))];
      return mentionsIn(step).flatMap((mention) => renumber(change, mention, [...place, ...mention.path]));
    }),
  ];
}

function isLast({ steps, gone }: Change, { value }: Mention): boolean {
  return gone !== null && gone === steps.length - 1 && numberOf(value) === steps.length;
}

function renumber(change: Change, mention: Mention, path: Path): Patch {
  const { steps, moved, gone } = change;
  const { value, isWay } = mention;
  const no = numberOf(value);
  const at = no === null ? -1 : no - 1;
  const isGone = gone !== null && (at === gone || value === nameOfPlace(steps[gone], gone));
  if (isGone && !isWay) return [{ op: "remove", path: pointerOf(path) }];
  if (no === null || at >= steps.length) return [];
  if (isLast(change, mention)) {
    // Where a step is called end, a number of none is left: it is found, and a wrong way is not.
    const isTaken = steps.some((step, other) => nameOfPlace(step, other) === "end");
    return isTaken ? [] : [{ op: "replace", path: pointerOf(path), value: "end" }];
  }
  const next = moved(at) + 1;
  if (next === no) return [];
  return [{ op: "replace", path: pointerOf(path), value: typeof value === "string" ? String(next) : next }];
}

/** What a flow says about itself. */
export function setAbout(flow: Json, key: "name" | "description" | "timeout" | "cancel", text: string): Patch {
  return setAt(flow, [key], text === "" ? undefined : text);
}

/** A bare map of steps has no place for what is about all of them. */
export function hasWrapper(flow: Json): boolean {
  return isObject(flow) && ("steps" in flow || "states" in flow || "format" in flow);
}
