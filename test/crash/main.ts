// `npm run crash`: kills, cuts and damages the engine in every way we know, and says what is left of its promises.
// RELIABILITY.md explains the parts and has the figures.

import { cpus, release } from "node:os";
import { parseArguments, usage, type CrashArguments, type PartName } from "./arguments.ts";
import { warmUp, type PartOptions, type PartReport } from "./part.ts";
import { runClock } from "./parts/clock.ts";
import { runControls } from "./parts/controls.ts";
import { runCorrupt } from "./parts/corrupt.ts";
import { runDisk } from "./parts/disk.ts";
import { runGuests } from "./parts/guests.ts";
import { runKills } from "./parts/kills.ts";
import { runPoints } from "./parts/points.ts";
import { runPower } from "./parts/power.ts";
import { runFailingSyncs, runSyscalls } from "./parts/syscalls.ts";

const parts: Readonly<Record<PartName, (options: PartOptions) => Promise<PartReport>>> = {
  points: runPoints,
  kills: runKills,
  strace: runSyscalls,
  fsync: runFailingSyncs,
  power: runPower,
  disk: runDisk,
  corrupt: runCorrupt,
  clock: runClock,
  guests: runGuests,
  controls: runControls,
};

/** So many problems of one part are told; the rest are counted. */
const problemsToldMax = 20;

const parsed = parseArguments(process.argv.slice(2));
if (parsed.ok) process.exitCode = await runAll(parsed.value);
else {
  console.error(`${parsed.problem}\n\n${usage}`);
  process.exitCode = 2;
}

async function runAll(asked: CrashArguments): Promise<number> {
  console.log(`Node ${process.version}, Linux ${release()}, ${cpus().length} cores`);
  await warmUp();
  let failures = 0;
  for (const name of asked.only) {
    const say = (line: string): void => console.error(`  … ${name}: ${line}`);
    const startedAt = performance.now();
    const told = await parts[name]({ ...asked, say });
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    console.log(`\n${name}: ${told.isGood ? "good" : "FAILED"} (${seconds} s)`);
    for (const line of told.lines) console.log(`  ${line}`);
    for (const problem of told.problems.slice(0, problemsToldMax)) console.log(`  ! ${problem}`);
    const more = told.problems.length - problemsToldMax;
    if (more > 0) console.log(`  ! and ${more} more`);
    if (!told.isGood) failures += 1;
  }
  console.log(`\n${asked.only.length - failures} of ${asked.only.length} parts good`);
  return failures === 0 ? 0 : 1;
}
