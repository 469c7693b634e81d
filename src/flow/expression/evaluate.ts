// From a tree and a scope to a value. Pure and bounded: the same expression and the same values give the same answer
// for ever, in at most `fuelMax` units of work, and every failure is a value.

import { isArray, isObject, objectFrom, own, type Json } from "../json.ts";
import type { Expression, Node, PathNode, SeedWord } from "./ast.ts";
import {
  createBudget,
  createEvaluation,
  produceContainer,
  spend,
  type Budget,
  type Evaluation,
  type Found,
  type Scope,
} from "./evaluation.ts";
import { functions } from "./functions.ts";
import { operate } from "./operators.ts";
import { attempt, type EvaluationProblem } from "./problem.ts";
import { isPath } from "./references.ts";
import { describe, finite, keysOf, truthOf, wrongOperand } from "./values.ts";

export type EvaluationResult<T> =
  | {
      readonly ok: true;
      readonly value: T;
      /** Paths that led nowhere, as written, each once; not those that `has` or `??` expected. */
      readonly missing: readonly string[];
    }
  | { readonly ok: false; readonly problem: EvaluationProblem };

/** The value of an expression. A missing path is null. `budget` is what several expressions share. */
export function evaluate(
  expression: Expression,
  scope: Scope,
  budget: Budget = createBudget(),
): EvaluationResult<Json> {
  const evaluation = createEvaluation(scope, budget);
  const done = attempt(evaluation, () => run(evaluation, expression) ?? null);
  return done.ok ? { ...done, missing: [...evaluation.missing] } : done;
}

/** Whether a condition holds: `if`, `guard`, `match`. Null is false; any other value that is not a boolean is a problem. */
export function evaluateTruth(expression: Expression, scope: Scope): EvaluationResult<boolean> {
  const evaluation = createEvaluation(scope, createBudget());
  const done = attempt(evaluation, () => truthOf(evaluation, run(evaluation, expression), 0));
  return done.ok ? { ...done, missing: [...evaluation.missing] } : done;
}

/** Evaluates inside an evaluation that is under way; undefined when the whole is a path that leads nowhere. */
export function run(evaluation: Evaluation, expression: Expression): Found {
  evaluation.source = expression.source;
  return visit(evaluation, expression.node);
}

function visit(evaluation: Evaluation, node: Node): Found {
  spend(evaluation, 1, node.at);
  switch (node.kind) {
    case "literal":
      return node.value;
    case "name":
    case "member":
    case "index": {
      const found = follow(evaluation, node);
      if (found === undefined) evaluation.missing.add(evaluation.source.slice(node.at, node.end));
      return found;
    }
    case "unary":
      return visitUnary(evaluation, node);
    case "binary":
      return visitBinary(evaluation, node);
    case "conditional":
      return visit(evaluation, isTrue(evaluation, node.test) ? node.whenTrue : node.whenFalse);
    case "list":
      return visitList(evaluation, node);
    case "map":
      return visitMap(evaluation, node);
    case "call":
      return visitCall(evaluation, node);
    case "macro":
      return visitMacro(evaluation, node);
    case "seed":
      return isMeant(node.word, evaluation.scope.lookup("result") ?? null) !== node.negated;
  }
}

type NodeOf<Kind extends Node["kind"]> = Extract<Node, { kind: Kind }>;

function isTrue(evaluation: Evaluation, node: Node): boolean {
  return truthOf(evaluation, visit(evaluation, node), node.at);
}

/** Follows a path without a word about where it leads; a path inside it counts as part of it. */
function follow(evaluation: Evaluation, node: PathNode): Found {
  if (node.kind === "name") return lookup(evaluation, node.name);
  spend(evaluation, 1, node.at);
  const object = isPath(node.object) ? follow(evaluation, node.object) : visit(evaluation, node.object);
  if (node.kind === "member") return isObject(object) ? own(object, node.key) : undefined;
  const index = visit(evaluation, node.index);
  if (isArray(object)) return typeof index === "number" ? object[index] : undefined;
  return isObject(object) && typeof index === "string" ? own(object, index) : undefined;
}

function lookup(evaluation: Evaluation, name: string): Found {
  for (let variable = evaluation.variables; variable !== null; variable = variable.outer) {
    if (variable.name === name) return variable.value;
  }
  return evaluation.scope.lookup(name);
}

function visitUnary(evaluation: Evaluation, { operator, operand, at }: NodeOf<"unary">): Json {
  if (operator === "!") return !isTrue(evaluation, operand);
  const value = visit(evaluation, operand);
  if (typeof value === "number") return finite(evaluation, -value, at);
  return wrongOperand(evaluation, `- cannot take ${describe(value)}. It takes a number.`, at);
}

function visitBinary(evaluation: Evaluation, node: NodeOf<"binary">): Found {
  const { operator, at } = node;
  switch (operator) {
    case "&&":
      return isTrue(evaluation, node.left) && isTrue(evaluation, node.right);
    case "||":
      return isTrue(evaluation, node.left) || isTrue(evaluation, node.right);
    case "??": {
      const left = isPath(node.left) ? follow(evaluation, node.left) : visit(evaluation, node.left);
      return left ?? visit(evaluation, node.right);
    }
    case "==":
    case "!=":
    case "<":
    case "<=":
    case ">":
    case ">=":
    case "in":
    case "+":
    case "-":
    case "*":
    case "/":
    case "%": {
      const left = visit(evaluation, node.left);
      const right = visit(evaluation, node.right);
      return operate({ evaluation, operator, left, right, at });
    }
  }
}

function visitList(evaluation: Evaluation, { items, at }: NodeOf<"list">): Json {
  const list = items.map((item) => visit(evaluation, item) ?? null);
  return produceContainer(evaluation, list, list, at);
}

function visitMap(evaluation: Evaluation, { entries, at }: NodeOf<"map">): Json {
  const members = new Map<string, Json>();
  for (const [keyNode, valueNode] of entries) {
    const key = visit(evaluation, keyNode);
    if (typeof key !== "string") {
      return wrongOperand(evaluation, `The key of a map is a text, not ${describe(key)}. Write {"key": value}.`, at);
    }
    if (members.has(key)) return wrongOperand(evaluation, "A map has one key twice. Write each key once.", keyNode.at);
    members.set(key, visit(evaluation, valueNode) ?? null);
  }
  return produceContainer(evaluation, objectFrom(members), [...members.keys(), ...members.values()], at);
}

function visitCall(evaluation: Evaluation, { name, args, at }: NodeOf<"call">): Json {
  if (name === "has") return args.every((path) => isPath(path) && follow(evaluation, path) !== undefined);
  const values = args.map((argument) => visit(evaluation, argument));
  return functions[name]({ evaluation, name, args: values, at });
}

function visitMacro(evaluation: Evaluation, node: NodeOf<"macro">): Json {
  const members = membersOf(evaluation, node);
  const outer = evaluation.variables;
  const body = (value: Json): Found => {
    evaluation.variables = { name: node.variable, value, outer };
    return visit(evaluation, node.body);
  };
  const holds = (value: Json): boolean => truthOf(evaluation, body(value), node.body.at);
  const answer = applyMacro(node, members, { body, holds });
  evaluation.variables = outer;
  return isArray(answer) ? produceContainer(evaluation, answer, answer, node.at) : answer;
}

type MacroBody = { readonly body: (value: Json) => Found; readonly holds: (value: Json) => boolean };

function applyMacro(node: NodeOf<"macro">, members: readonly Json[], { body, holds }: MacroBody): Json {
  switch (node.name) {
    case "all":
      return members.every(holds);
    case "exists":
      return members.some(holds);
    case "filter":
      return members.filter(holds);
    case "map":
      return members.map((member) => body(member) ?? null);
  }
}

/** What a macro goes through: the members of a list, the keys of a map. */
function membersOf(evaluation: Evaluation, node: NodeOf<"macro">): readonly Json[] {
  const list = visit(evaluation, node.list);
  if (isArray(list)) return list;
  if (isObject(list)) return keysOf(evaluation, list, node.at);
  const cure = list === null || list === undefined ? " Write (path ?? []) for one that may be missing." : "";
  return wrongOperand(evaluation, `${node.name} needs a list or a map, not ${describe(list)}.${cure}`, node.at);
}

/** The seeds' idea of sameness: tools answer with texts where they mean values. */
function isMeant(word: SeedWord, result: Json): boolean {
  switch (word.kind) {
    case "true":
      return result === true || result === "true";
    case "false":
      return result === false || result === "false";
    case "nil":
      return result === null || result === "" || result === "nil";
    case "number":
      return result === word.value || result === word.text;
    case "text":
      return result === word.value;
  }
}
