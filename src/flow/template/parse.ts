// From a JSON value to a template: every text is searched for placeholders once, when the flow is saved. What comes out
// of data later is never looked at again.

import type { Expression, Node, Reference } from "../expression/ast.ts";
import { parseExpression } from "../expression/parse.ts";
import type { ExpressionProblem } from "../expression/problem.ts";
import { isKnownRoot } from "../expression/references.ts";
import { isArray, isObject, type Json, type JsonObject } from "../json.ts";
import { under, type Pointer } from "../pointer.ts";
import { findPlaceholder } from "./placeholder.ts";
import type { Template, TextPart } from "./template.ts";

type TemplateProblem = ExpressionProblem & {
  /** Where the text stands in the value; `at` and `end` are offsets in that text. */
  readonly pointer: Pointer;
};

/** A placeholder that names nothing a template can read, and stays as it was written. */
type UnknownPlaceholder = { readonly pointer: Pointer; readonly text: string };

export type ParsedTemplate = {
  readonly template: Template;
  readonly problems: readonly TemplateProblem[];
  readonly unknownPlaceholders: readonly UnknownPlaceholder[];
};

/** A text with more trouble than this is not meant for us; the rest of it is left alone. */
const problemsPerTextMax = 10;

export function parseTemplate(value: Json): ParsedTemplate {
  const reading: Reading = { problems: [], unknownPlaceholders: [] };
  const template = parseValue(reading, value, "");
  return { template, ...reading };
}

type Reading = { readonly problems: TemplateProblem[]; readonly unknownPlaceholders: UnknownPlaceholder[] };

function parseValue(reading: Reading, value: Json, pointer: Pointer): Template {
  if (typeof value === "string") return parseText(reading, value, pointer);
  if (isArray(value)) return parseList(reading, value, pointer);
  if (isObject(value)) return parseMap(reading, value, pointer);
  return plain(value);
}

function plain(value: Json): Template {
  return Object.freeze({ kind: "value", value });
}

function parseList(reading: Reading, list: readonly Json[], pointer: Pointer): Template {
  const items = list.map((item, index) => parseValue(reading, item, under(pointer, index)));
  if (items.every((item) => item.kind === "value")) return plain(list);
  return Object.freeze({ kind: "list", items: Object.freeze(items) });
}

function parseMap(reading: Reading, map: JsonObject, pointer: Pointer): Template {
  const entries = Object.entries(map).map(([key, member]) =>
    Object.freeze([key, parseValue(reading, member, under(pointer, key))] as const),
  );
  if (entries.every(([, member]) => member.kind === "value")) return plain(map);
  return Object.freeze({ kind: "map", entries: Object.freeze(entries) });
}

function parseText(reading: Reading, text: string, pointer: Pointer): Template {
  if (!text.includes("{{")) return plain(text);
  const found: ParsedText = { text, pointer, parts: [], problems: 0 };
  let from = 0;
  for (;;) {
    const placeholder = findPlaceholder(text, from);
    if (placeholder === null || found.problems === problemsPerTextMax) break;
    addText(found, text.slice(from, placeholder.at));
    from = placeholder.at;
    if (placeholder.end === null) {
      reportUnclosed(reading, found, placeholder.at);
      break;
    }
    addPlaceholder(reading, found, placeholder.at, placeholder.end);
    from = placeholder.end;
  }
  addText(found, text.slice(from));
  return found.problems > 0 ? plain(text) : templateOf(found.parts, text);
}

type ParsedText = { readonly text: string; readonly pointer: Pointer; readonly parts: TextPart[]; problems: number };

function templateOf(parts: readonly TextPart[], text: string): Template {
  if (parts.every((part) => part.kind === "value")) return plain(text);
  const [first] = parts;
  if (parts.length === 1 && first !== undefined) return first;
  return Object.freeze({ kind: "text", parts: Object.freeze(parts) });
}

function addText(found: ParsedText, value: string): void {
  if (value !== "") found.parts.push(Object.freeze({ kind: "value", value }));
}

function reportUnclosed(reading: Reading, found: ParsedText, at: number): void {
  report(reading, found, {
    code: "expression_syntax",
    message: "The placeholder that begins with {{ is not closed.",
    hint: 'Write }} at its end. For the two braces themselves, write {{ "{{" }}.',
    at,
    end: found.text.length,
  });
}

function report(reading: Reading, found: ParsedText, problem: ExpressionProblem): void {
  found.problems += 1;
  reading.problems.push({ ...problem, pointer: found.pointer });
}

function addPlaceholder(reading: Reading, found: ParsedText, at: number, end: number): void {
  const written = found.text.slice(at, end);
  const inside = written.slice(2, -2);
  const offset = at + 2 + inside.length - inside.trimStart().length;
  const parsed = parseExpression(inside.trim());
  if (!parsed.ok) {
    const { problem } = parsed;
    report(reading, found, { ...problem, at: problem.at + offset, end: problem.end + offset });
    return;
  }
  const { expression } = parsed;
  if (isUnknownPath(expression.node)) {
    reading.unknownPlaceholders.push({ pointer: found.pointer, text: written });
    addText(found, written);
    return;
  }
  const name = secretName(expression.node);
  if (name !== null) found.parts.push(Object.freeze({ kind: "secret", name }));
  else if (mentionsSecrets(expression)) reportSecret(reading, found, at, end);
  else found.parts.push(Object.freeze({ kind: "expression", expression }));
}

/** `foo` or `foo.bar` and nothing else, where `foo` is no root: text that happens to have braces. */
function isUnknownPath(node: Node): boolean {
  let base = node;
  while (base.kind === "member" || (base.kind === "index" && base.index.kind === "literal")) base = base.object;
  return base.kind === "name" && !isKnownRoot(base.name);
}

function secretName(node: Node): string | null {
  if (node.kind === "member") return isSecrets(node.object) ? node.key : null;
  if (node.kind !== "index" || node.index.kind !== "literal" || !isSecrets(node.object)) return null;
  return typeof node.index.value === "string" ? node.index.value : null;
}

function isSecrets(node: Node): boolean {
  return node.kind === "name" && node.name === "secrets";
}

function mentionsSecrets({ references }: Expression): boolean {
  return references.some(({ root }) => root === "secrets");
}

function reportSecret(reading: Reading, found: ParsedText, at: number, end: number): void {
  report(reading, found, {
    code: "secret_outside_args",
    message: "A secret cannot be part of a larger expression: its value is filled in only when the tool is called.",
    hint: "Write {{ secrets.NAME }} alone, with the rest of the text around it.",
    at,
    end,
  });
}

/** Every name that the placeholders of a template use; secrets are not among them. */
export function referencesIn(template: Template): readonly Reference[] {
  return leavesOf(template).flatMap((leaf) => (leaf.kind === "expression" ? leaf.expression.references : []));
}

/** The names of the secrets a template asks for, each once. */
export function secretsIn(template: Template): readonly string[] {
  return [...new Set(leavesOf(template).flatMap((leaf) => (leaf.kind === "secret" ? [leaf.name] : [])))];
}

type Leaf = Extract<Template, { kind: "expression" | "secret" }>;

function leavesOf(template: Template): readonly Leaf[] {
  switch (template.kind) {
    case "value":
      return [];
    case "expression":
    case "secret":
      return [template];
    case "text":
      return template.parts.filter((part) => part.kind !== "value");
    case "list":
      return template.items.flatMap(leavesOf);
    case "map":
      return template.entries.flatMap(([, member]) => leavesOf(member));
  }
}
