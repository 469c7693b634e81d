// Calls and macros: which name is known, how many arguments it takes, and what a macro binds.

import { nearest } from "../suggest.ts";
import type { FunctionName, MacroName, Node } from "./ast.ts";
import { advance, expect, isAt, make, nested, refuse, skip, unexpected, type Parser } from "./parser.ts";
import { stop } from "./problem.ts";
import { isPath } from "./references.ts";
import { isFunctionName, isMacroName, macroUsages, otherNames, signatures } from "./signatures.ts";
import { quoted } from "./tokens.ts";

export type Callee = {
  readonly name: string;
  readonly at: number;
  /** What stands in front of the dot. */
  readonly receiver: Node | null;
};

type ParseNode = (parser: Parser) => Node;

/** Parses what follows the opening parenthesis. */
export function parseCall(parser: Parser, callee: Callee, parseNode: ParseNode): Node {
  const { name } = callee;
  if (isMacroName(name)) return parseMacro(parser, { ...callee, name }, parseNode);
  if (isFunctionName(name)) return parseFunction(parser, { ...callee, name }, parseNode);
  return stop(parser, {
    code: "unknown_function",
    message: `There is no function ${quoted(name)}.`,
    hint: hintFor(name),
    at: callee.at,
    end: callee.at + name.length,
  });
}

/** Parses nodes between commas, up to and over the closing symbol; the last one may be followed by a comma. */
export function parseItems(parser: Parser, closing: string, parseNode: ParseNode): readonly Node[] {
  const items: Node[] = [];
  while (!skip(parser, closing)) {
    items.push(nested(parser, parseNode));
    if (!isAt(parser, closing)) expect(parser, ",", `Write a comma before the next value, or close with ${closing}.`);
  }
  return Object.freeze(items);
}

function hintFor(name: string): string {
  const known = [...Object.keys(signatures), ...Object.keys(macroUsages)];
  const near = otherNames.get(name) ?? nearest(name, known);
  return near === undefined ? `Functions are ${known.toSorted().join(", ")}.` : `Did you mean ${near}?`;
}

type FunctionCallee = Callee & { readonly name: FunctionName };

function parseFunction(parser: Parser, callee: FunctionCallee, parseNode: ParseNode): Node {
  const { name, at, receiver } = callee;
  const given = parseItems(parser, ")", parseNode);
  const args = receiver === null ? given : Object.freeze([receiver, ...given]);
  const { least, most, usage } = signatures[name];
  const span = { at, end: at + name.length };
  if (args.length < least || args.length > most) {
    return refuse(parser, span, `${name} does not take ${counted(given.length)} here.`, `Write ${usage}.`);
  }
  if (name === "has" && !(receiver === null && args.every(isPath))) {
    return refuse(parser, span, "has asks whether a path is there.", `Write ${usage}.`);
  }
  return make(parser, { kind: "call", name, args, at });
}

function counted(count: number): string {
  return count === 1 ? "1 argument" : `${count} arguments`;
}

type MacroCallee = Callee & { readonly name: MacroName };

function parseMacro(parser: Parser, { name, at, receiver }: MacroCallee, parseNode: ParseNode): Node {
  const hint = `Write ${macroUsages[name]}.`;
  const span = { at, end: at + name.length };
  if (receiver === null) return refuse(parser, span, `${name} stands behind a list.`, hint);
  const { token } = parser;
  if (token.kind !== "name" || reserved.has(token.value)) return unexpected(parser, hint);
  advance(parser);
  expect(parser, ",", hint);
  const body = nested(parser, parseNode);
  expect(parser, ")", hint);
  return make(parser, { kind: "macro", name, list: receiver, variable: token.value, body, at });
}

/** Names that mean something else already. */
const reserved: ReadonlySet<string> = new Set(["true", "false", "null", "nil", "in", "not"]);
