// Markdown as data: what people and tools write, as blocks that can be drawn as elements. Never HTML. Containers are as deep
// as people write them, and no deeper; what is longer than anybody reads is left out, and said to be.

import { blocksOf } from "./content.ts";
import { isObject, type Json } from "./json.ts";
import { readInline, type Inline } from "./markdown-inline.ts";

export type MarkdownBlock =
  /** `level`: below that of what stands around it, and never two at once, as those need it who hear the page. */
  | { readonly kind: "heading"; readonly level: number; readonly inlines: readonly Inline[] }
  | { readonly kind: "paragraph"; readonly inlines: readonly Inline[] }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "rule" }
  | { readonly kind: "quote"; readonly blocks: readonly MarkdownBlock[] }
  | {
      readonly kind: "list";
      readonly isOrdered: boolean;
      readonly start: number;
      readonly items: readonly (readonly MarkdownBlock[])[];
    };

export type Markdown = {
  readonly blocks: readonly MarkdownBlock[];
  /** Characters at the end that were left out. */
  readonly omitted: number;
};

export const markdownMax = 100_000;
const depthMax = 8;
/** Around it stand the title of the page and that of the part. */
const topLevel = 3;
const lowestLevel = 6;

export function parseMarkdown(text: string): Markdown {
  const read = text.slice(0, markdownMax).toWellFormed();
  const reading: Reading = { level: topLevel - 1, first: null };
  return {
    blocks: blocksIn(reading, read.split(/\r\n|\r|\n/), 0),
    omitted: Math.max(0, text.length - markdownMax),
  };
}

type Reading = {
  level: number;
  /** As the first heading is written. */
  first: number | null;
};

type Taken = { readonly block: MarkdownBlock; readonly next: number };

const fence = /^ {0,3}(`{3,}|~{3,})/;
const heading = /^ {0,3}(#{1,6})(?:[ \t]+|$)/;
const rule = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const quote = /^ {0,3}> ?/;
const item = /^ {0,3}(?:[-*+]|(\d{1,9})[.)])(?: {1,4}|\t|$)/;

function blocksIn(reading: Reading, lines: readonly string[], depth: number): readonly MarkdownBlock[] {
  const blocks: MarkdownBlock[] = [];
  let at = 0;
  while (at < lines.length) {
    if (isBlank(lines[at])) at += 1;
    else {
      const { block, next } = takeBlock(reading, lines, at, depth);
      blocks.push(block);
      at = next;
    }
  }
  return blocks;
}

function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === "";
}

function takeBlock(reading: Reading, lines: readonly string[], at: number, depth: number): Taken {
  const line = lines[at] ?? "";
  const fenced = fence.exec(line)?.[1];
  if (fenced !== undefined) return takeCode(lines, at, fenced);
  const marks = heading.exec(line);
  if (marks !== null)
    return { block: toHeading(reading, line.slice(marks[0].length), marks[1]?.length ?? 1), next: at + 1 };
  if (rule.test(line)) return { block: { kind: "rule" }, next: at + 1 };
  if (depth < depthMax && quote.test(line)) return takeQuote(reading, lines, at, depth);
  if (depth < depthMax && item.test(line)) return takeList(reading, lines, at, depth);
  return takeParagraph(lines, at, depth);
}

function toHeading(reading: Reading, text: string, written: number): MarkdownBlock {
  reading.first ??= written;
  const wanted = topLevel + Math.max(0, written - reading.first);
  reading.level = Math.min(wanted, reading.level + 1, lowestLevel);
  return { kind: "heading", level: reading.level, inlines: readInline(withoutClosingMarks(text.trim())) };
}

/** `## So ##` */
function withoutClosingMarks(text: string): string {
  let end = text.length;
  while (text.charAt(end - 1) === "#") end -= 1;
  return end === 0 || text.charAt(end - 1) === " " ? text.slice(0, end).trimEnd() : text;
}

function takeCode(lines: readonly string[], at: number, opened: string): Taken {
  const code: string[] = [];
  let next = at + 1;
  for (; next < lines.length; next += 1) {
    const line = lines[next] ?? "";
    const closed = fence.exec(line)?.[1];
    if (closed?.startsWith(opened) === true && line.trim() === closed) {
      next += 1;
      break;
    }
    code.push(line);
  }
  return { block: { kind: "code", text: code.join("\n") }, next };
}

function takeQuote(reading: Reading, lines: readonly string[], at: number, depth: number): Taken {
  const inner: string[] = [];
  let next = at;
  for (; next < lines.length && quote.test(lines[next] ?? ""); next += 1)
    inner.push((lines[next] ?? "").replace(quote, ""));
  return { block: { kind: "quote", blocks: blocksIn(reading, inner, depth + 1) }, next };
}

function takeList(reading: Reading, lines: readonly string[], at: number, depth: number): Taken {
  const isOrdered = item.exec(lines[at] ?? "")?.[1] !== undefined;
  const start = Number(item.exec(lines[at] ?? "")?.[1] ?? 1);
  const items: (readonly MarkdownBlock[])[] = [];
  let next = at;
  for (;;) {
    const mark = item.exec(lines[next] ?? "");
    if (mark === null || (mark[1] !== undefined) !== isOrdered || rule.test(lines[next] ?? "")) break;
    const { inner, next: behind } = takeItem(lines, next, mark[0].length);
    items.push(blocksIn(reading, inner, depth + 1));
    next = behind;
    // Items may stand apart.
    let after = next;
    while (after < lines.length && isBlank(lines[after])) after += 1;
    if (after < lines.length && item.test(lines[after] ?? "")) next = after;
  }
  return { block: { kind: "list", isOrdered, start, items }, next };
}

/** Its own line, and what is indented below it or goes on with its words. */
function takeItem(
  lines: readonly string[],
  at: number,
  width: number,
): { readonly inner: readonly string[]; readonly next: number } {
  const inner = [(lines[at] ?? "").slice(width)];
  let next = at + 1;
  for (; next < lines.length; next += 1) {
    const line = lines[next] ?? "";
    const indent = line.length - line.trimStart().length;
    if (isBlank(line)) {
      const after = lines[next + 1] ?? "";
      if (isBlank(after) || after.length - after.trimStart().length < Math.min(width, 2)) break;
      inner.push("");
    } else if (indent >= Math.min(width, 2)) inner.push(line.slice(Math.min(width, indent)));
    else if (isBlank(lines[next - 1]) || startsBlock(line)) break;
    else inner.push(line);
  }
  return { inner, next };
}

function startsBlock(line: string): boolean {
  return [fence, heading, rule, quote, item].some((mark) => mark.test(line));
}

function takeParagraph(lines: readonly string[], at: number, depth: number): Taken {
  const words = [lines[at] ?? ""];
  let next = at + 1;
  for (; next < lines.length; next += 1) {
    const line = lines[next] ?? "";
    // As deep as this, marks of containers are words.
    if (isBlank(line) || (startsBlock(line) && (depth < depthMax || !(quote.test(line) || item.test(line))))) break;
    words.push(line);
  }
  return { block: { kind: "paragraph", inlines: readInline(words.map((line) => line.trimEnd()).join("\n")) }, next };
}

/** Of a text that is looked at in vain, no more than this is. */
const looked = 20_000;
const signs: readonly RegExp[] = [
  /^ {0,3}#{1,6} \S/m,
  /^ {0,3}(?:```|~~~)/m,
  /^ {0,3}(?:[-*+]|\d{1,9}[.)]) \S.*\n(?:.*\n)?? {0,3}(?:[-*+]|\d{1,9}[.)]) \S/m,
  /^ {0,3}> \S/m,
  /(?<![\w*])\*\*[^\s*][^*\n]{0,200}\*\*(?![\w*])/,
  /\[[^[\]\n]{1,200}\]\((?:https?:|mailto:)/,
];

export function looksLikeMarkdown(text: string): boolean {
  const start = text.slice(0, looked);
  return signs.some((sign) => sign.test(start));
}

/** The one text in it that looks like Markdown; null: there is none, or there are several. */
export function markdownOf(value: Json): string | null {
  if (typeof value === "string") return looksLikeMarkdown(value) ? value : null;
  const blocks = blocksOf(value);
  const texts =
    blocks === null
      ? isObject(value)
        ? Object.values(value).filter((member) => typeof member === "string")
        : []
      : blocks.flatMap((block) => (block.kind === "text" ? [block.text] : []));
  const found = texts.filter(looksLikeMarkdown);
  return found.length === 1 ? (found[0] ?? null) : null;
}
