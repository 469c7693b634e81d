// Kills the subject at each single write and sync of its files, by `strace`, on a file that is being made and on one
// that was there before; also makes these calls fail.

import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { errorCodes } from "../../../src/error.ts";
import { createBook, type Book } from "../book.ts";
import { judge, problemsOf } from "../judge.ts";
import {
  boundOf,
  inTurns,
  placeIn,
  report,
  skipped,
  subjectOptions,
  withFolder,
  type PartOptions,
  type PartReport,
} from "../part.ts";
import type { Place } from "../person.ts";
import { SubjectProcess, type Exit } from "../subject-process.ts";
import { driveToEnd } from "../workload.ts";

const strace = "strace";
const calls = ["pwrite64", "fsync", "fdatasync", "ftruncate", "unlink"] as const;
type Call = (typeof calls)[number];
const finishMs = 60_000;

/** undefined: a file that is not there yet. */
type Template = string | undefined;

export async function runSyscalls(options: PartOptions): Promise<PartReport> {
  if (!hasStrace()) return skipped("strace", "there is no strace on this machine");
  return withFolder(async (folder) => {
    const template = join(folder, "template.db");
    await life({ store: template, ledger: join(folder, "none.jsonl") }, createBook([], "t"));
    const made = await killEverywhere(undefined, options);
    const used = await killEverywhere(template, options);
    const trials = made.trials + used.trials;
    const problems = [...made.problems, ...used.problems];
    const lines = [
      `of a file that is being made: ${made.told}`,
      `of a file that was there: ${used.told}`,
      `${trials} kills, ${problems.length} problems; ${boundOf(trials)} per kill`,
    ];
    if (trials === 0) problems.push("no system call was ever reached");
    return report("strace", lines, problems);
  });
}

function hasStrace(): boolean {
  return spawnSync(strace, ["-V"], { stdio: "ignore" }).status === 0;
}

type Killed = { readonly told: string; readonly trials: number; readonly problems: readonly string[] };

async function killEverywhere(template: Template, { hits, say }: PartOptions): Promise<Killed> {
  const counts = await countCalls(template);
  const told: string[] = [];
  const problems: string[] = [];
  let trials = 0;
  for (const call of calls) {
    const last = Math.min(counts.get(call) ?? 0, hits * 10);
    const points = Array.from({ length: last }, (_, at) => at + 1);
    const exits = await inTurns(points, async (at) => {
      const { exit, problems: found } = await disturb(template, `${call}:signal=KILL:when=${at}`);
      problems.push(...found.map((text) => `kill at ${call} ${at}: ${text}`));
      return exit;
    });
    const killed = exits.filter(({ code, signal }) => signal === "SIGKILL" || code === 137).length;
    trials += killed;
    if (last > 0) told.push(`${killed} of ${counts.get(call) ?? 0} ${call}`);
    say(told.at(-1) ?? "");
  }
  return { told: told.join(", "), trials, problems };
}

/** How often the thread that does it most does it: `strace` counts for each thread by itself. */
async function countCalls(template: Template): Promise<ReadonlyMap<Call, number>> {
  return withFolder(async (folder) => {
    const place = placeIn(folder);
    if (template !== undefined) copyFileSync(template, place.store);
    const log = join(folder, "strace.log");
    const wrapper = [strace, "-f", "-qq", "-o", log, ...pathsOf(place), "-e", `trace=${calls.join()}`];
    const subject = new SubjectProcess(subjectOptions(place, { delayMs: 1 }), { wrapper });
    await driveToEnd({ book: createBook(["six"], "six"), place, subject }, finishMs);
    await subject.stop();
    const byThread = Map.groupBy(readFileSync(log, "utf8").split("\n"), (line) => /^\d+ +\w+\(/.exec(line)?.[0]);
    const counts = new Map<Call, number>();
    for (const [start, lines] of byThread) {
      const call = calls.find((name) => start?.endsWith(` ${name}(`) === true);
      if (call !== undefined) counts.set(call, Math.max(counts.get(call) ?? 0, lines.length));
    }
    return counts;
  });
}

type Disturbed = { readonly exit: Exit; readonly subject: SubjectProcess; readonly problems: readonly string[] };

/** One life under `strace` with a fault, then one without; a run of six steps must be whole afterwards. */
async function disturb(template: Template, fault: string): Promise<Disturbed> {
  return withFolder(async (folder) => {
    const place = placeIn(folder);
    if (template !== undefined) copyFileSync(template, place.store);
    const book = createBook(["six"], "six");
    const [call = ""] = fault.split(":");
    const faults = ["-e", `trace=${call}`, "-e", `inject=${fault}`];
    const wrapper = [strace, "-f", "-qq", "-o", "/dev/null", ...pathsOf(place), ...faults];
    const subject = new SubjectProcess(subjectOptions(place, { delayMs: 1 }), { wrapper });
    await driveToEnd({ book, place, subject }, finishMs);
    const exit = await subject.stop();
    const after = await life(place, book);
    return { exit, subject, problems: [...after, ...problemsOf(await judge(book, place))] };
  });
}

async function life(place: Place, book: Book): Promise<readonly string[]> {
  const subject = new SubjectProcess(subjectOptions(place, { delayMs: 1 }));
  await driveToEnd({ book, place, subject }, finishMs);
  const { code, signal } = await subject.stop();
  if (code === 0) return [];
  const said = subject.problems.map(({ message }) => message).join(" ");
  return [`the life after it ended with ${code ?? signal}: ${said} ${subject.errors}`];
}

function pathsOf({ store }: Place): readonly string[] {
  return ["", "-wal", "-lock", "-journal"].flatMap((suffix) => ["-P", `${store}${suffix}`]);
}

/** A sync that fails: nobody knows what is on disk, so the process must end, and say why. No room: it waits for some. */
export async function runFailingSyncs({ hits, say }: PartOptions): Promise<PartReport> {
  if (!hasStrace()) return skipped("fsync", "there is no strace on this machine");
  return withFolder(async (folder) => {
    const template = join(folder, "template.db");
    await life({ store: template, ledger: join(folder, "none.jsonl") }, createBook([], "t"));
    const lines: string[] = [];
    const problems: string[] = [];
    for (const [error, call] of failures) {
      const ends = new Map<string, number>();
      const points = Array.from({ length: hits * 2 }, (_, at) => at + 1);
      await inTurns(points, async (at) => {
        const { exit, subject, problems: found } = await disturb(template, `${call}:error=${error}:when=${at}`);
        const told = [...found, ...judgeExit(exit, subject)];
        problems.push(...told.map((text) => `${error} at ${call} ${at}: ${text}`));
        const end = exit.code === 0 ? "went on" : `ended with ${exit.code} and ${subject.problems.at(-1)?.code ?? "?"}`;
        ends.set(end, (ends.get(end) ?? 0) + 1);
      });
      const told = [...ends].map(([end, count]) => `${count} ${end}`).join(", ");
      lines.push(`${error} at one of the first ${points.length} ${call}: ${told}`);
      say(lines.at(-1) ?? "");
    }
    return report("fsync", lines, problems);
  });
}

const failures = [
  ["EIO", "fsync"],
  ["EIO", "pwrite64"],
  ["ENOSPC", "pwrite64"],
] as const;

/** It went on, or it ended with a code and said why; it never hung or died otherwise. */
function judgeExit({ code, signal }: Exit, subject: SubjectProcess): readonly string[] {
  if (code === 0) return [];
  if (signal !== null) return [`it ended by ${signal}: ${subject.errors}`];
  const said = subject.problems.at(-1);
  const isKnown = said !== undefined && Object.hasOwn(errorCodes, said.code);
  return isKnown ? [] : [`it ended with ${code} and no code: ${said?.message ?? ""} ${subject.errors}`];
}
