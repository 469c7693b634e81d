// Puts one change into a YAML text by lines, so that everything around it stays, to the blank. Where that takes more it
// says so; and whoever asks reads the text that was made, and sees whether it says what it shall.

import { isCollection, isMap, isNode, isPair, isScalar, stringify, type Document, type YAMLSeq } from "yaml";
import type { PatchOperation } from "../finding.ts";
import type { Json } from "../json.ts";
import { isInBrackets, nodeAt, placeOf, type Place } from "./node-place.ts";
import { lineEndOf, toOneLine, withLineEndsOf } from "./written.ts";

/** undefined: it takes more than that. */
export function spliceText(text: string, document: Document, operation: PatchOperation): string | undefined {
  if (document.errors.length > 0) return undefined;
  const place = placeOf(document, operation.path);
  if (place === undefined || place.kind === "root") return undefined;
  switch (operation.op) {
    case "add":
      if (place.kind === "item") return addItem(text, place.list, place.index, operation.value);
      return place.pair === undefined
        ? addMember(text, place, operation.value)
        : overwrite(text, place, operation.value);
    case "replace":
      return overwrite(text, place, operation.value);
    case "remove":
      return place.kind === "item" ? removeItem(text, place.list, place.index) : removeMember(text, place);
    case "move":
      return moveItem(text, placeOf(document, operation.from), place);
  }
}

type Cut = { readonly from: number; readonly to: number };

function splice(text: string, { from, to }: Cut, written: string): string {
  return text.slice(0, from) + written + text.slice(to);
}

/** Only what stands on one line, without an anchor or a tag that would say something about the other. */
function overwrite(text: string, place: Place, value: Json): string | undefined {
  const node = nodeAt(place);
  const range = isNode(node) ? (node.range ?? null) : null;
  if (!isNode(node) || range === null) return undefined;
  if (("anchor" in node && node.anchor !== undefined) || node.tag !== undefined) return undefined;
  const isInline = isCollection(node) ? node.flow === true : isScalar(node) && node.type?.startsWith("BLOCK") !== true;
  const [from, to] = range;
  const written = toOneLine(value, isInBrackets(place)) ?? severalLines(text, place, value);
  return isInline && from < to && written !== undefined ? splice(text, { from, to }, written) : undefined;
}

/** Behind its key. */
function severalLines(text: string, place: Place, value: Json): string | undefined {
  const column = place.kind === "member" ? columnOf(text, place.pair?.key) : undefined;
  return column === undefined ? undefined : block(text, { k: value }, column).slice(column + "k: ".length);
}

type Member = Extract<Place, { kind: "member" }>;

function addMember(text: string, { map, key }: Member, value: Json): string | undefined {
  const [first, last] = [map.items[0], map.items.at(-1)];
  const end = last === undefined ? undefined : endOf(text, last);
  if (map.flow === true) {
    const pair = toOneLine({ [key]: value }, true) ?? "";
    if (end !== undefined) return splice(text, { from: end, to: end }, `, ${pair.slice(1, -1).trim()}`);
    const [from, to] = map.range ?? [];
    return from === undefined || to === undefined ? undefined : splice(text, { from, to }, pair);
  }
  const column = first === undefined ? undefined : columnOf(text, first.key);
  if (end === undefined || column === undefined) return undefined;
  const at = lineEnd(text, end);
  return splice(text, { from: at, to: at }, lineEndOf(text) + block(text, { [key]: value }, column));
}

function block(text: string, value: Json, column: number): string {
  const pad = " ".repeat(column);
  const written = stringify(value, { lineWidth: 0 })
    .trimEnd()
    .replaceAll(/^(?=.)/gm, pad);
  return withLineEndsOf(text, written);
}

function removeMember(text: string, { map, pair }: Member): string | undefined {
  const at = pair === undefined ? -1 : map.items.indexOf(pair);
  const cut = pair === undefined || map.items.length < 2 ? undefined : cutOf(text, map.items, at, map.flow === true);
  return cut === undefined ? undefined : splice(text, cut, "");
}

/** In brackets up to the next one, or from the one before; else its lines. */
function cutOf(text: string, items: readonly unknown[], at: number, isFlow: boolean): Cut | undefined {
  const from = startOf(items[at]);
  const to = endOf(text, items[at]);
  if (from === undefined || to === undefined) return undefined;
  if (isFlow) {
    const next = startOf(items[at + 1]);
    const before = next === undefined ? endOf(text, items[at - 1]) : undefined;
    if (next === undefined && before === undefined) return undefined;
    const around = text.slice(next === undefined ? before : to, next ?? from);
    return around.includes("#") ? cutBesideComment(text, { from, to }) : { from: before ?? from, to: next ?? to };
  }
  const line = lineStart(text, from);
  return text.slice(line, from).trim() === "" ? { from: line, to: lineAfter(text, to) ?? text.length } : undefined;
}

/** Itself and its comma: the comment may be about another. YAML takes a comma behind the last one. */
function cutBesideComment(text: string, { from, to }: Cut): Cut {
  const end = to + (/^\s*,/.exec(text.slice(to))?.[0].length ?? 0);
  const line = lineStart(text, from);
  const isAlone = text.slice(line, from).trim() === "" && /^[ \t]*(?:#.*)?$/.test(text.slice(end, lineEnd(text, end)));
  return isAlone ? { from: line, to: lineAfter(text, end) ?? text.length } : { from, to: end };
}

function addItem(text: string, list: YAMLSeq, index: number, value: Json): string | undefined {
  const last = list.items.at(-1);
  const end = endOf(text, last);
  if (end === undefined) return undefined;
  if (list.flow === true)
    return index === list.items.length
      ? splice(text, { from: end, to: end }, `, ${toOneLine(value, true)}`)
      : undefined;
  const lines = linesOf(text, list, Math.min(index, list.items.length - 1));
  if (lines === undefined) return undefined;
  const written = block(text, [value], lines.column) + lineEndOf(text);
  const at = index === list.items.length ? lines.to : lines.from;
  return splice(text, { from: at, to: at }, written);
}

function removeItem(text: string, list: YAMLSeq, index: number): string | undefined {
  if (list.items.length < 2) return undefined;
  const cut = list.flow === true ? cutItem(text, list, index) : linesOf(text, list, index);
  return cut === undefined ? undefined : splice(text, cut, "");
}

/** Only where a comment is in it: else the list is laid out anew. */
function cutItem(text: string, list: YAMLSeq, index: number): Cut | undefined {
  const [from, to] = list.range ?? [0, 0];
  return text.slice(from, to).includes("#") ? cutOf(text, list.items, index, true) : undefined;
}

/** Within one list, with the comment above it. */
function moveItem(text: string, source: Place | undefined, target: Place): string | undefined {
  if (source?.kind !== "item" || target.kind !== "item" || source.list !== target.list || source.list.flow === true)
    return undefined;
  const [own, other] = [linesOf(text, source.list, source.index), linesOf(text, source.list, target.index)];
  if (own === undefined || other === undefined) return undefined;
  const moved = text.slice(own.from, own.to);
  if (target.index < source.index) return splice(splice(text, own, ""), { from: other.from, to: other.from }, moved);
  return splice(splice(text, { from: other.to, to: other.to }, moved), own, "");
}

/** From its dash, or the comment right above it, to the end of its last line, or of the comment that closes it;
 *  undefined: it shares a line. */
function linesOf(text: string, list: YAMLSeq, index: number): (Cut & { readonly column: number }) | undefined {
  const [from, end] = [startOf(firstOf(list.items[index])), endOf(text, list.items[index])];
  if (from === undefined || end === undefined) return undefined;
  const line = lineStart(text, from);
  const dash = /^( *)-\s+$/.exec(text.slice(line, from));
  const to = lineAfter(text, end);
  if (dash === null || to === undefined) return undefined;
  const column = dash[1]?.length ?? 0;
  const own = index === 0 ? line : aboveComments(text, line, column);
  return { from: own, to: belowComments(text, to, column), column };
}

/** Those that stand as far in as the dash: deeper ones close the item before. */
function aboveComments(text: string, line: number, column: number): number {
  let from = line;
  while (from > 0) {
    const above = lineStart(text, from - 1);
    if (indentOfComment(text.slice(above, from)) !== column) break;
    from = above;
  }
  return from;
}

function belowComments(text: string, line: number, column: number): number {
  let to = line;
  for (;;) {
    const after = lineAfter(text, to);
    const indent = after === undefined ? undefined : indentOfComment(text.slice(to, after));
    if (after === undefined || indent === undefined || indent <= column) return to;
    to = after;
  }
}

/** undefined: the line is none. */
function indentOfComment(line: string): number | undefined {
  return /^([ \t]*)#/.exec(line)?.[1]?.length;
}

function firstOf(node: unknown): unknown {
  return isMap(node) && node.flow !== true ? node.items[0]?.key : node;
}

function startOf(node: unknown): number | undefined {
  if (isPair(node)) return startOf(node.key);
  return isNode(node) ? node.range?.[0] : undefined;
}

/** Behind its last sign: a block would count the blank lines and comments below it as its own. */
function endOf(text: string, node: unknown): number | undefined {
  if (isPair(node)) return endOf(text, node.value) ?? endOf(text, node.key);
  if (isCollection(node) && node.flow !== true && node.items.length > 0) return endOf(text, node.items.at(-1));
  const end = isNode(node) ? node.range?.[1] : undefined;
  return end === undefined ? undefined : text.slice(0, end).trimEnd().length;
}

function columnOf(text: string, node: unknown): number | undefined {
  const from = startOf(node);
  return from === undefined ? undefined : from - lineStart(text, from);
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}

/** Before the break. */
function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  if (end < 0) return text.length;
  return text[end - 1] === "\r" ? end - 1 : end;
}

/** undefined: it is the last one, and does not end. */
function lineAfter(text: string, at: number): number | undefined {
  const end = text.indexOf("\n", at);
  return end < 0 ? undefined : end + 1;
}
