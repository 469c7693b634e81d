// Text in an SVG: escaped, and measured without the fonts. The estimate is a little generous, so that a wider font of
// the reader still fits.

import { measureText } from "./text.ts";

/** Widths in parts of the font's size. */
const narrow = /[iljtfrI.,:;'|!()[\] ]/u;
const broad = /[mwMW@%]/u;
const capital = /[A-Z]/u;

const entities: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Of text that is plain already: no control characters. */
export function escapeMarkup(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? "");
}

export function estimateWidth(text: string, size: number): number {
  let sum = 0;
  for (const character of text) sum += widthOf(character);
  return Math.ceil(sum * size);
}

export function estimateMonoWidth(text: string, size: number): number {
  return Math.ceil(measureText(text) * 0.61 * size);
}

/** As much of the text as fits into `room`. */
export function fitText(text: string, room: number, estimate: (text: string) => number): string {
  if (estimate(text) <= room) return text;
  let kept = "";
  for (const character of text) {
    if (estimate(`${kept}${character}…`) > room) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}

function widthOf(character: string): number {
  if (character > "\u{2E7F}") return 1.05;
  if (narrow.test(character)) return 0.36;
  if (broad.test(character)) return 0.92;
  return capital.test(character) ? 0.72 : 0.6;
}
