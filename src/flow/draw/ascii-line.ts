// Lines of toned text: details stand in one column, what is too long is cut there first, tones become ANSI colours.

import type { TerminalKind } from "../plan.ts";
import { cutText, measureText } from "./text.ts";

export type Tone = "line" | "glyph" | "name" | "label" | "mention" | "muted" | TerminalKind;
export type Span = readonly [Tone, string];

export type Line = {
  readonly left: readonly Span[];
  /** Cut first when the line is too long. */
  readonly detail: string;
  readonly tail: readonly Span[];
};

export type LineFormat = { readonly width: number; readonly ellipsis: string; readonly isColoured: boolean };

/** Set Graphics Rendition: dim lines and details, bold names, green, red and yellow ends. */
const codes: { readonly [tone in Tone]: string } = {
  line: "2",
  glyph: "36",
  name: "1",
  label: "3",
  mention: "36",
  muted: "2",
  success: "32",
  failure: "31",
  cancel: "33",
};

export function formatLines(lines: readonly Line[], format: LineFormat): string {
  // Names that are longer than two fifths of the line do not push the details of all others to the right.
  const limit = Math.floor(format.width * 0.4);
  const lefts = lines.filter(({ detail }) => detail !== "").map(({ left }) => measure(left));
  const column = Math.max(0, ...lefts.filter((left) => left <= limit)) + 3;
  return lines.map((line) => `${formatLine(line, column, format)}\n`).join("");
}

function formatLine({ left, detail, tail }: Line, column: number, format: LineFormat): string {
  const used = measure(left);
  const gap = Math.max(column - used, 2);
  const after: readonly Span[] = tail.length === 0 ? [] : [["line", " "], ...tail];
  const room = format.width - used - gap - measure(after);
  const spans: Span[] = [...left];
  if (detail !== "" && room > 4) {
    spans.push(["line", " ".repeat(gap)], ["muted", cutText(detail, room, format.ellipsis)]);
  }
  return toText(cutSpans([...spans, ...after], format), format.isColoured);
}

function cutSpans(spans: readonly Span[], { width, ellipsis }: LineFormat): readonly Span[] {
  const kept: Span[] = [];
  let room = width;
  for (const [tone, text] of spans) {
    const cut = cutText(text, room, ellipsis);
    kept.push([tone, cut]);
    if (cut !== text) break;
    room -= measureText(text);
  }
  return kept;
}

function measure(spans: readonly Span[]): number {
  return spans.reduce((sum, [, text]) => sum + measureText(text), 0);
}

function toText(spans: readonly Span[], isColoured: boolean): string {
  const text = spans.map(([, part]) => part).join("");
  if (!isColoured) return text.trimEnd();
  return spans.map(([tone, part]) => (part.trim() === "" ? part : `\u001B[${codes[tone]}m${part}\u001B[0m`)).join("");
}
