// What the parser carries along, and the few moves it is made of. A node is counted and frozen when it is made; depth is
// counted before the parser calls itself, so that no source can overflow the stack.

import type { Node } from "./ast.ts";
import { depthMax, nodesMax } from "./limits.ts";
import { stop, type ExpressionProblem, type Work } from "./problem.ts";
import { quoted, readToken, type Token } from "./tokens.ts";

export type Parser = Work<ExpressionProblem> & {
  readonly source: string;
  token: Token;
  depth: number;
  nodes: number;
  /** Nodes that stood in parentheses: their operators are no longer mixed with those around them. */
  readonly enclosed: Set<Node>;
};

export function createParser(source: string): Parser {
  return { source, token: readToken(source, 0), depth: 0, nodes: 0, enclosed: new Set(), problem: null };
}

export function advance(parser: Parser): void {
  parser.token = readToken(parser.source, parser.token.end);
}

export function isAt(parser: Parser, symbol: string): boolean {
  return parser.token.kind === "symbol" && parser.token.value === symbol;
}

export function isAtEnd(parser: Parser): boolean {
  return parser.token.kind === "end";
}

/** Steps over `symbol` if it is next. */
export function skip(parser: Parser, symbol: string): boolean {
  if (!isAt(parser, symbol)) return false;
  advance(parser);
  return true;
}

export function expect(parser: Parser, symbol: string, hint: string): void {
  if (!skip(parser, symbol)) unexpected(parser, hint);
}

/** Parses what stands inside something else. */
export function nested(parser: Parser, parse: (parser: Parser) => Node): Node {
  if (parser.depth >= depthMax) {
    return stop(parser, {
      code: "expression_too_deep",
      message: `The expression is nested deeper than ${depthMax}.`,
      hint: "Compute a part of it in a `set` step before.",
      at: parser.token.at,
      end: parser.token.end,
    });
  }
  parser.depth += 1;
  const node = parse(parser);
  parser.depth -= 1;
  return node;
}

export function make(parser: Parser, node: Node): Node {
  parser.nodes += 1;
  if (parser.nodes > nodesMax) {
    return stop(parser, {
      code: "expression_too_large",
      message: `The expression has more than ${nodesMax} parts.`,
      hint: "Compute a part of it in a `set` step before, or bring a long list as input.",
      at: node.at,
      end: node.at + 1,
    });
  }
  return Object.freeze(node);
}

export function refuse(parser: Parser, span: { at: number; end: number }, message: string, hint: string): never {
  return stop(parser, { code: "expression_syntax", message, hint, at: span.at, end: span.end });
}

/** Words of other languages, where an operator or a value should stand. */
const words: ReadonlyMap<string, string> = new Map([
  ["and", "Write && for and."],
  ["or", "Write || for or."],
  ["not", "Write ! for not."],
  ["is", "Write == to compare."],
  ["eq", "Write == to compare."],
  ["ne", "Write != to compare."],
  ["lt", "Write < to compare."],
  ["le", "Write <= to compare."],
  ["gt", "Write > to compare."],
  ["ge", "Write >= to compare."],
  ["mod", "Write % for the remainder."],
]);

/** Stops at the token that should not be there; a hint of the token's own is better than the caller's. */
export function unexpected(parser: Parser, hint: string): never {
  const { token, source } = parser;
  switch (token.kind) {
    case "bad": {
      const { message, at, end } = token;
      return stop(parser, { code: "expression_syntax", message, hint: token.hint ?? hint, at, end });
    }
    case "end":
      return refuse(parser, token, "The expression ends too early.", hint);
    case "name":
      return refuse(parser, token, `${quoted(token.value)} cannot stand here.`, words.get(token.value) ?? hint);
    case "number":
    case "text":
    case "symbol":
      return refuse(parser, token, `${quoted(source.slice(token.at, token.end))} cannot stand here.`, hint);
  }
}
