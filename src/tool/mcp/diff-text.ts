// Texts of servers, for people to compare: nothing invisible stays so, nothing steers a terminal, and all of it is short. Pure.

import { canonicalText, type Json } from "../../flow/json.ts";

const lineMax = 240;
/** Lines of one text that are compared: more are cut. */
const linesMax = 200;

/** Controls, marks that cannot be seen, and variation selectors, each by its number. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}\u115F\u1160\u3164\uFFA0]/gu;

export function showLine(text: string): string {
  const cut = text.length > lineMax ? `${text.slice(0, lineMax)}…` : text;
  return cut.replaceAll(unseen, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`);
}

export function showValue(value: Json | undefined): string {
  return value === undefined ? "nothing" : showLine(canonicalText(value));
}

/** Lines that have gone and come, as `- old` and `+ new`; what is the same around them is left out. */
export function diffLines(before: string, after: string): readonly string[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const kept = commonLines(old, now);
  const lines: string[] = [];
  let [i, j] = [0, 0];
  for (const [at, to] of [...kept, [old.length, now.length] as const]) {
    for (; i < at; i += 1) lines.push(`- ${showLine(old[i] ?? "")}`);
    for (; j < to; j += 1) lines.push(`+ ${showLine(now[j] ?? "")}`);
    [i, j] = [at + 1, to + 1];
  }
  return lines.length === 0 ? ["(it differs beyond what is compared)"] : lines;
}

function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.split("\n").slice(0, linesMax);
}

/** Places of the longest sequence of lines that both have. */
function commonLines(old: readonly string[], now: readonly string[]): readonly (readonly [number, number])[] {
  const lengths = old.map(() => new Uint16Array(now.length + 1));
  lengths.push(new Uint16Array(now.length + 1));
  const lengthAt = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1)
    for (let j = now.length - 1; j >= 0; j -= 1) {
      const row = lengths[i];
      const longer = old[i] === now[j] ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
      if (row !== undefined) row[j] = longer;
    }
  const pairs: (readonly [number, number])[] = [];
  for (let i = 0, j = 0; i < old.length && j < now.length;) {
    if (old[i] === now[j]) {
      pairs.push([i, j]);
      [i, j] = [i + 1, j + 1];
    } else if (lengthAt(i + 1, j) >= lengthAt(i, j + 1)) i += 1;
    else j += 1;
  }
  return pairs;
}
