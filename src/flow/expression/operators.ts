// What the operators do with values that are already there. `&&`, `||`, `??` and `?:` are not here: they decide what
// is evaluated at all.

import { isArray, isObject, type Json } from "../json.ts";
import type { BinaryOperator } from "./ast.ts";
import { produceContainer, spend, spendReading, type Evaluation, type Found } from "./evaluation.ts";
import { describe, finite, isEqual, isLess, joinTexts, wrongOperand } from "./values.ts";

type PlainOperator = Exclude<BinaryOperator, "&&" | "||" | "??">;

/** One operation: its operands as they were found, and where it stands. */
export type Operation = {
  readonly evaluation: Evaluation;
  readonly operator: PlainOperator;
  readonly left: Found;
  readonly right: Found;
  readonly at: number;
};

export function operate(operation: Operation): Json {
  const { evaluation, operator, left = null, right = null, at } = operation;
  switch (operator) {
    case "==":
      return isEqual(evaluation, left, right, at);
    case "!=":
      return !isEqual(evaluation, left, right, at);
    case "<":
      return isLess(evaluation, left, right, at);
    case ">":
      return isLess(evaluation, right, left, at);
    case "<=":
      return isOrdered(left, right) && !isLess(evaluation, right, left, at);
    case ">=":
      return isOrdered(left, right) && !isLess(evaluation, left, right, at);
    case "in":
      return isIn(operation, left, right);
    case "+":
      return add(operation, left, right);
    case "-":
    case "*":
    case "/":
    case "%":
      if (typeof left !== "number" || typeof right !== "number") return refuse(operation);
      return finite(evaluation, calculate(operator, left, right), at);
  }
}

function calculate(operator: "-" | "*" | "/" | "%", left: number, right: number): number {
  switch (operator) {
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      return left / right;
    case "%":
      return left % right;
  }
}

/** Both of one type that has an order; `<=` of anything else is false, as `<` is. */
function isOrdered(left: Json, right: Json): boolean {
  return typeof left === typeof right && typeof left !== "object";
}

function add(operation: Operation, left: Json, right: Json): Json {
  const { evaluation, at } = operation;
  if (typeof left === "number" && typeof right === "number") return finite(evaluation, left + right, at);
  if (typeof left === "string" && typeof right === "string") return joinTexts(evaluation, [left, right], "", at);
  if (!isArray(left) || !isArray(right)) return refuse(operation);
  spend(evaluation, left.length + right.length, at);
  const list = [...left, ...right];
  return produceContainer(evaluation, list, list, at);
}

function isIn(operation: Operation, left: Json, right: Json): boolean {
  const { evaluation, at } = operation;
  if (isArray(right)) return right.some((member) => isEqual(evaluation, left, member, at));
  if (!isObject(right)) return refuse(operation);
  if (typeof left !== "string") return false;
  spendReading(evaluation, left, at);
  return Object.hasOwn(right, left);
}

function refuse({ evaluation, operator, left, right, at }: Operation): never {
  const message = `${operator} cannot take ${describe(left)} and ${describe(right)}.${cureFor(operator, left, right)}`;
  return wrongOperand(evaluation, message, at);
}

function cureFor(operator: PlainOperator, left: Found, right: Found): string {
  if (operator === "in")
    return isNothing(right) ? " Write in (path ?? [])." : " Look in a list, or for a key in a map.";
  if (isNothing(left) || isNothing(right)) return " Give what is missing a value with ??.";
  if (typeof left === "string" || typeof right === "string") return " Write string(x) or number(x) to make them alike.";
  return operator === "+" ? " It adds numbers, texts or lists." : " It takes numbers.";
}

function isNothing(value: Found): boolean {
  return value === undefined || value === null;
}
