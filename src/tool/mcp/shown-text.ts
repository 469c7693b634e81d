// Texts of servers, before anybody sees them: without signs that move the cursor, hide or turn text around, and without
// the values that were filled into the server's configuration.

import { isArray, isObject, objectFrom, type Json, type JsonObject } from "../../flow/json.ts";

/** Controls, formats, private and unassigned signs, ends of lines and paragraphs, and selectors of variants. */
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}]/gu;

/** What colours a terminal: without the sign that begins it, the rest would be seen. */
const colours = new RegExp(String.raw`${String.fromCodePoint(27)}\[[0-9;?]*[ -/]*[@-~]`, "g");

/** Ends of lines and tabs stay. */
export function withoutInvisible(text: string): string {
  return text.replaceAll(colours, "").replaceAll(invisible, (sign) => (sign === "\n" || sign === "\t" ? sign : ""));
}

/** Shorter ones are found everywhere, and say little. */
const valueLengthMin = 6;

export type Hide = (text: string) => string;

/** Where nothing was filled in. */
export const hideNothing: Hide = (text) => text;

/** Hides what was filled in, also as it looks inside JSON or an address: values of this connection alone, forgotten with
 *  it. */
export function createVeil(values: Iterable<string>): Hide {
  const hidden = [...new Set([...values].filter(({ length }) => length >= valueLengthMin).flatMap(formsOf))].toSorted(
    (one, other) => other.length - one.length,
  );
  if (hidden.length === 0) return hideNothing;
  return (text) => {
    let shown = text;
    for (const value of hidden) shown = shown.replaceAll(value, "[hidden]");
    return shown;
  };
}

function formsOf(value: string): readonly string[] {
  return [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value.toWellFormed())];
}

/** A document in which each text is shown so; names of members stay, since somebody may have to say them again. */
export function showTexts(value: JsonObject, show: Hide): JsonObject;
export function showTexts(value: Json, show: Hide): Json;
export function showTexts(value: Json, show: Hide): Json {
  if (show === hideNothing) return value;
  if (typeof value === "string") return show(value);
  if (isArray(value)) return value.map((item) => showTexts(item, show));
  if (!isObject(value)) return value;
  return objectFrom(Object.entries(value).map(([name, member]) => [name, showTexts(member, show)] as const));
}

/** The same, with the names of members: nobody is asked for them. Two that become one are told apart. */
export function showAll(value: Json, show: Hide): Json {
  if (show === hideNothing) return value;
  if (typeof value === "string") return show(value);
  if (isArray(value)) return value.map((item) => showAll(item, show));
  if (!isObject(value)) return value;
  const shown = new Map<string, Json>();
  for (const [name, member] of Object.entries(value)) {
    let free = show(name);
    for (let count = 2; shown.has(free); count++) free = `${show(name)} ${count}`;
    shown.set(free, showAll(member, show));
  }
  return objectFrom(shown);
}
