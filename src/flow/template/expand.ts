// Filling in a template, once, just before it is used. Secrets stay placeholders: the places are listed, so that the
// dispatcher fills exactly those, and data that looks like a placeholder stays data.

import {
  createBudget,
  createEvaluation,
  refuseDepth,
  reserveText,
  spend,
  produceText,
  weigh,
  type Evaluation,
  type Scope,
} from "../expression/evaluation.ts";
import type { Expression } from "../expression/ast.ts";
import { run } from "../expression/evaluate.ts";
import { membersPerFuel, valueDepthMax } from "../expression/limits.ts";
import { attempt, stop, type EvaluationProblem } from "../expression/problem.ts";
import { textOf } from "../expression/values.ts";
import { objectFrom, type Json } from "../json.ts";
import { pointerTo, type Pointer } from "../pointer.ts";
import type { Template, TextPart } from "./template.ts";

/** Where a secret's value belongs: `length` UTF-16 units from `offset` of the text at `pointer`. */
export type SecretPlace = {
  readonly pointer: Pointer;
  readonly offset: number;
  readonly length: number;
  readonly name: string;
};

type ExpansionProblem = EvaluationProblem & {
  readonly pointer: Pointer;
  /** The expression that failed; `at` is an offset in it. */
  readonly source: string;
};

export type Expansion =
  | {
      readonly ok: true;
      readonly value: Json;
      /** Paths that led nowhere, as written, each once. */
      readonly missing: readonly string[];
      readonly secrets: readonly SecretPlace[];
    }
  | { readonly ok: false; readonly problem: ExpansionProblem };

export type ExpandOptions = {
  /** A missing reference is a problem, not "". */
  readonly strict: boolean;
};

/** The value that a template stands for in this scope. The whole of it has one budget of fuel and text. */
export function expandTemplate(template: Template, scope: Scope, { strict }: ExpandOptions): Expansion {
  const evaluation = createEvaluation(scope, createBudget());
  const filling: Filling = { evaluation, strict, path: [], secrets: [] };
  const done = attempt(evaluation, () => fill(filling, template));
  if (done.ok) return { ...done, missing: [...evaluation.missing], secrets: filling.secrets };
  return { ok: false, problem: { ...done.problem, pointer: pointerTo(...filling.path), source: evaluation.source } };
}

type Filling = {
  readonly evaluation: Evaluation;
  readonly strict: boolean;
  /** Keys and indexes from the root to the place at work. */
  readonly path: (string | number)[];
  readonly secrets: SecretPlace[];
};

function fill(filling: Filling, template: Template): Json {
  switch (template.kind) {
    case "value":
      return template.value;
    case "expression":
      return place(filling, evaluatePart(filling, template.expression));
    case "secret":
      return addSecret(filling, template.name, 0);
    case "text":
      return fillText(filling, template.parts);
    case "list":
      return template.items.map((item, index) => fillMember(filling, item, index));
    case "map":
      return objectFrom(template.entries.map(([key, member]) => [key, fillMember(filling, member, key)] as const));
  }
}

function fillMember(filling: Filling, member: Template, key: string | number): Json {
  spend(filling.evaluation, 1, 0);
  filling.path.push(key);
  const value = fill(filling, member);
  filling.path.pop();
  return value;
}

/** The value of one placeholder; what leads nowhere is the empty text. */
function evaluatePart({ evaluation, strict }: Filling, expression: Expression): Json {
  const value = run(evaluation, expression);
  const [missing] = evaluation.missing;
  if (strict && missing !== undefined) {
    const message = `${missing} is missing, and this flow is strict. Give it a value, or a default with ??.`;
    return stop(evaluation, { code: "missing_reference", message, at: 0 });
  }
  return value ?? (value === null ? null : "");
}

/** Puts a value into the lists and maps around it. One that stands alone is handed on as it is, whatever its size. */
function place({ evaluation, path }: Filling, value: Json): Json {
  if (path.length === 0) return value;
  const { size, depth } = weigh(evaluation, value, 0);
  if (path.length + depth > valueDepthMax) refuseDepth(evaluation, 0);
  spend(evaluation, Math.floor(size / membersPerFuel), 0);
  return value;
}

function fillText(filling: Filling, parts: readonly TextPart[]): string {
  const { evaluation } = filling;
  let text = "";
  for (const part of parts) {
    if (part.kind === "secret") text += addSecret(filling, part.name, text.length);
    else {
      const value = part.kind === "value" ? part.value : evaluatePart(filling, part.expression);
      const piece = textOf(evaluation, value, 0);
      reserveText(evaluation, piece.length, 0);
      text += produceText(evaluation, piece, 0);
    }
  }
  return text;
}

function addSecret({ path, secrets }: Filling, name: string, offset: number): string {
  const text = `{{ secrets.${name} }}`;
  secrets.push({ pointer: pointerTo(...path), offset, length: text.length, name });
  return text;
}
