// Conditions: `if`, `guard` and `match`. The seeds' `result == W` is recognised first and keeps its meaning; anything
// else is an expression.

import type { Json } from "../json.ts";
import type { SeedWord } from "./ast.ts";
import { evaluateTruth } from "./evaluate.ts";
import { sourceBytesMax } from "./limits.ts";
import { createExpression, parseExpression } from "./parse.ts";
import type { ParseResult } from "./problem.ts";
import { isKnownRoot } from "./references.ts";
import { readToken } from "./tokens.ts";

/** Reads a condition: one of the seeds', or any expression. */
export function parseCondition(source: string): ParseResult {
  const seed = readSeed(source);
  if (seed === null) return parseExpression(source);
  const node = Object.freeze({ kind: "seed", ...seed, at: source.indexOf("result") } as const);
  return { ok: true, expression: createExpression(source, node) };
}

/**
 * Whether `condition` holds for a step's result. What is no condition, asks for anything else, or fails, is false and
 * never an error.
 *
 *     evaluateCondition("result == true", "true"); // true
 *     evaluateCondition("result.count + 1 == 4", { count: 3 }); // true
 */
export function evaluateCondition(condition: string, result: Json): boolean {
  const parsed = parseCondition(condition);
  if (!parsed.ok || parsed.expression.references.some(({ root }) => root !== "result")) return false;
  const answer = evaluateTruth(parsed.expression, { lookup: () => result });
  return answer.ok && answer.value;
}

type Seed = { readonly negated: boolean; readonly word: SeedWord };

/** The parts of `result == W` or `result != W`, when that is the whole text. */
function readSeed(source: string): Seed | null {
  if (source.length > sourceBytesMax) return null;
  const text = source.trim();
  if (!text.startsWith("result")) return null;
  const rest = text.slice("result".length).trimStart();
  const operator = rest.slice(0, 2);
  if (operator !== "==" && operator !== "!=") return null;
  const word = readWord(rest.slice(2).trim());
  return word === null ? null : { negated: operator === "!=", word: Object.freeze(word) };
}

function readWord(text: string): SeedWord | null {
  if (text === "true" || text === "false" || text === "nil") return { kind: text };
  return readNumber(text) ?? readQuoted(text) ?? readBare(text);
}

function readNumber(text: string): SeedWord | null {
  const start = text.startsWith("-") ? 1 : 0;
  const token = readToken(text, start);
  if (token.kind !== "number" || token.at !== start || token.end !== text.length) return null;
  return { kind: "number", value: start === 1 ? -token.value : token.value, text };
}

function readQuoted(text: string): SeedWord | null {
  const token = readToken(text, 0);
  return token.kind === "text" && token.end === text.length ? { kind: "text", value: token.value } : null;
}

/** A word without quotes. `null` is the expression's own, which an empty text does not equal; `index-1` is a
 *  subtraction, since it begins with a root's name. */
function readBare(text: string): SeedWord | null {
  if (!/^[\p{L}_][\p{L}\p{M}\p{N}_-]*$/u.test(text) || text === "null") return null;
  const [beginning = ""] = text.split("-", 1);
  return isKnownRoot(beginning) ? null : { kind: "text", value: text };
}
