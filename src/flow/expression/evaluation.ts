// What one evaluation carries along, and what it pays with. Everything is paid for before it is done, so that what is
// left never goes below zero.

import { isArray, type Json } from "../json.ts";
import { byteLength, fuelMax, membersPerFuel, textBytesMax, textPerFuel, valueDepthMax } from "./limits.ts";
import { stop, type EvaluationProblem, type Work } from "./problem.ts";

/** Where the values of root names come from. */
export interface Scope {
  /** undefined: this root has no value here. */
  lookup(root: string): Json | undefined;
}

/** What is left; one budget can serve several expressions. */
export type Budget = { fuelLeft: number; textBytesLeft: number };

export function createBudget(): Budget {
  return { fuelLeft: fuelMax, textBytesLeft: textBytesMax };
}

/** What a path leads to; undefined when it leads nowhere, which counts as null wherever a value is needed. */
export type Found = Json | undefined;

type Variable = { readonly name: string; readonly value: Json; readonly outer: Variable | null };

export type Evaluation = Work<EvaluationProblem> & {
  readonly scope: Scope;
  readonly budget: Budget;
  /** Of the expression at work; a template evaluates several in turn. */
  source: string;
  /** The macros' variables, innermost first. */
  variables: Variable | null;
  /** Paths that led nowhere, as written. */
  readonly missing: Set<string>;
  readonly weights: Map<object, Weight>;
};

export function createEvaluation(scope: Scope, budget: Budget): Evaluation {
  return { scope, budget, source: "", variables: null, missing: new Set(), weights: new Map(), problem: null };
}

export function spend(evaluation: Evaluation, fuel: number, at: number): void {
  const { budget } = evaluation;
  if (fuel > budget.fuelLeft) exhaust(evaluation, at);
  budget.fuelLeft -= fuel;
}

function exhaust(evaluation: Evaluation, at: number): never {
  const message = `The expression needs more than ${fuelMax} units of fuel. Let a tool do this much work, or give it less data.`;
  return stop(evaluation, { code: "fuel_exhausted", message, at });
}

/** Pays for reading `text` as often as `times` says. */
export function spendReading(evaluation: Evaluation, text: string, at: number, times: number = 1): void {
  spend(evaluation, Math.floor((text.length * times) / textPerFuel), at);
}

/** Makes sure that a text of at least `length` may be produced, before it is. */
export function reserveText(evaluation: Evaluation, length: number, at: number): void {
  if (length > evaluation.budget.textBytesLeft) refuseText(evaluation, at);
  spend(evaluation, Math.floor(length / textPerFuel), at);
}

/** Pays for a text that was produced. */
export function produceText(evaluation: Evaluation, text: string, at: number): string {
  const bytes = byteLength(text);
  if (bytes > evaluation.budget.textBytesLeft) refuseText(evaluation, at);
  evaluation.budget.textBytesLeft -= bytes;
  return text;
}

function refuseText(evaluation: Evaluation, at: number): never {
  const message = `More than ${textBytesMax} bytes of text would be produced. Let a tool write a text this long.`;
  return stop(evaluation, { code: "text_too_long", message, at });
}

/** What a value holds when it is written out: `size` in members, eight characters of text counting as one more. */
export type Weight = { readonly size: number; readonly depth: number };

/** Pays for a list or a map that was built of `members`, and refuses one that is too deep. */
export function produceContainer<T extends object>(
  evaluation: Evaluation,
  container: T,
  members: readonly Json[],
  at: number,
): T {
  let size = 1;
  let depth = 0;
  for (const member of members) {
    if (typeof member !== "object" || member === null) size += sizeOfScalar(member);
    else {
      const weight = weigh(evaluation, member, at);
      size += weight.size;
      depth = Math.max(depth, weight.depth);
    }
  }
  if (depth >= valueDepthMax) refuseDepth(evaluation, at);
  spend(evaluation, Math.floor(size / membersPerFuel), at);
  if (size > membersPerFuel) evaluation.weights.set(container, { size, depth: depth + 1 });
  return container;
}

export function refuseDepth(evaluation: Evaluation, at: number): never {
  const message = `The value is nested deeper than ${valueDepthMax}. Take a part of it.`;
  return stop(evaluation, { code: "too_deep", message, at });
}

/** The weight of a value. It is remembered when it is large, so that a value that holds another one many times is not
 *  walked through as many times. */
export function weigh(evaluation: Evaluation, value: Json, at: number): Weight {
  const walk: Walk = { evaluation, at, sizeMax: (evaluation.budget.fuelLeft + 1) * membersPerFuel, size: 0 };
  const depth = walkThrough(walk, value, 0);
  const weight = { size: walk.size, depth };
  if (typeof value === "object" && value !== null && weight.size > membersPerFuel) {
    evaluation.weights.set(value, weight);
  }
  return weight;
}

function sizeOfScalar(value: string | number | boolean | null): number {
  return typeof value === "string" ? 1 + (value.length >> 3) : 1;
}

type Walk = { readonly evaluation: Evaluation; readonly at: number; readonly sizeMax: number; size: number };

/** Adds up the size and returns the depth; stops as soon as nobody could pay for it any more. */
function walkThrough(walk: Walk, value: Json, level: number): number {
  if (typeof value !== "object" || value === null) {
    walk.size += sizeOfScalar(value);
    return 0;
  }
  const known = walk.evaluation.weights.get(value);
  if (known !== undefined) {
    walk.size += known.size;
    return known.depth;
  }
  if (level >= valueDepthMax) refuseDepth(walk.evaluation, walk.at);
  walk.size += 1;
  let depth = 0;
  for (const member of isArray(value) ? value : Object.entries(value).flat()) {
    depth = Math.max(depth, walkThrough(walk, member, level + 1));
    if (walk.size > walk.sizeMax) exhaust(walk.evaluation, walk.at);
  }
  return depth + 1;
}
