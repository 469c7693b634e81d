// Reads YAML 1.2 with the core schema, whatever a %YAML line says. The library's lexer and parser do not recurse, so
// they are fed token by token and stopped at the depth limit; only then is the tree composed (which does recurse) and
// turned into JSON by our own walk.

import { Composer, Lexer, Parser, type CST, type Document, type ParsedNode } from "yaml";
import { depthLimit, problemsLimit, tokensLimit } from "./limits.ts";
import type { PlaceFinder } from "./places.ts";
import { emptyDocument, tooDeep, unreadable, type Problem, type Reading } from "./reading.ts";
import { explainErrors, type YamlError } from "./yaml-errors.ts";
import { readTree } from "./yaml-tree.ts";

/** The parser's stack holds the document, the open maps and lists, and one scalar. */
const stackLimit = depthLimit + 2;
/** YAML allows no others in a text, and the library's parser uses some of them as signs of its own. */
const allowedControls = "\t\n\r";

type Parsed =
  | { readonly kind: "tokens"; readonly tokens: readonly CST.Token[] }
  | { readonly kind: "refused"; readonly problem: Problem };

/** Takes the nodes of what was read, with all comments, for whoever wants to write it. */
export type NodesTaker = (document: Document) => void;

export function readYaml(text: string, placeAt: PlaceFinder, takeNodes?: NodesTaker): Reading {
  const control = findControl(text);
  if (control !== undefined) return unreadable(control);
  const parsed = parseTokens(text);
  if (parsed.kind === "refused") return unreadable(parsed.problem);
  const { document, errors } = composeTree(parsed.tokens, takeNodes === undefined ? "document" : "comments too");
  const root = document?.contents ?? undefined;
  if (errors.length > 0) return unreadable(...explainErrors(errors, text, placeAt));
  if (root === undefined || isNothing(root)) return unreadable(emptyDocument());
  if (document !== undefined) takeNodes?.(document);
  return readTree(root, text, placeAt);
}

function findControl(text: string): Problem | undefined {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if ((code >= 0x20 && code !== 0x7f) || allowedControls.includes(text.charAt(at))) continue;
    const name = code.toString(16).padStart(2, "0");
    const message = `The control character U+00${name.toUpperCase()} stands here; remove it, or write \\x${name} in double quotes.`;
    return { code: "not_yaml", pointer: "", at, message };
  }
  return undefined;
}

function parseTokens(text: string): Parsed {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let count = 0;
  for (const lexeme of new Lexer().lex(text)) {
    count += 1;
    for (const token of parser.next(lexeme)) tokens.push(token);
    if (parser.stack.length > stackLimit) return { kind: "refused", problem: tooDeep("", parser.offset) };
    if (count > tokensLimit) return { kind: "refused", problem: tooManyTokens(parser.offset) };
  }
  for (const token of parser.end()) tokens.push(token);
  const second = tokens.filter((token) => token.type === "document")[1];
  if (second !== undefined) return { kind: "refused", problem: severalDocuments(second.offset) };
  return { kind: "tokens", tokens };
}

type Parts = "document" | "comments too";
type Composed = { readonly document: Document.Parsed | undefined; readonly errors: readonly YamlError[] };

function composeTree(tokens: readonly CST.Token[], parts: Parts): Composed {
  const errors: YamlError[] = [];
  const report = (at: number, code: string, message: string): void => {
    if (errors.length < problemsLimit) errors.push({ at, code, message });
  };
  for (const token of tokens) if (token.type === "error") report(token.offset, "UNEXPECTED_TOKEN", token.message);
  const composer = new Composer({
    schema: "core",
    version: "1.2",
    merge: false,
    resolveKnownTags: false,
    // The library compares each key with all before it; our walk looks them up.
    uniqueKeys: false,
  });
  // The library makes an Error with a stack trace for each problem, 25 µs apiece, and a hostile text has hundreds of
  // thousands of them. Its own handler is a private member, hence this way of putting ours in its place.
  Object.defineProperty(composer, "onError", {
    value: (source: ErrorSource, code: string, message: string, isWarning?: boolean) => {
      if (isWarning !== true) report(offsetOf(source), code, message);
    },
  });
  let document: Document.Parsed | undefined;
  for (const composed of composer.compose(partsOf(tokens, parts))) document = composed;
  return { document, errors };
}

/** Without errors, and the `...` before a document, for which the composer again makes an Error each. */
function partsOf(tokens: readonly CST.Token[], parts: Parts): readonly CST.Token[] {
  const start = tokens.findIndex((token) => token.type === "document");
  return tokens.filter(({ type }, index) => {
    if (type === "comment" || type === "newline") return parts === "comments too";
    return type === "directive" || type === "document" || (type === "doc-end" && index > start);
  });
}

type ErrorSource = number | readonly [number, ...(readonly number[])] | { readonly offset: number };

function offsetOf(source: ErrorSource): number {
  if (typeof source === "number") return source;
  return "offset" in source ? source.offset : source[0];
}

function isNothing(root: ParsedNode): boolean {
  return root.range[0] === root.range[1];
}

function severalDocuments(at: number): Problem {
  const message =
    "A second document starts here; a text holds one flow, so remove the --- and put the rest into a text of its own.";
  return { code: "several_documents", pointer: "", at, message };
}

function tooManyTokens(at: number): Problem {
  const message = "The text has more than 500,000 words and signs; split the flow into smaller ones.";
  return { code: "too_large", pointer: "", at, message };
}
