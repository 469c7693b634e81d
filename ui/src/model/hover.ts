// What is under the pointer, or at the cursor: a tool with what it does, a key with what it means, a call to try.

import { toolNamed } from "./completion.ts";
import { notationOf, schemasAt } from "./flow-schema.ts";
import { entryAt, isSame, scanFlow, type Entry } from "./flow-text.ts";
import type { Json, JsonObject } from "./json.ts";
import { isObject } from "./json.ts";
import type { Tool } from "./tool.ts";

export type Hover = {
  readonly from: number;
  readonly to: number;
  readonly title: string;
  readonly lines: readonly string[];
};

const toolKeys = new Set(["tool", "fallback", "skill", "fallback_skill"]);

export function hoverAt(
  text: string,
  offset: number,
  known: { readonly schema: Json; readonly tools: readonly Tool[] },
): Hover | null {
  const { entries } = scanFlow(text);
  const entry = entries.findLast(({ from }) => from <= offset);
  if (entry === undefined) return null;
  const isOnKey = offset <= entry.to;
  if (isOnKey) return hoverKey(entry, entries, known.schema);
  const value = entry.value;
  if (value === null || value === "" || !toolKeys.has(entry.path.at(-1) ?? "")) return null;
  const from = text.indexOf(value, entry.to);
  if (from < 0 || offset < from || offset > from + value.length) return null;
  const tool = toolNamed(known.tools, value);
  return tool === null ? null : { from, to: from + value.length, title: tool.name, lines: aboutTool(tool) };
}

function aboutTool({ description, effect, input }: Tool): readonly string[] {
  const properties = isObject(input) && isObject(input["properties"]) ? Object.keys(input["properties"]) : [];
  return [
    ...(description === null ? [] : [description]),
    ...(properties.length === 0 ? [] : [`Takes ${properties.join(", ")}.`]),
    ...(effect === "write" ? ["It changes something."] : []),
  ];
}

function hoverKey({ path, from, to }: Entry, entries: readonly Entry[], schema: Json): Hover | null {
  if (path.includes("args")) return null;
  const about = schemasAt(schema, notationOf(entries), path).find(({ description }) => typeof description === "string");
  const said = about?.["description"];
  const isName = isSame(path.slice(0, -1), ["steps"]) || isSame(path.slice(0, -1), ["states"]);
  return typeof said !== "string" || isName ? null : { from, to, title: path.at(-1) ?? "", lines: [said] };
}

export type Call = { readonly tool: string; readonly args: JsonObject };

/** The call in which the cursor stands, with what its arguments say without a run. */
export function callAt(text: string, offset: number): Call | null {
  const { entries } = scanFlow(text);
  const here = entries.findLast(({ from }) => from <= offset);
  for (let path = here?.path ?? []; path.length > 0; path = path.slice(0, -1)) {
    const tool = entryAt(entries, [...path, "tool"])?.value ?? null;
    if (tool !== null && tool !== "" && tool !== "null") return { tool, args: plainArgs(entries, [...path, "args"]) };
  }
  return null;
}

/** What is filled in by a run is left out. */
function plainArgs(entries: readonly Entry[], path: readonly string[]): JsonObject {
  const args: { [name: string]: Json } = {};
  for (const { path: own, value } of entries) {
    if (own.length !== path.length + 1 || value === null || value.includes("{{") || !isSame(own.slice(0, -1), path))
      continue;
    args[own.at(-1) ?? ""] = readPlain(value);
  }
  return args;
}

function readPlain(text: string): Json {
  if (/^(?:true|false|null|-?\d+(?:\.\d+)?)$/.test(text)) return JSON.parse(text) as Json;
  return text;
}
