// Throws sources at the parser and the evaluator. Nothing may throw, no limit may be passed, and the same source gives
// the same answer twice. Each source has a seed of its own, so that one violation can be shown again alone.

import type { Expression } from "../../src/flow/expression/ast.ts";
import { evaluateCondition } from "../../src/flow/expression/condition.ts";
import { evaluate } from "../../src/flow/expression/evaluate.ts";
import { createBudget, type Scope } from "../../src/flow/expression/evaluation.ts";
import { byteLength, fuelMax, textBytesMax, valueDepthMax } from "../../src/flow/expression/limits.ts";
import { parseExpression } from "../../src/flow/expression/parse.ts";
import { isArray, isObject, type Json } from "../../src/flow/json.ts";
import { parseTemplate } from "../../src/flow/template/parse.ts";
import { createRandom } from "../../src/testing/random.ts";
import { fuzzValues, randomSource } from "./expression-sources.ts";

export type FuzzExpressionsOptions = {
  readonly count: number;
  /** Of the first source; the next one has the next seed. */
  readonly seed: number;
  readonly onProgress?: (done: number) => void;
};

export type FuzzExpressionsReport = {
  readonly tried: number;
  readonly parsed: number;
  /** Parsed, and evaluated to a value. */
  readonly evaluated: number;
  /** By the code of the problem, of the parser or the evaluator. */
  readonly refused: { readonly [code: string]: number };
  readonly violations: readonly string[];
};

/** A run that finds this many has shown enough. */
const violationsMax = 100;

export function fuzzExpressions({ count, seed, onProgress }: FuzzExpressionsOptions): FuzzExpressionsReport {
  const tally: Tally = { parsed: 0, evaluated: 0, refused: new Map(), violations: [] };
  let tried = 0;
  while (tried < count && tally.violations.length < violationsMax) {
    const at = seed + tried;
    const { kind, source } = randomSource(createRandom(at));
    try {
      const broken = checkSource(tally, source);
      // Conditions and templates use the same parser: a part of the sources is enough for what they add.
      if (at % 8 === 0) broken.push(...checkElsewhere(source));
      tally.violations.push(...broken.map((claim) => show(at, `${kind}: ${claim}`, source)));
    } catch (error) {
      tally.violations.push(show(at, `${kind}: it threw ${String(error)}`, source));
    }
    tried += 1;
    onProgress?.(tried);
  }
  const { parsed, evaluated, refused, violations } = tally;
  return { tried, parsed, evaluated, refused: Object.fromEntries(refused), violations };
}

type Tally = {
  parsed: number;
  evaluated: number;
  readonly refused: Map<string, number>;
  readonly violations: string[];
};

function show(seed: number, broken: string, source: string): string {
  return `seed ${seed}, ${broken}: ${JSON.stringify(source.slice(0, 300))}`;
}

/** What does not hold for this source. */
function checkSource(tally: Tally, source: string): string[] {
  const result = parseExpression(source);
  if (!isSame(result, parseExpression(source))) return ["it parsed in two ways"];
  if (!result.ok) {
    const { code, at, end, message } = result.problem;
    countRefusal(tally, code);
    const isPlaced = at >= 0 && at <= end && end <= source.length + 1 && message !== "";
    return isPlaced ? [] : ["its problem has no place"];
  }
  tally.parsed += 1;
  return isFrozen(result.expression) ? checkValue(tally, result.expression) : ["its tree is not frozen"];
}

function countRefusal(tally: Tally, code: string): void {
  tally.refused.set(code, (tally.refused.get(code) ?? 0) + 1);
}

/** As a condition it never fails; in a template it ends where it ends alone. */
function checkElsewhere(source: string): readonly string[] {
  evaluateCondition(source, null);
  const { template, problems, unknownPlaceholders } = parseTemplate(`{{ ${source} }}`);
  const result = parseExpression(source);
  if (!result.ok || unknownPlaceholders.length > 0) return [];
  if (problems.length > 0) return ["it is no template"];
  const isAlone = template.kind === "expression" && template.expression.source === source.trim();
  return isAlone ? [] : ["it ends elsewhere in a template"];
}

const scope: Scope = { lookup: (root) => (Object.hasOwn(fuzzValues, root) ? fuzzValues[root] : undefined) };

function checkValue(tally: Tally, expression: Expression): string[] {
  const budget = createBudget();
  const result = evaluate(expression, scope, budget);
  const budgetAgain = createBudget();
  const again = evaluate(expression, scope, budgetAgain);
  const broken: string[] = [];
  if (!(budget.fuelLeft >= 0 && budget.fuelLeft <= fuelMax)) broken.push("it passed its fuel");
  if (!(budget.textBytesLeft >= 0 && budget.textBytesLeft <= textBytesMax)) broken.push("it passed its text");
  if (budget.fuelLeft !== budgetAgain.fuelLeft || !isSame(result, again)) broken.push("it gave two answers");
  if (result.ok) {
    tally.evaluated += 1;
    if (!isJson(result.value, 0)) broken.push("its value is not JSON within the limits");
  } else {
    countRefusal(tally, result.problem.code);
  }
  return broken;
}

function isJson(value: unknown, depth: number): value is Json {
  if (value === null || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value === "string") return value.length <= textBytesMax && byteLength(value) <= textBytesMax;
  if (depth >= valueDepthMax) return false;
  if (isArray(value)) return value.every((member) => isJson(member, depth + 1));
  return isObject(value) && Object.values(value).every((member) => isJson(member, depth + 1));
}

/** Deep, and exact about types; both sides come from the same code, so that their keys have the same order. */
function isSame(left: unknown, right: unknown): boolean {
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) {
    return Object.is(left, right);
  }
  if (left === right) return true;
  const keys = Object.keys(left);
  const others: readonly unknown[] = Object.values(right);
  return (
    keys.length === others.length &&
    Object.values(left).every((member: unknown, index) => isSame(member, others[index])) &&
    Object.keys(right).every((key, index) => key === keys[index])
  );
}

function isFrozen(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isFrozen);
}
