// Aligned columns without boxes: a grey line of headings, then one line for each row. Pure.

import { styleText } from "node:util";
import { cutText, measureText, toAsciiText, toPlainText } from "../flow/draw/text.ts";
import type { Look } from "./terminal.ts";

export type Style = Extract<Parameters<typeof styleText>[0], string>;

export type Cell = { readonly text: string; readonly style?: Style };

export type Table = {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
};

/** Only the last column is cut, and only when the line is longer than the terminal is wide. */
export function drawTable({ headings, rows }: Table, look: Look): readonly string[] {
  const lines = rows.map((row) => row.map((cell) => ({ ...cell, text: toHarmless(cell.text, look) })));
  const widths = headings.map((heading, column) =>
    lines.reduce((most, row) => Math.max(most, measureText(row[column]?.text ?? "")), measureText(heading)),
  );
  const heading = headings.map((text) => ({ text, style: "gray" }) as const);
  return [heading, ...lines].map((row) => drawRow(row, widths, look));
}

function drawRow(row: readonly Cell[], widths: readonly number[], look: Look): string {
  let column = 0;
  let line = "";
  for (const [index, { text, style }] of row.entries()) {
    const isLast = row.slice(index + 1).every((cell) => cell.text === "");
    const room = Math.max(1, look.columns - column);
    const cut = isLast ? cutText(text, room, look.isUnicode ? "…" : "...") : text;
    line += paint(cut, style, look);
    if (isLast) break;
    const gap = (widths[index] ?? 0) - measureText(text) + 2;
    line += " ".repeat(gap);
    column += measureText(text) + gap;
  }
  return line.trimEnd();
}

/** Whether colours are wanted is decided elsewhere. */
export function paint(text: string, style: Style | undefined, look: Look): string {
  return style === undefined || !look.isColour || text === ""
    ? text
    : styleText(style, text, { validateStream: false });
}

/** Without control characters: what a tool has answered must not move the cursor. */
export function toHarmless(text: string, look: Look): string {
  return look.isUnicode ? toPlainText(text) : toAsciiText(text);
}
