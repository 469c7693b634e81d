// What the readers of JSON and YAML hand over, and the limits that both keep. A text that cannot be read has no value;
// one that can, but says something it must not (a key twice, a number too large), has both a value and problems.

import type { FindingCode, PatchOperation } from "../finding.ts";
import type { Json } from "../json.ts";
import type { Pointer } from "../pointer.ts";
import { depthLimit, keyLimit } from "./limits.ts";
import type { Mark } from "./places.ts";

export type Problem = {
  readonly code: FindingCode;
  readonly pointer: Pointer;
  /** Offset in the text. */
  readonly at: number;
  readonly message: string;
  readonly patch?: readonly PatchOperation[];
};

export type Reading = {
  readonly value: Json | undefined;
  readonly root: Mark | undefined;
  readonly problems: readonly Problem[];
};

export const templateMessage =
  'A value that starts with {{ must stand in quotes, like "{{ input.name }}"; without them it is taken for a map.';

export function unreadable(...problems: readonly Problem[]): Reading {
  return { value: undefined, root: undefined, problems };
}

export function emptyDocument(): Problem {
  return { code: "empty_document", pointer: "", at: 0, message: "The text is empty; write a flow." };
}

export function tooDeep(pointer: Pointer, at: number): Problem {
  const message = `Maps and lists stand more than ${depthLimit} levels deep within each other here; flatten the document.`;
  return { code: "too_deep", pointer, at, message };
}

/** The pointer is that of the map in which it stands. */
export function keyTooLong(key: string, pointer: Pointer, at: number): Problem {
  return { code: "key_too_long", pointer, at, message: explainLongKey(key) };
}

export function explainLongKey(key: string): string {
  return `The key ${quote(key)} has ${key.length} characters, and may have ${keyLimit}; make it a value, or shorten it.`;
}

export function duplicateKey(key: string, pointer: Pointer, at: number, firstLine: number): Problem {
  const message = `The key ${quote(key)} stands twice in the same map, first on line ${firstLine}; keep one of them.`;
  return { code: "duplicate_key", pointer, at, message };
}

/** Above 2^53 - 1 neighbouring whole numbers become one and the same, so an id would silently turn into another. */
export function isUnsafe(number: number): boolean {
  return !(Math.abs(number) <= Number.MAX_SAFE_INTEGER);
}

export function unsafeNumber(source: string, pointer: Pointer, at: number): Problem {
  const message = `The number ${shorten(source)} cannot be kept exactly; write it in quotes, as a text.`;
  return { code: "unsafe_number", pointer, at, message };
}

/** JSON has no infinity: the rest of the document is checked with the largest number in its place. */
export function toFinite(number: number): number {
  if (Number.isNaN(number)) return 0;
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, number));
}

export function quote(text: string): string {
  return JSON.stringify(shorten(text));
}

export function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
