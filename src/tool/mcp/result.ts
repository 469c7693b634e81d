// What a server answers to a call, as the result of a step. Pure.

import { isArray, isObject, own, type Json, type JsonObject } from "../../flow/json.ts";
import { checkAnswer, toAnswer } from "../answer.ts";
import { cut } from "../flaws.ts";
import { bareOutcome, isOutcomeName } from "../outcome-name.ts";
import type { Tool, ToolAnswer } from "../tool.ts";
import { hideNothing, showAll, withoutInvisible, type Hide } from "./shown-text.ts";
import { hasTooManyValues } from "./value-count.ts";

const messageLengthMax = 4096;
const outcomeKey = "stepwell/outcome";

/** How what was filled in is kept out of it, and where is told what no answer says. */
export type Reading = {
  /** From what it says to people. */
  readonly hide: Hide;
  /** From what flows go on with. */
  readonly hideSecrets: Hide;
  readonly log: (line: string) => void;
};

const plain: Reading = { hide: hideNothing, hideSecrets: hideNothing, log: () => {} };

/** What was filled in does not come back, in whatever it says; what it promises is checked before. */
export function readResult(tool: Omit<Tool, "call">, result: JsonObject, reading: Reading = plain): ToolAnswer {
  if (own(result, "isError") === true) return failureOf(result, reading);
  const answer = checkAnswer(tool, answerOf(result));
  return answer.kind === "done" ? { ...answer, result: showAll(answer.result, reading.hideSecrets) } : answer;
}

/** What has structure comes first; one text may be JSON; anything else stays as it came. */
function answerOf(result: JsonObject): ToolAnswer {
  const outcome = outcomeOf(result);
  const structured = own(result, "structuredContent");
  if (structured !== undefined) return toAnswer(structured, outcome);
  const blocks = blocksOf(result);
  const first = blocks[0];
  if (first === undefined) return toAnswer(null, outcome);
  const text = blocks.length === 1 ? textOf(first) : undefined;
  if (text === undefined) return toAnswer({ content: blocks }, outcome);
  const value = parseText(text);
  const answer = toAnswer(value, outcome);
  // Too deep, or too large once it is read: then it stays a text.
  return answer.kind === "done" || value === text ? answer : toAnswer(text, outcome);
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

/** A text in quotes stays one, and so does what would lose something, a number of many digits, and what has more values
 *  than a message may have. */
function parseText(text: string): Json {
  if (hasTooManyValues(text)) return text;
  try {
    const value = JSON.parse(text) as Json;
    return typeof value === "string" || (mayLose.test(text) && losesNumber(text)) ? text : value;
  } catch {
    return text;
  }
}

/** Fifteen digits without an exponent come back as they were. */
const mayLose = /[\d.]{16}|\d[eE]/;

/** Some number in it would not come back as it was written. */
function losesNumber(text: string): boolean {
  let isLost = false;
  const look = (_: string, value: unknown, { source }: { readonly source?: string } = {}): unknown => {
    if (typeof value === "number" && source !== undefined) isLost ||= plainNumber(source) !== plainNumber(`${value}`);
    return value;
  };
  JSON.parse(text, look);
  return isLost;
}

/** Its digits without zeros around them, and where its point stands: the same for `1.50`, `1.5` and `15e-1`. */
function plainNumber(written: string): string {
  const [, sign = "", whole = "", part = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(written) ?? [];
  const digits = `${whole}${part}`.replace(/^0+/, "");
  const kept = digits.replace(/0+$/, "");
  if (kept === "") return whole === "" ? written : "0";
  return `${sign}${kept}e${Number(exponent) - part.length + digits.length - kept.length}`;
}

function outcomeOf(result: JsonObject): string | null {
  const meta = own(result, "_meta");
  const name = isObject(meta) ? own(meta, outcomeKey) : undefined;
  return isOutcomeName(name) ? bareOutcome(name) : null;
}

/** A tool that has called another server, in the words of its SDK: it does not know itself what became of that. */
const inDoubt = /^MCP error -3200[01]: (?:Request timed out|Connection closed)/;

/** Servers of the 1.x SDK answer so to arguments that do not fit and to tools that they do not have. */
const refused = /^MCP error -32602\b/;

function failureOf(result: JsonObject, { hide, log }: Reading): ToolAnswer {
  const said = blocksOf(result)
    .flatMap((block) => textOf(block) ?? [])
    .join("\n");
  const structured = own(result, "structuredContent");
  const text = said === "" && structured !== undefined ? JSON.stringify(structured) : said;
  const message = cut(hide(withoutInvisible(text)).toWellFormed(), messageLengthMax);
  if (inDoubt.test(message)) {
    log(`The tool does not know whether it happened: ${message}`);
    return { kind: "lost" };
  }
  return {
    kind: "failed",
    code: "tool_failed",
    message: message === "" ? "The tool failed without a word." : message,
    isFinal: refused.test(message),
  };
}
