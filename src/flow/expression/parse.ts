// From text to a frozen tree, by precedence climbing. Loosest first: `?:`, `||`, `&&`, comparisons and `in`, `??`,
// `+ -`, `* / %`, `! -`, then members, indexes and calls.

import type { BinaryOperator, Expression, Node } from "./ast.ts";
import { parseCall, parseItems } from "./call.ts";
import { byteLength, sourceBytesMax } from "./limits.ts";
import {
  advance,
  createParser,
  expect,
  isAt,
  isAtEnd,
  make,
  nested,
  refuse,
  skip,
  unexpected,
  type Parser,
} from "./parser.ts";
import { attempt, type ParseResult } from "./problem.ts";
import { referencesOf } from "./references.ts";

/** Reads an expression, or says what is wrong with it and where. */
export function parseExpression(source: string): ParseResult {
  if (source.length > sourceBytesMax || byteLength(source) > sourceBytesMax) return tooLong(source);
  const parser = createParser(source);
  const parsed = attempt(parser, () => parseWhole(parser));
  return parsed.ok ? { ok: true, expression: parsed.value } : parsed;
}

/** The expression that `node` is the tree of. */
export function createExpression(source: string, node: Node): Expression {
  return Object.freeze({ kind: "expression", source, node, references: referencesOf(node) });
}

function tooLong(source: string): ParseResult {
  return {
    ok: false,
    problem: {
      code: "expression_too_long",
      message: `The expression is longer than ${sourceBytesMax} bytes.`,
      hint: "Compute a part of it in a `set` step before, or bring a long value as input.",
      at: 0,
      end: source.length,
    },
  };
}

function parseWhole(parser: Parser): Expression {
  if (isAtEnd(parser)) {
    return refuse(parser, parser.token, "The expression is empty.", "Write a value, a path or a comparison.");
  }
  if (/^\s*\{\{/.test(parser.source)) {
    const span = { at: parser.token.at, end: parser.token.at + 2 };
    return refuse(parser, span, "{{ cannot stand here.", "Write the expression alone, without {{ and }}.");
  }
  const node = parseConditional(parser);
  if (!isAtEnd(parser)) unexpected(parser, "Write an operator between two values, or end here.");
  return createExpression(parser.source, node);
}

function parseConditional(parser: Parser): Node {
  const test = parseBinary(parser, 0);
  const { at } = parser.token;
  if (!skip(parser, "?")) return test;
  const whenTrue = nested(parser, parseConditional);
  expect(parser, ":", "Write both values: condition ? this : that.");
  const whenFalse = nested(parser, parseConditional);
  return make(parser, { kind: "conditional", test, whenTrue, whenFalse, at });
}

const powers: ReadonlyMap<string, number> = new Map([
  ["||", 1],
  ["&&", 2],
  ["==", 3],
  ["!=", 3],
  ["<", 3],
  ["<=", 3],
  [">", 3],
  [">=", 3],
  ["in", 3],
  ["??", 4],
  ["+", 5],
  ["-", 5],
  ["*", 6],
  ["/", 6],
  ["%", 6],
]);

const coalescePower = 4;
const ordering: ReadonlySet<string> = new Set(["<", "<=", ">", ">="]);

function isOperator(text: string): text is BinaryOperator {
  return powers.has(text);
}

function parseBinary(parser: Parser, least: number): Node {
  let left = parseUnary(parser);
  for (;;) {
    const { token } = parser;
    const isWord = token.kind === "name" && token.value === "in";
    if ((token.kind !== "symbol" && !isWord) || !isOperator(token.value)) return left;
    const power = powers.get(token.value) ?? 0;
    if (power < least) return left;
    advance(parser);
    // `??` leans to the right, so that what stands left of it is a path and not another `??`.
    const right = parseBinary(parser, token.value === "??" ? power : power + 1);
    checkMixture(parser, { operator: token.value, left, right, at: token.at });
    left = make(parser, { kind: "binary", operator: token.value, left, right, at: token.at });
  }
}

type Joining = {
  readonly operator: BinaryOperator;
  readonly left: Node;
  readonly right: Node;
  readonly at: number;
};

/** Refuses what two languages read in two ways. */
function checkMixture(parser: Parser, { operator, left, right, at }: Joining): void {
  const span = { at, end: at + operator.length };
  const isMixed = bareOperator(parser, left) === "??" || bareOperator(parser, right) === "??";
  if (isMixed && (powers.get(operator) ?? 0) < coalescePower) {
    refuse(parser, span, `?? and ${operator} stand side by side.`, `Write parentheses: (a ?? b) ${operator} c.`);
  }
  const inner = bareOperator(parser, left);
  const isChain = inner !== null && powers.get(inner) === powers.get(operator);
  if (isChain && (ordering.has(operator) || ordering.has(inner))) {
    refuse(parser, span, "Comparisons cannot be chained.", "Write a < b && b < c.");
  }
}

function bareOperator(parser: Parser, node: Node): BinaryOperator | null {
  return node.kind === "binary" && !parser.enclosed.has(node) ? node.operator : null;
}

function parseUnary(parser: Parser): Node {
  const { token } = parser;
  const operator = isAt(parser, "!") ? "!" : isAt(parser, "-") ? "-" : null;
  if (operator === null) return parsePostfix(parser);
  advance(parser);
  const operand = nested(parser, parseUnary);
  return make(parser, { kind: "unary", operator, operand, at: token.at });
}

function parsePostfix(parser: Parser): Node {
  const { at } = parser.token;
  let node = parsePrimary(parser);
  for (;;) {
    if (skip(parser, ".")) node = parseMember(parser, node, at);
    else if (skip(parser, "[")) node = parseIndex(parser, node, at);
    else return node;
  }
}

function parseMember(parser: Parser, object: Node, at: number): Node {
  const { token } = parser;
  if (token.kind !== "name") return unexpected(parser, 'Write a name behind the dot, or ["any text"] in brackets.');
  advance(parser);
  if (skip(parser, "("))
    return parseCall(parser, { name: token.value, at: token.at, receiver: object }, parseConditional);
  return make(parser, { kind: "member", object, key: token.value, at, end: token.end });
}

function parseIndex(parser: Parser, object: Node, at: number): Node {
  const index = nested(parser, parseConditional);
  const { end } = parser.token;
  expect(parser, "]", "Close the index with ].");
  return make(parser, { kind: "index", object, index, at, end });
}

function parsePrimary(parser: Parser): Node {
  const { token } = parser;
  switch (token.kind) {
    case "number":
    case "text":
      advance(parser);
      return make(parser, { kind: "literal", value: token.value, at: token.at });
    case "name":
      return parseName(parser, token);
    case "symbol":
      return parseEnclosed(parser, token.value, token.at);
    case "bad":
    case "end":
      return unexpected(parser, "Write a value or a path here.");
  }
}

const constants: ReadonlyMap<string, boolean | null> = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
  ["nil", null],
]);

function parseName(parser: Parser, { value: name, at, end }: { value: string; at: number; end: number }): Node {
  if (name === "not" || name === "in") return unexpected(parser, "Write a value in front of in.");
  advance(parser);
  const constant = constants.get(name);
  if (constant !== undefined) return make(parser, { kind: "literal", value: constant, at });
  if (skip(parser, "(")) return parseCall(parser, { name, at, receiver: null }, parseConditional);
  return make(parser, { kind: "name", name, at, end });
}

function parseEnclosed(parser: Parser, opening: string, at: number): Node {
  switch (opening) {
    case "(": {
      advance(parser);
      const node = nested(parser, parseConditional);
      expect(parser, ")", "Close the parenthesis with ).");
      parser.enclosed.add(node);
      return node;
    }
    case "[":
      advance(parser);
      return make(parser, { kind: "list", items: parseItems(parser, "]", parseConditional), at });
    case "{":
      advance(parser);
      return make(parser, { kind: "map", entries: parseEntries(parser), at });
    default:
      return unexpected(parser, "Write a value or a path here.");
  }
}

function parseEntries(parser: Parser): readonly (readonly [Node, Node])[] {
  const entries: (readonly [Node, Node])[] = [];
  while (!skip(parser, "}")) {
    const key = nested(parser, parseConditional);
    expect(parser, ":", 'Write a map as {"key": value}.');
    const value = nested(parser, parseConditional);
    entries.push(Object.freeze([key, value] as const));
    if (!isAt(parser, "}")) expect(parser, ",", "Close the map with }, or write a comma before the next key.");
  }
  return Object.freeze(entries);
}
