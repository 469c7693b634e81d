// What the server says about a text: where, how bad, and how it can be mended.

import { entryNear, scanFlow } from "./flow-text.ts";
import type { Graph } from "./run.ts";
import { isObject, type Json } from "./json.ts";

export type Finding = {
  readonly code: string;
  readonly isError: boolean;
  readonly message: string;
  readonly pointer: string;
  /** One-based; null: it has no place. */
  readonly line: number | null;
  readonly column: number | null;
  /** What mends it, for the server to apply. */
  readonly patch: Json;
};

export type Validation = { readonly findings: readonly Finding[]; readonly graph: Graph | null };

/** `Line 12: There is no step "sumarize".` */
export function sayFinding({ line, message }: Pick<Finding, "line" | "message">): string {
  return line === null ? message : `Line ${line}: ${message}`;
}

/** What is marked in the text: from where it is said to be to the end of that word, never nothing. */
export function markOf(
  text: string,
  { line, column }: Pick<Finding, "line" | "column">,
): { readonly from: number; readonly to: number } {
  const lines = text.split("\n");
  const no = Math.min(Math.max(line ?? 1, 1), lines.length);
  const before = lines.slice(0, no - 1).reduce((sum, each) => sum + each.length + 1, 0);
  const own = lines[no - 1] ?? "";
  const start = Math.min((column ?? own.length - own.trimStart().length + 1) - 1, own.length);
  const rest = own.slice(start);
  const word = /^(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s,{}[\]]+)/.exec(rest)?.[0].replace(/:$/, "") ?? "";
  const from = before + (rest === "" ? Math.max(start - 1, 0) : start);
  return { from, to: Math.max(from + Math.max(word.length, 1), from) };
}

/** Errors keep a text from being saved, warnings do not. */
export function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some(({ isError }) => isError);
}

/** `2 errors, 1 warning`. `isRefused`: somebody has tried to save it all the same. */
export function sumUp(findings: readonly Finding[], isRefused: boolean): string {
  if (findings.length === 0) return "Nothing is wrong.";
  const errors = findings.filter(({ isError }) => isError).length;
  const warnings = findings.length - errors;
  const parts = [];
  if (errors > 0) parts.push(errors === 1 ? "1 error" : `${errors} errors`);
  if (warnings > 0) parts.push(warnings === 1 ? "1 warning" : `${warnings} warnings`);
  return `${isRefused && errors > 0 ? "It cannot be saved yet: " : ""}${parts.join(", ")}`;
}

const shownMax = 30;

/** What the button that mends it says: what it takes away is named, so that nobody loses what they did not mean. */
export function cureOf({ code, patch }: Pick<Finding, "code" | "patch">): string {
  const operations = Array.isArray(patch) ? (patch as readonly Json[]).filter(isObject) : [];
  if (operations.length === 0 || operations.some(({ op }) => op !== "remove")) return "Fix";
  const paths = operations.map(({ path }) => (typeof path === "string" ? path.split("/").slice(1) : []));
  const areSteps = code === "unreachable_step";
  if (paths.length > 1) return areSteps ? `Remove ${paths.length} steps` : `Remove ${paths.length} parts`;
  const name = (paths[0]?.at(-1) ?? "").replaceAll("~1", "/").replaceAll("~0", "~");
  const shown = name.length > shownMax ? `${name.slice(0, shownMax)}…` : name;
  // A number in a list names nothing.
  if (/^\d*$/.test(name)) return "Remove it";
  return areSteps ? `Remove step ${shown}` : `Remove ${shown}`;
}

/** A finding of what was read from a text, without a line of its own. */
export function withLine(text: string, finding: Finding): Finding {
  if (finding.line !== null) return finding;
  const entry = entryNear(scanFlow(text).entries, finding.pointer);
  return entry === null ? finding : { ...finding, line: entry.line };
}

export type TextChange = { readonly from: number; readonly to: number; readonly insert: string };

/** The least that leads from one text to the other, so that the cursor and what is folded stay. */
export function changeBetween(before: string, after: string): TextChange | null {
  if (before === after) return null;
  let from = 0;
  while (from < before.length && before[from] === after[from]) from += 1;
  let same = 0;
  while (same < before.length - from && same < after.length - from && before.at(-1 - same) === after.at(-1 - same))
    same += 1;
  return { from, to: before.length - same, insert: after.slice(from, after.length - same) };
}
