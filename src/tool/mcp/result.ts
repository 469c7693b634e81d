// What a server answers to a call, as the result of a step. Pure.

import { isArray, isObject, own, type Json, type JsonObject } from "../../flow/json.ts";
import { checkAnswer, toAnswer } from "../answer.ts";
import { cut } from "../flaws.ts";
import { bareOutcome, isOutcomeName } from "../outcome-name.ts";
import type { Tool, ToolAnswer } from "../tool.ts";
import { withoutInvisible } from "./shown-text.ts";

const messageLengthMax = 4096;
const outcomeKey = "stepwell/outcome";

export function readResult(tool: Omit<Tool, "call">, result: JsonObject): ToolAnswer {
  if (own(result, "isError") === true) return failureOf(result);
  return checkAnswer(tool, toAnswer(valueOf(result), outcomeOf(result)));
}

/** What has structure comes first; one text may be JSON; anything else stays as it came. */
function valueOf(result: JsonObject): Json {
  const structured = own(result, "structuredContent");
  if (structured !== undefined) return structured;
  const blocks = blocksOf(result);
  const [first, ...others] = blocks;
  if (first === undefined) return null;
  const text = others.length === 0 ? textOf(first) : undefined;
  return text === undefined ? { content: blocks } : parseText(text);
}

function blocksOf(result: JsonObject): readonly Json[] {
  const content = own(result, "content");
  return isArray(content) ? content : [];
}

function textOf(block: Json): string | undefined {
  if (!isObject(block) || own(block, "type") !== "text") return undefined;
  const text = own(block, "text");
  return typeof text === "string" ? text : undefined;
}

/** A text in quotes stays one, and so does what would lose something: a number of many digits, or what is too deep. */
function parseText(text: string): Json {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return text;
  }
  if (typeof value === "string") return text;
  if (typeof value === "number" && !isExact(value)) return text;
  return toAnswer(value, null).kind === "done" ? value : text;
}

function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

function outcomeOf(result: JsonObject): string | null {
  const meta = own(result, "_meta");
  const name = isObject(meta) ? own(meta, outcomeKey) : undefined;
  return isOutcomeName(name) ? bareOutcome(name) : null;
}

/** Servers of the 1.x SDK answer so to arguments that do not fit and to tools that they do not have. */
const refused = /^MCP error -32602\b/;

function failureOf(result: JsonObject): ToolAnswer {
  const said = blocksOf(result)
    .flatMap((block) => textOf(block) ?? [])
    .join("\n");
  const structured = own(result, "structuredContent");
  const text = said === "" && structured !== undefined ? JSON.stringify(structured) : said;
  const message = cut(withoutInvisible(text).toWellFormed(), messageLengthMax);
  return {
    kind: "failed",
    code: "tool_failed",
    message: message === "" ? "The tool failed without a word." : message,
    isFinal: refused.test(message),
  };
}
