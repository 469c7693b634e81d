// What /proc tells of other processes; elsewhere than on Linux it tells nothing.

import { readFileSync } from "node:fs";

export function childrenOf(pid: number): readonly number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
    return text === "" ? [] : text.split(" ").map(Number);
  } catch {
    return [];
  }
}
