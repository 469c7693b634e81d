// Before other work on the machine, where we may: as root on Linux, as the peers' harness does it for its children.

import { readFileSync, writeFileSync } from "node:fs";

const niceness = process.env["NICE"] ?? "-10";
const groupFile = "/proc/self/autogroup";

function mayRaise(): boolean {
  return process.platform === "linux" && process.getuid?.() === 0;
}

/** The command of a child. */
export function withPriority(command: readonly string[]): readonly string[] {
  return mayRaise() ? ["nice", "-n", niceness, ...command] : command;
}

/** Where the system weighs sessions against each other, niceness counts only within one: the session is raised as well,
 *  and with it the peers. What it returns takes that back. */
export function raiseSession(): () => void {
  if (!mayRaise()) return () => {};
  try {
    const before = /nice (-?\d+)/.exec(readFileSync(groupFile, "utf8"))?.[1] ?? "0";
    writeFileSync(groupFile, niceness);
    return () => writeFileSync(groupFile, before);
  } catch {
    // This system does not weigh sessions.
    return () => {};
  }
}
