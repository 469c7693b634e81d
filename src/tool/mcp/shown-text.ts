// Texts of servers, before anybody sees them: without signs that move the cursor, hide or turn text around, and without
// the values that were filled into the server's configuration.

import { isArray, isObject, objectFrom, type Json, type JsonObject } from "../../flow/json.ts";
import type { ToolDefinition } from "./contract.ts";

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
  const pattern = new RegExp(hidden.map(toPattern).join("|"), "g");
  return (text) => text.replaceAll(pattern, "[hidden]");
}

/** How long a text has to be so that each of them can be found in it. */
export function longestForm(values: readonly string[]): number {
  return Math.max(0, ...values.flatMap(formsOf).map(({ length }) => length));
}

function toPattern(value: string): string {
  return value.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

function formsOf(value: string): readonly string[] {
  return [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value.toWellFormed())];
}

/** A document in which each text is shown so; names of members stay, since somebody may have to say them again. */
function showTexts(value: JsonObject, show: Hide): JsonObject;
function showTexts(value: Json, show: Hide): Json;
function showTexts(value: Json, show: Hide): Json {
  if (show === hideNothing) return value;
  if (typeof value === "string") return show(value);
  if (isArray(value)) return value.map((item) => showTexts(item, show));
  if (!isObject(value)) return value;
  return objectFrom(Object.entries(value).map(([name, member]) => [name, showTexts(member, show)] as const));
}

/** What of a schema is only said; all else is held against values, and has to stay as it is. */
const saidKeywords: ReadonlySet<string> = new Set([
  "title",
  "description",
  "$comment",
  "default",
  "examples",
  "enumNames",
]);

/** A schema in which what it says to people is shown so. */
export function showSchema(schema: JsonObject, show: Hide): JsonObject {
  if (show === hideNothing) return schema;
  return showKeywords(schema, show);
}

function showKeywords(schema: JsonObject, show: Hide): JsonObject {
  return objectFrom(
    Object.entries(schema).map(([keyword, value]): readonly [string, Json] => {
      if (saidKeywords.has(keyword) && !isObject(value)) return [keyword, showTexts(value, show)];
      return [keyword, keyword === "enum" || keyword === "const" ? value : showWithin(value, show)];
    }),
  );
}

function showWithin(value: Json, show: Hide): Json {
  if (isArray(value)) return value.map((item) => showWithin(item, show));
  return isObject(value) ? showKeywords(value, show) : value;
}

/** The same, with the names of members: nobody is asked for them. Two that become one are told apart. */
export function showAll(value: Json, show: Hide): Json {
  if (show === hideNothing) return value;
  // Nearly always there is nothing to hide, and one look at all of it says so.
  const text = JSON.stringify(value);
  return show(text) === text ? value : showEach(value, show);
}

function showEach(value: Json, show: Hide): Json {
  if (typeof value === "string") return show(value);
  if (isArray(value)) return value.map((item) => showEach(item, show));
  if (!isObject(value)) return value;
  const shown = new Map<string, Json>();
  for (const [name, member] of Object.entries(value)) {
    let free = show(name);
    for (let count = 2; shown.has(free); count++) free = `${show(name)} ${count}`;
    shown.set(free, showEach(member, show));
  }
  return objectFrom(shown);
}

/** The tool's own name stays: it is called by it. */
export function withoutValues(definition: ToolDefinition, hide: Hide): ToolDefinition {
  const { title, description, input, output, annotations } = definition;
  return {
    ...definition,
    title: title === null ? null : hide(title),
    description: description === null ? null : hide(description),
    input: showSchema(input, hide),
    output: output === null ? null : showSchema(output, hide),
    annotations: showTexts(annotations, hide),
  };
}
