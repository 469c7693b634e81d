// What runs on this machine, as `ps` tells it.

import { execFileSync } from "node:child_process";

export type Running = { readonly pid: number; readonly parent: number; readonly group: number; readonly line: string };

/** Without those that are dead and not yet buried. */
export function listRunning(): readonly Running[] {
  const told = execFileSync("ps", ["-A", "-ww", "-o", "pid=,ppid=,pgid=,stat=,args="], { encoding: "utf8" });
  return told.split("\n").flatMap((row) => {
    const [, pid, parent, group, state = "Z", line = ""] = /^ *(\d+) +(\d+) +(\d+) +(\S+) +(.*)$/.exec(row) ?? [];
    if (state.startsWith("Z")) return [];
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), line }];
  });
}

/** The one whose command line has all of these words in it. */
export function findRunning(...words: readonly string[]): Running {
  const found = listRunning().filter(({ line }) => words.every((word) => line.includes(word)));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  throw new Error(`${found.length} processes have ${words.join(", ")} in their command line`);
}
