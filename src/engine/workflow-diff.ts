// What changed between two versions of a workflow: which steps, and line by line.

import { stringify } from "yaml";
import { canonicalText, isArray, isObject, own, type Json, type JsonObject } from "../flow/json.ts";
import { validate } from "../flow/validate/validate.ts";

export type WorkflowDiff = {
  readonly name: string;
  /** Numbers of the two versions. */
  readonly from: number;
  readonly to: number;
  /** By name; states of a machine are its steps, and a pipeline's steps without a name go by their position. */
  readonly steps: {
    readonly added: readonly string[];
    readonly removed: readonly string[];
    readonly changed: readonly string[];
  };
  /** Other keys of the document that differ, such as `input` or `transitions`. */
  readonly keys: readonly string[];
  /** Lines with a mark before each: `-` of the older, `+` of the newer, a blank for both; `…` where equal ones are left out. */
  readonly lines: readonly string[];
};

type Written = { readonly flow: Json; readonly text: string | null };

export function diffFlows(one: Written, other: Written): Pick<WorkflowDiff, "steps" | "keys" | "lines"> {
  const before = normalForm(one.flow);
  const after = normalForm(other.flow);
  const [oldSteps, newSteps] = [stepsOf(before), stepsOf(after)];
  const names = [...new Set([...oldSteps.keys(), ...newSteps.keys()])];
  const isSame = (name: string): boolean => oldSteps.get(name) === newSteps.get(name);
  const steps = {
    added: names.filter((name) => !oldSteps.has(name)),
    removed: names.filter((name) => !newSteps.has(name)),
    changed: names.filter((name) => oldSteps.has(name) && newSteps.has(name) && !isSame(name)),
  };
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => key !== "steps" && key !== "states" && textAt(before, key) !== textAt(after, key))
    .toSorted();
  return { steps, keys, lines: diffLines(...toLines(one, other)) };
}

function normalForm(flow: Json): JsonObject {
  return validate(flow).document ?? (isObject(flow) ? flow : {});
}

function textAt(document: JsonObject, key: string): string {
  const value = own(document, key);
  return value === undefined ? "" : canonicalText(value);
}

function stepsOf(document: JsonObject): ReadonlyMap<string, string> {
  const steps = own(document, "steps") ?? own(document, "states") ?? {};
  if (!isArray(steps)) return new Map(Object.entries(steps).map(([name, step]) => [name, canonicalText(step)]));
  return new Map(steps.map((step, index) => [nameIn(step) ?? String(index + 1), canonicalText(step)]));
}

function nameIn(step: Json): string | undefined {
  const name = isObject(step) ? own(step, "name") : undefined;
  return typeof name === "string" ? name : undefined;
}

/** As both were written, if both were written as text; else both in the same YAML. */
function toLines(one: Written, other: Written): readonly [readonly string[], readonly string[]] {
  const [before, after] =
    one.text !== null && other.text !== null ? [one.text, other.text] : [stringify(one.flow), stringify(other.flow)];
  return [splitLines(before), splitLines(after)];
}

function splitLines(text: string): readonly string[] {
  return text.replace(/\r?\n$/, "").split(/\r?\n/);
}

type Line = { readonly mark: " " | "-" | "+"; readonly text: string };

/** Beyond so many pairs of lines that differ, they are told as taken out and put in as a whole. */
const pairsMax = 4_000_000;
/** Equal lines that are shown beside a change. */
const around = 3;

export function diffLines(before: readonly string[], after: readonly string[]): readonly string[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  if (start === before.length && start === after.length) return [];
  const head = before.slice(0, start).map((text) => ({ mark: " ", text }) as const);
  const tail = before.slice(before.length - end).map((text) => ({ mark: " ", text }) as const);
  const middle = compare(before.slice(start, before.length - end), after.slice(start, after.length - end));
  return shorten([...head, ...middle, ...tail]);
}

/** Along the longest common subsequence. */
function compare(before: readonly string[], after: readonly string[]): readonly Line[] {
  const [rows, columns] = [before.length, after.length];
  if (rows * columns > pairsMax)
    return [
      ...before.map((text) => ({ mark: "-", text }) as const),
      ...after.map((text) => ({ mark: "+", text }) as const),
    ];
  // How many lines are common from each pair on.
  const width = columns + 1;
  const common = new Uint32Array((rows + 1) * width);
  const at = (row: number, column: number): number => common[row * width + column] ?? 0;
  for (let row = rows - 1; row >= 0; row--)
    for (let column = columns - 1; column >= 0; column--)
      common[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
  const lines: Line[] = [];
  let [row, column] = [0, 0];
  while (row < rows || column < columns) {
    const [old, fresh] = [before[row], after[column]];
    if (old !== undefined && old === fresh) {
      lines.push({ mark: " ", text: old });
      [row, column] = [row + 1, column + 1];
    } else if (old !== undefined && (fresh === undefined || at(row + 1, column) >= at(row, column + 1))) {
      lines.push({ mark: "-", text: old });
      row += 1;
    } else {
      lines.push({ mark: "+", text: fresh ?? "" });
      column += 1;
    }
  }
  return lines;
}

/** Only what is near a change. */
function shorten(lines: readonly Line[]): readonly string[] {
  const isNear = new Uint8Array(lines.length);
  for (const [index, { mark }] of lines.entries())
    if (mark !== " ") isNear.fill(1, Math.max(0, index - around), index + around + 1);
  const shown: string[] = [];
  for (const [index, { mark, text }] of lines.entries()) {
    if (isNear[index] === 1) shown.push(`${mark} ${text}`);
    else if (index === 0 || isNear[index - 1] === 1) shown.push("…");
  }
  return shown;
}
