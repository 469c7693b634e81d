// How much of the processors others used while we measured. Machines are shared: a figure without this number cannot be
// compared with another one. Read from /proc as the peers' harness does it; elsewhere it is not known (null). The server
// that we measure on is no other: its first process is named in the environment.

import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { childrenOf } from "./processes.ts";

const serverPid = Number(process.env["STEPWELL_BENCH_SERVER"] ?? 0);

type Ticks = { readonly total: number; readonly busy: number; readonly own: number };

/** Starts to look; what it returns ends it, and answers in percent of all cores. */
export function watchForeignCpu(): () => number | null {
  const before = readTicks();
  return () => {
    const after = readTicks();
    if (before === undefined || after === undefined) return null;
    const total = after.total - before.total;
    if (total === 0) return 0;
    const foreign = after.busy - before.busy - (after.own - before.own);
    return Math.max(0, Math.round((foreign / total) * 100));
  };
}

/** Waits until others use less than a fifth, for so long at most. */
export async function awaitQuiet(waitMs: number): Promise<void> {
  const until = performance.now() + waitMs;
  while (performance.now() < until) {
    const foreign = watchForeignCpu();
    await sleep(400);
    if ((foreign() ?? 0) < 20) return;
  }
}

function readTicks(): Ticks | undefined {
  try {
    const first = readFileSync("/proc/stat", "utf8").split("\n", 1)[0] ?? "";
    const all = first.split(/\s+/).slice(1, 9).map(Number);
    const total = all.reduce((sum, ticks) => sum + ticks, 0);
    const idle = (all[3] ?? 0) + (all[4] ?? 0);
    const server = serverPid === 0 ? [] : [serverPid, ...childrenOf(serverPid)];
    const own = [process.pid, ...server].reduce((sum, pid) => sum + readOwnTicks(pid), 0);
    return { total, busy: total - idle, own };
  } catch {
    // No /proc here.
    return undefined;
  }
}

/** With those of its children that have ended. */
function readOwnTicks(pid: number): number {
  try {
    // The name of a process may hold spaces and brackets: what follows the last bracket is fields.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
  } catch {
    // It has ended meanwhile, and counts with its parent.
    return 0;
  }
}
