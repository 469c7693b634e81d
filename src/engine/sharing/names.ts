// Names for what comes from elsewhere. They are keys of the store and nothing else: no file is ever called by them.

import { isName } from "../workflow-entry.ts";

const lengthMax = 128;

/** `digest (imported 1)`: the first that is free, and as long as a name may be. */
export function findFreeName(
  name: string,
  isTaken: (name: string) => boolean,
  suffix: (count: number) => string,
): string {
  for (let count = 1; ; count++) {
    const ending = suffix(count);
    const free = `${cut(name, lengthMax - ending.length)}${ending}`;
    if (!isTaken(free)) return free;
  }
}

/** The same where it can be, else the nearest that a workflow can be saved under. */
export function toName(text: string): string {
  const plain = text
    .normalize()
    .replaceAll(/[@{}\p{C}\p{Zl}\p{Zp}]+/gu, " ")
    .replaceAll(/:\s/gu, " ")
    .replaceAll(/\s+/gu, " ")
    .replace(/^[^\p{L}\p{N}_]+/u, "")
    .trim();
  const short = cut(plain, lengthMax);
  if (isName(text)) return text;
  return isName(short) ? short : cut(`workflow ${short}`, lengthMax);
}

/** Never half a character, and never an end that no name has. */
function cut(text: string, length: number): string {
  return text
    .slice(0, length)
    .replace(/\p{Cs}$/u, "")
    .replace(/[:\p{Z}]+$/u, "");
}
