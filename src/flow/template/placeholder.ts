// Finding the placeholders of a text. Where one ends is found by the expression's own words, since `}}` may stand in a
// quoted text or close two maps.

import { sourceBytesMax } from "../expression/limits.ts";
import { readToken } from "../expression/tokens.ts";

/** `at` is the offset of `{{`, `end` the one behind `}}`; null when nothing closes it. */
export type Placeholder = { readonly at: number; readonly end: number | null };

/** The first placeholder at or behind `from`. */
export function findPlaceholder(text: string, from: number): Placeholder | null {
  const at = text.indexOf("{{", from);
  if (at === -1) return null;
  return { at, end: endByWords(text, at + 2) ?? endByLetters(text, at + 2) };
}

function endByWords(text: string, from: number): number | null {
  let open = 0;
  let token = readToken(text, from);
  while (token.kind !== "end" && token.at - from <= sourceBytesMax) {
    if (token.kind === "symbol" && token.value === "{") open += 1;
    if (token.kind === "symbol" && token.value === "}") {
      if (open === 0 && text.charAt(token.end) === "}") return token.end + 1;
      open = Math.max(0, open - 1);
    }
    token = readToken(text, token.end);
  }
  return null;
}

/** For what is no expression, or far too long for one: the report should show it, not swallow the rest of the text. */
function endByLetters(text: string, from: number): number | null {
  const close = text.indexOf("}}", from);
  return close === -1 ? null : close + 2;
}
