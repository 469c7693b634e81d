// Kills the subject at each single write and sync of its files, by `strace`: first to the database, then to its log, its
// lock; also makes syncs and writes fail.

import { spawnSync } from "node:child_process";
import { errorCodes } from "../../../src/error.ts";
import { createBook, type Book } from "../book.ts";
import { judge, problemsOf } from "../judge.ts";
import {
  boundOf,
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

const calls = ["pwrite64", "fdatasync", "fsync", "ftruncate", "unlink"] as const;
const finishMs = 30_000;
/** More than a run of six steps makes of any of these. */
const pointsMax = 200;

export function hasStrace(): boolean {
  return spawnSync("strace", ["-V"], { stdio: "ignore" }).status === 0;
}

export async function runSyscalls({ say }: PartOptions): Promise<PartReport> {
  if (!hasStrace()) return skipped("strace", "there is no strace on this machine");
  const lines: string[] = [];
  const problems: string[] = [];
  let trials = 0;
  for (const call of calls) {
    let at = 1;
    for (; at <= pointsMax; at++) {
      const trial = await withFolder((folder) => disturb(placeIn(folder), `${call}:signal=KILL:when=${at}`));
      problems.push(...trial.problems.map((text) => `kill at ${call} ${at}: ${text}`));
      if (trial.exit.signal !== "SIGKILL" && trial.exit.code !== 137) break;
    }
    trials += at - 1;
    lines.push(`kill at each ${call}: ${at - 1} points`);
    say(lines.at(-1) ?? "");
  }
  lines.push(`${trials} kills, ${problems.length} problems; ${boundOf(trials)} per kill`);
  if (trials === 0) problems.push("no system call was ever reached");
  return report("strace", lines, problems);
}

type Disturbed = { readonly exit: Exit; readonly subject: SubjectProcess; readonly problems: readonly string[] };

/** One life under `strace` with a fault, then one without; a run of six steps must be whole afterwards. */
async function disturb(place: Place, fault: string): Promise<Disturbed> {
  const book = createBook(["six"], "six");
  const subject = new SubjectProcess(subjectOptions(place, { delayMs: 1 }), { wrapper: straceOf(place, fault) });
  await driveToEnd({ book, place, subject }, finishMs);
  const exit = await subject.stop();
  return { exit, subject, problems: await finishAndJudge(book, place) };
}

async function finishAndJudge(book: Book, place: Place): Promise<readonly string[]> {
  const last = new SubjectProcess(subjectOptions(place, { delayMs: 1 }));
  await driveToEnd({ book, place, subject: last }, finishMs);
  const exit = await last.stop();
  const problems = exit.code === 0 ? [] : [`the life after it ended with ${exit.code ?? exit.signal}: ${last.errors}`];
  return [...problems, ...problemsOf(judge(book, place))];
}

function straceOf({ store }: Place, fault: string): readonly string[] {
  const [call = ""] = fault.split(":");
  const paths = ["", "-wal", "-lock", "-shm"].flatMap((suffix) => ["-P", `${store}${suffix}`]);
  return [
    "strace",
    "-f",
    "--seccomp-bpf",
    "-qq",
    "-o",
    "/dev/null",
    ...paths,
    "-e",
    `trace=${call}`,
    "-e",
    `inject=${fault}`,
  ];
}

/** A sync that fails: nobody knows what is on disk, so the process must end, and say why. */
export async function runFailingSyncs({ hits, say }: PartOptions): Promise<PartReport> {
  if (!hasStrace()) return skipped("fsync", "there is no strace on this machine");
  const lines: string[] = [];
  const problems: string[] = [];
  for (const [error, call] of [
    ["EIO", "fdatasync"],
    ["EIO", "fsync"],
    ["EIO", "pwrite64"],
    ["ENOSPC", "pwrite64"],
  ] as const) {
    const ends = new Map<string, number>();
    for (let at = 1; at <= hits * 2; at++) {
      const fault = `${call}:error=${error}:when=${at}`;
      const { exit, subject, problems: found } = await withFolder((folder) => disturb(placeIn(folder), fault));
      problems.push(...found.map((text) => `${error} at ${call} ${at}: ${text}`));
      problems.push(...judgeExit(exit, subject).map((text) => `${error} at ${call} ${at}: ${text}`));
      const end =
        exit.code === 0
          ? "went on"
          : `ended with ${exit.code ?? exit.signal} (${subject.problems.at(-1)?.code ?? "no code"})`;
      ends.set(end, (ends.get(end) ?? 0) + 1);
    }
    const told = [...ends].map(([end, count]) => `${count} ${end}`).join(", ");
    lines.push(`${error} at the first ${hits * 2} ${call}, one at a time: ${told}`);
    say(lines.at(-1) ?? "");
  }
  return report("fsync", lines, problems);
}

/** It went on, or it ended with a code and said why; it never hung or died otherwise. */
function judgeExit({ code, signal }: Exit, subject: SubjectProcess): readonly string[] {
  if (code === 0) return [];
  if (signal !== null) return [`it ended by ${signal}: ${subject.errors}`];
  const said = subject.problems.at(-1);
  if (said === undefined || !Object.hasOwn(errorCodes, said.code))
    return [`it ended with ${code} and no code: ${subject.errors}`];
  return [];
}
