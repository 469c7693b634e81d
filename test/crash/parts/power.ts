// Power cuts: whatever was acknowledged before the cut, or done outside, is on disk after it.

import { setTimeout as wait } from "node:timers/promises";
import { join } from "node:path";
import { createRandom } from "../../../src/testing/random.ts";
import { acknowledged, createBook, mixKinds } from "../book.ts";
import { allKinds } from "../flows.ts";
import { judge, problemsOf } from "../judge.ts";
import { readLedger } from "../ledger.ts";
import { findHindrance, LoopDisk } from "../loop-disk.ts";
import { boundOf, report, skipped, subjectOptions, withFolder, type PartOptions, type PartReport } from "../part.ts";
import type { Place } from "../person.ts";
import { SubjectProcess } from "../subject-process.ts";
import { drive, driveToEnd } from "../workload.ts";

const finishMs = 60_000;
const runsPerRound = 60;
const beforeCutMinMs = 150;
const beforeCutMaxMs = 1200;

export async function runPower(options: PartOptions): Promise<PartReport> {
  const cut = await cutRepeatedly(options, "full");
  if (typeof cut === "string") return skipped("power", cut);
  const lines = [
    `${options.rounds} power cuts, ${cut.acknowledged} acknowledgements and ${cut.effects} effects before them`,
    `lost ${cut.lost} in ${cut.roundsWithLoss} rounds; ${boundOf(options.rounds)} per cut`,
  ];
  return report("power", lines, cut.problems);
}

export type CutResult = {
  acknowledged: number;
  effects: number;
  lost: number;
  roundsWithLoss: number;
  readonly problems: string[];
};

/** A text: why it could not be done. */
export async function cutRepeatedly(
  { rounds, seed, say }: PartOptions,
  durability: "full" | "fast",
): Promise<CutResult | string> {
  const hindrance = findHindrance();
  if (hindrance !== undefined) return hindrance;
  return withFolder(async (folder) => {
    let disk: LoopDisk;
    try {
      disk = new LoopDisk(folder, 96);
    } catch (error) {
      return `no loop mount: ${String(error)}`;
    }
    const total: CutResult = { acknowledged: 0, effects: 0, lost: 0, roundsWithLoss: 0, problems: [] };
    const random = createRandom(seed);
    try {
      for (let round = 1; round <= rounds; round++) {
        const place = { store: join(disk.folder, `${round}.db`), ledger: join(folder, `${round}.jsonl`) };
        const afterMs = beforeCutMinMs + random.next() * (beforeCutMaxMs - beforeCutMinMs);
        await cutOnce({ disk, place, durability, afterMs, round, total });
        if (round % 5 === 0) say(`${round} power cuts, ${total.lost} lost`);
      }
    } finally {
      disk.close();
    }
    return total;
  });
}

type Cut = {
  readonly disk: LoopDisk;
  readonly place: Place;
  readonly durability: "full" | "fast";
  readonly afterMs: number;
  readonly round: number;
  readonly total: CutResult;
};

async function cutOnce({ disk, place, durability, afterMs, round, total }: Cut): Promise<void> {
  const book = createBook(mixKinds(allKinds, runsPerRound, round), `p${round}`);
  const options = subjectOptions(place, { durability });
  const subject = new SubjectProcess(options);
  const driven = drive({ book, place, subject, newMax: runsPerRound, spreadMs: afterMs }, () => false);
  if (await subject.opened) await wait(afterMs);
  disk.cutPower();
  await subject.kill();
  await driven;
  disk.unmount();
  disk.mount();
  const { lost, wrong } = await judge(book, place, { isMidway: true });
  total.acknowledged += acknowledged(book);
  total.effects += readLedger(place.ledger).length;
  total.lost += lost.length;
  if (lost.length > 0) total.roundsWithLoss += 1;
  total.problems.push(...[...lost, ...wrong].map((text) => `cut ${round}: ${text}`));
  // With losses there is nothing to finish that could be judged.
  if (durability === "fast") return;
  const last = new SubjectProcess(options);
  await driveToEnd({ book, place, subject: last }, finishMs);
  const { code, signal } = await last.stop();
  if (code !== 0) total.problems.push(`after cut ${round}: the next life ended with ${code ?? signal}`);
  total.problems.push(...problemsOf(await judge(book, place)).map((text) => `after cut ${round}: ${text}`));
}
