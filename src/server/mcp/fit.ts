// What a client reads in one message. Those of the SDKs hang up at 10 MB, and lose all that is under way: what would be
// more is told with less, or refused in words. Pure.

import type { CallToolResult } from "@modelcontextprotocol/server";
import { StepwellError } from "../../error.ts";

/** With room for what goes around it. */
const bytesMax = 8 * 1024 * 1024;
/** A sign takes seven at most, in a text of JSON in JSON, and what it tells stands in a message twice. */
const surelyFits = bytesMax / 14;
/** So much of a text is left where all of it stands beside it. */
const textMax = 4000;

/** The same as text and as a document, or the document alone; null: that is too much as well. */
export function fitResult(result: CallToolResult): CallToolResult | null {
  if (isSmall(result) || bytesOf(result) <= bytesMax) return result;
  const shorter = { ...result, content: result.content.map(shorten) };
  return bytesOf(shorter) <= bytesMax ? shorter : null;
}

export function fitText(text: string, hint: string): string {
  if (text.length <= surelyFits || bytesOf(text) <= bytesMax) return text;
  throw tooLarge(hint);
}

/** How many of these fit in a message; one at least. */
export function countFitting(documents: readonly object[]): number {
  let bytes = 0;
  const past = documents.findIndex((document) => (bytes += bytesOf(document)) > bytesMax / 4);
  return past === -1 ? documents.length : Math.max(past, 1);
}

/** What is long in it is its text: that is made from all of it. */
function isSmall({ content }: CallToolResult): boolean {
  return content.every((block) => block.type !== "text" || block.text.length <= surelyFits);
}

function shorten(block: CallToolResult["content"][number]): CallToolResult["content"][number] {
  if (block.type !== "text" || block.text.length <= textMax) return block;
  const rest = `… (${block.text.length - textMax} characters more; structuredContent has all of it)`;
  return { ...block, text: block.text.slice(0, textMax).toWellFormed() + rest };
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

export const tooMuch: string = `more than the ${bytesMax / 1024 / 1024} MB that are told in one message`;

/** `hint`: how to ask for less. */
export function tooLarge(hint: string): StepwellError {
  const details = { code: "too_large", bytes_max: bytesMax };
  return new StepwellError("TOO_LARGE", `The answer is ${tooMuch}.`, { hint, details });
}
