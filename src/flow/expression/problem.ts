// What can be wrong with an expression, and the one way out of the parser and the evaluator. Both stop at the first
// problem from any depth; that is an exception inside and a value outside, and it is thrown and caught only here.

import type { Expression } from "./ast.ts";

type ExpressionCode =
  | "expression_syntax"
  | "expression_too_long"
  | "expression_too_deep"
  | "expression_too_large"
  | "unknown_function"
  | "secret_outside_args";

export type ExpressionProblem = {
  readonly code: ExpressionCode;
  /** What is wrong, as a sentence. */
  readonly message: string;
  /** What to write instead, as a sentence. */
  readonly hint?: string;
  /** Offsets in the source, in UTF-16 units; `end` is the first one behind the trouble. */
  readonly at: number;
  readonly end: number;
};

export type ParseResult =
  | { readonly ok: true; readonly expression: Expression }
  | { readonly ok: false; readonly problem: ExpressionProblem };

type EvaluationCode =
  | "fuel_exhausted"
  | "text_too_long"
  | "too_deep"
  | "not_finite"
  | "not_a_number"
  | "wrong_operand"
  | "missing_reference";

export type EvaluationProblem = {
  readonly code: EvaluationCode;
  /** What is wrong and what to do. */
  readonly message: string;
  /** Offset in the expression's source. */
  readonly at: number;
};

/** Work that can stop: `problem` is set when it does. */
export type Work<P> = { problem: P | null };

// One error for all stops: nobody sees it, and a fresh one each time would pay for a stack trace.
const stopped = new Error("This work was stopped by a problem that its caller returns.");

export function stop<P>(work: Work<P>, problem: P): never {
  work.problem = problem;
  throw stopped;
}

/** What `run` returns, or the problem that stopped it. */
export function attempt<P, T>(
  work: Work<P>,
  run: () => T,
): { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: P } {
  try {
    return { ok: true, value: run() };
  } catch (error) {
    if (error === stopped && work.problem !== null) return { ok: false, problem: work.problem };
    throw error;
  }
}
