// What the disk can do: 4 KiB written and `fdatasync`, appended and into a file that has its size already.

import { closeSync, fdatasyncSync, fsyncSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Measurement } from "../measurement.ts";
import { watchForeignCpu } from "../noise.ts";
import { median, percentile } from "../statistics.ts";

const blockBytes = 4096;

export function measureFdatasync(folder: string, limitMs: number): Measurement {
  const file = join(folder, "fdatasync");
  const block = Buffer.alloc(blockBytes, "x");
  const handle = openSync(file, "w");
  // Preallocated, because SQLite's log is so most of the time: then no change of size goes to the disk as well.
  const blocks = 4096;
  writeSync(handle, Buffer.alloc(blockBytes * blocks));
  fsyncSync(handle);
  const foreign = watchForeignCpu();
  const times: number[] = [];
  const until = performance.now() + limitMs;
  for (let at = 0; performance.now() < until; at = (at + 1) % blocks) {
    const before = performance.now();
    writeSync(handle, block, 0, blockBytes, at * blockBytes);
    fdatasyncSync(handle);
    times.push(performance.now() - before);
  }
  closeSync(handle);
  rmSync(file);
  const all = times.reduce((sum, time) => sum + time, 0);
  return {
    workload: "fdatasync",
    unit: "commits/s",
    values: [(times.length / all) * 1000],
    foreignCpu: [foreign()],
    notes: { p50_ms: median(times), p99_ms: percentile(times, 99) },
  };
}
