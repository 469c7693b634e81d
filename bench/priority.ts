// Before other work on the machine, where we may: as root on Linux, as the peers' harness does it for its children.

import { readFileSync, writeFileSync } from "node:fs";
import { setPriority } from "node:os";
import { childrenOf } from "./processes.ts";

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

const lookEveryMs = 250;

/** Each process of a PostgreSQL server is a session of its own, which nobody has raised: all of them are, whoever asked for
 *  them, for as long as the server is there. */
export function raiseServer(pid: number): void {
  if (!mayRaise()) return;
  const raised = new Set<number>();
  const look = (): void => {
    for (const one of [pid, ...childrenOf(pid)]) if (!raised.has(one)) raise(one, raised);
  };
  setInterval(look, lookEveryMs).unref();
}

function raise(pid: number, raised: Set<number>): void {
  try {
    setPriority(pid, Number(niceness));
    writeFileSync(`/proc/${pid}/autogroup`, niceness);
  } catch {
    // It has ended meanwhile, or this system does not weigh sessions.
  }
  raised.add(pid);
}
