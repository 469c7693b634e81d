// `npm run crash`: kills, cuts and damages the engine in every way we know, and says what is left of its promises.
// RELIABILITY.md explains the parts and has the figures.

import { cpus, release } from "node:os";
import { parseArguments, usage, type CrashArguments, type FilePart, type PostgresPart } from "./arguments.ts";
import { warmUp, withFile, type PartOptions, type PartReport } from "./part.ts";
import { runClock } from "./parts/clock.ts";
import { runControls } from "./parts/controls.ts";
import { runCorrupt } from "./parts/corrupt.ts";
import { runDisk } from "./parts/disk.ts";
import { runGuests } from "./parts/guests.ts";
import { runKills } from "./parts/kills.ts";
import { runPoints } from "./parts/points.ts";
import { runPower } from "./parts/power.ts";
import { runFailingSyncs, runSyscalls } from "./parts/syscalls.ts";
import type { PostgresOptions } from "./postgres/options.ts";
import { runConflicts } from "./postgres/parts/conflicts.ts";
import { runCuts, runSilences } from "./postgres/parts/connections.ts";
import { runPostgresControls } from "./postgres/parts/controls.ts";
import { runListener } from "./postgres/parts/listener.ts";
import { runServerKills } from "./postgres/parts/server-kills.ts";
import { runStops, runTakeOver } from "./postgres/parts/take-over.ts";
import { withDatabase } from "./postgres/place.ts";
import { openServer } from "./postgres/server.ts";

const fileParts: Readonly<Record<FilePart, (options: PartOptions) => Promise<PartReport>>> = {
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

const postgresParts: Readonly<Record<PostgresPart, (options: PostgresOptions) => Promise<PartReport>>> = {
  points: runPoints,
  kills: runKills,
  server: runServerKills,
  cuts: runCuts,
  silent: runSilences,
  listener: runListener,
  takeover: runTakeOver,
  stops: runStops,
  conflicts: runConflicts,
  controls: runPostgresControls,
};

/** So many problems of one part are told; the rest are counted. */
const problemsToldMax = 20;
const stoppedMs = 45_000;
const rivalMs = 15_000;

const parsed = parseArguments(process.argv.slice(2));
if (parsed.ok) process.exitCode = await runAll(parsed.value);
else {
  console.error(`${parsed.problem}\n\n${usage}`);
  process.exitCode = 2;
}

async function runAll(asked: CrashArguments): Promise<number> {
  console.log(`Node ${process.version}, Linux ${release()}, ${cpus().length} cores`);
  await warmUp();
  const failures = asked.store === "file" ? await runOnFiles(asked) : await runOnPostgres(asked);
  console.log(`\n${asked.only.length - failures} of ${asked.only.length} parts good`);
  return failures === 0 ? 0 : 1;
}

async function runOnFiles(asked: CrashArguments & { readonly store: "file" }): Promise<number> {
  let failures = 0;
  for (const name of asked.only) {
    const options = { ...asked, withPlace: withFile, say: sayFor(name) };
    if (!(await runPart(name, () => fileParts[name](options)))) failures += 1;
  }
  return failures;
}

async function runOnPostgres(asked: CrashArguments & { readonly store: "postgres" }): Promise<number> {
  let failures = 0;
  for (const name of asked.only) {
    // A server of its own for each part: what one does to it is not the next one's.
    await using server = await openServer();
    const withPlace: PartOptions["withPlace"] = (act) => withDatabase(server.url, act);
    const options = { ...asked, stoppedMs, rivalMs, server, withPlace, say: sayFor(name) };
    if (!(await runPart(name, () => postgresParts[name](options)))) failures += 1;
  }
  return failures;
}

function sayFor(name: string): (line: string) => void {
  return (line) => console.error(`  … ${name}: ${line}`);
}

async function runPart(name: string, run: () => Promise<PartReport>): Promise<boolean> {
  const startedAt = performance.now();
  const told = await run();
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  console.log(`\n${name}: ${told.isGood ? "good" : "FAILED"} (${seconds} s)`);
  for (const line of told.lines) console.log(`  ${line}`);
  for (const problem of told.problems.slice(0, problemsToldMax)) console.log(`  ! ${problem}`);
  const more = told.problems.length - problemsToldMax;
  if (more > 0) console.log(`  ! and ${more} more`);
  return told.isGood;
}
