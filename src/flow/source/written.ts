// How a value is written into a text that is there already: in one line, quoted where brackets around it need that, and
// with the text's own line ends.

import { stringify } from "yaml";
import type { Json } from "../json.ts";

/** In YAML; undefined: it takes several lines. */
export function toOneLine(value: Json, isInBrackets: boolean): string | undefined {
  if (typeof value !== "string") return stringify(value, { lineWidth: 0, collectionStyle: "flow" }).trimEnd();
  if (!isInBrackets) {
    const written = stringify(value, { lineWidth: 0 }).trimEnd();
    return written.includes("\n") ? undefined : written;
  }
  const written = stringify([value], { lineWidth: 0, collectionStyle: "flow" }).trim().slice(1, -1).trim();
  return written.includes("\n") ? JSON.stringify(value) : written;
}

/** The first one's, as editors have it. */
export function lineEndOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? "\n";
}

/** What was written by a library, with the line ends of a text. */
export function withLineEndsOf(text: string, written: string): string {
  return written.replaceAll("\n", lineEndOf(text));
}
