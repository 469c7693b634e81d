// A disk that is full: the engine says so, keeps answering reads, loses nothing, and goes on alone when there is room.

import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { acknowledged, createBook } from "../book.ts";
import { judge, problemsOf } from "../judge.ts";
import { findHindrance, SmallDisk } from "../loop-disk.ts";
import { report, skipped, subjectOptions, withFolder, type PartOptions, type PartReport } from "../part.ts";
import { SubjectProcess } from "../subject-process.ts";
import { isAllOver, drive } from "../workload.ts";

const fillerBytes = 20_000;
const runs = 200;
/** Left free at first: enough to begin, not enough for all. */
const roomBytes = 2_500_000;
const waitMs = 20_000;

export async function runDisk({ say }: PartOptions): Promise<PartReport> {
  const hindrance = findHindrance();
  if (hindrance !== undefined) return skipped("disk", hindrance);
  return withFolder(async (folder) => {
    const disk = new SmallDisk(folder, 48);
    try {
      return await fillAndFree(disk, join(folder, "ledger.jsonl"), say);
    } finally {
      disk.close();
    }
  });
}

async function fillAndFree(disk: SmallDisk, ledger: string, say: (line: string) => void): Promise<PartReport> {
  const place = { store: join(disk.folder, "crash.db"), ledger };
  const ballast = join(disk.folder, "ballast");
  const { bavail, bsize } = statfsSync(disk.folder);
  writeFileSync(ballast, Buffer.alloc(bavail * bsize - roomBytes));
  const book = createBook(
    Array.from({ length: runs }, () => "chain" as const),
    "d",
    fillerBytes,
  );
  const subject = new SubjectProcess(subjectOptions(place, { delayMs: 1 }));
  const problems: string[] = [];
  const startedAt = Date.now();
  let isOver = false;
  const driven = drive({ book, place, subject, newMax: runs, spreadMs: 4000 }, async () => {
    isOver = await isAllOver(book, place);
    return isOver || Date.now() - startedAt > 3 * waitMs;
  });
  const isFull = await until(() => book.refusals.has("STORE_FULL") || saysFull(subject));
  const acknowledgedWhenFull = acknowledged(book);
  if (!isFull) problems.push("the engine never said that its disk is full");
  const known = book.orders.find(({ run }) => run !== null)?.run ?? null;
  const read = known === null ? undefined : await Promise.race([subject.ask({ do: "look", run: known }), wait(2000)]);
  if (read?.ok !== true) problems.push(`a run could not be read while the disk was full: ${JSON.stringify(read)}`);
  await wait(1500);
  if (!subject.isAlive) problems.push(`it ended while the disk was full: ${subject.errors}`);
  rmSync(ballast);
  say("there is room again");
  const freedAt = Date.now();
  const first = await until(() => acknowledged(book) > acknowledgedWhenFull);
  const backMs = Date.now() - freedAt;
  if (!first) problems.push("it did not go on when there was room again");
  await driven;
  if (!isOver) problems.push("not everything ended");
  const exit = await subject.stop();
  if (exit.code !== 0) problems.push(`it ended with ${exit.code ?? exit.signal}`);
  const told = [...book.refusals].map(([code, message]) => `${code}: ${message}`).join(" | ");
  const lines = [
    `${runs} runs of 20 KB each, room for about ${Math.round(roomBytes / 1e6)} MB: full after ${acknowledgedWhenFull} acknowledgements`,
    `what it said: ${told === "" ? subject.problems.map(({ code }) => code).join() : told}`,
    `went on by itself ${backMs} ms after there was room again; all ${runs} runs ended`,
  ];
  return report("disk", lines, [...problems, ...problemsOf(await judge(book, place))]);
}

function saysFull({ problems }: SubjectProcess): boolean {
  return problems.some(({ code }) => code === "STORE_FULL");
}

async function until(isSo: () => boolean): Promise<boolean> {
  for (const deadline = Date.now() + waitMs; Date.now() < deadline;) {
    if (isSo()) return true;
    await wait(20);
  }
  return false;
}
