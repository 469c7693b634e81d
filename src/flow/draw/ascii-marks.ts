// The characters of the terminal drawing. Each is one column wide in every font; glyphs that some terminals show as
// pictures of two columns (gears, hourglasses) are avoided.

import type { TerminalKind } from "../plan.ts";
import type { PictureNode } from "./picture.ts";

type Strokes = { readonly plain: string; readonly parallel: string; readonly side: string };

export type Marks = {
  readonly start: string;
  readonly rail: string;
  /** An exit with more to come beneath it. */
  readonly tees: Strokes;
  /** The last exit. */
  readonly corners: Strokes;
  readonly lines: Strokes;
  readonly arrow: string;
  readonly loop: string;
  readonly join: string;
  readonly ellipsis: string;
  readonly kinds: { readonly [kind in PictureNode["kind"]]: string };
  readonly endings: { readonly [ending in TerminalKind]: string };
};

export const unicodeMarks: Marks = {
  start: "▶",
  rail: "│",
  tees: { plain: "├─", parallel: "╞═", side: "├╌" },
  corners: { plain: "└─", parallel: "╘═", side: "└╌" },
  lines: { plain: "─", parallel: "═", side: "╌" },
  arrow: "▶",
  loop: "↺",
  join: "⇇",
  ellipsis: "…",
  kinds: { tool: "●", gate: "◆", wait: "◷", flow: "▣", set: "≔", end: "○", state: "○", missing: "?" },
  endings: { success: "✔", failure: "✘", cancel: "⊘" },
};

export const asciiMarks: Marks = {
  start: ">",
  rail: "|",
  tees: { plain: "|-", parallel: "|=", side: "|." },
  corners: { plain: "`-", parallel: "`=", side: "`." },
  lines: { plain: "-", parallel: "=", side: "." },
  arrow: ">",
  loop: "^",
  join: "<=",
  ellipsis: "...",
  kinds: { tool: "*", gate: "#", wait: "~", flow: "@", set: "=", end: "o", state: "o", missing: "?" },
  endings: { success: "[ok]", failure: "[failure]", cancel: "[cancel]" },
};
