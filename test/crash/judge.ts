// Joins what was done outside (ledger), what was acknowledged (book) and what is on disk (rows), and says what does not
// fit. Works on stores whose processes are gone.

import type { Book } from "./book.ts";
import { readLedger, type LedgerLine } from "./ledger.ts";
import { look, readCommits, readRuns, readSteps } from "./rows.ts";
import type { Place } from "./person.ts";
import type { World } from "./judge/world.ts";
import { findLost, findUnknownEffects } from "./judge/acknowledged.ts";
import { findRepeated, findUncalled } from "./judge/effects.ts";
import { findMisjoined } from "./judge/joins.ts";
import { findMisled, findStuck } from "./judge/ends.ts";
import { findUntold } from "./judge/commits.ts";
import { judgeAudit } from "./postgres/audit.ts";
import { isServer } from "./postgres/look.ts";

export type Verdict = {
  /** Acknowledged, and not there. */
  readonly lost: readonly string[];
  /** More effects than calls on record, or more than the step allows. */
  readonly repeated: readonly string[];
  readonly doubleJoins: readonly string[];
  readonly stuck: readonly string[];
  /** Whatever else is not as it must be. */
  readonly wrong: readonly string[];
  /** Effects that happened again because of a crash, as promised: the same key, another try. */
  readonly duplicates: number;
  readonly effects: number;
};

export type JudgeOptions = {
  /** Runs may still be under way, since nothing has been let finish. */
  readonly isMidway?: boolean;
  /** Effects of a call that was no longer its caller's: nobody can call them back. */
  readonly isLate?: (line: LedgerLine) => boolean;
};

export async function judge(
  book: Book,
  place: Place,
  { isMidway = false, isLate = () => false }: JudgeOptions = {},
): Promise<Verdict> {
  const lines = readLedger(place.ledger);
  const read = await look(place.store, async (database) => ({
    integrity: await database.checkIntegrity(),
    runs: new Map((await readRuns(database)).map((run) => [run.id, run])),
    steps: new Map((await readSteps(database)).map((step) => [step.id, step])),
    commits: await readCommits(database),
  }));
  if (read === undefined) return unreadable(book, lines);
  const world: World = { book, lines, isLate, ...read };
  const foreign = isServer(place.store) ? await judgeAudit(place.store) : [];
  const damage = read.integrity === "ok" ? [] : [`the check of its integrity says: ${read.integrity}`];
  return {
    lost: [...findLost(world, isMidway), ...findUnknownEffects(world)],
    repeated: findRepeated(world),
    doubleJoins: findMisjoined(world, isMidway),
    stuck: isMidway ? [] : findStuck(world),
    wrong: [
      ...damage,
      ...foreign,
      ...findUntold(world),
      ...findUncalled(world),
      ...(isMidway ? [] : findMisled(world)),
    ],
    duplicates: countDuplicates(lines),
    effects: lines.length,
  };
}

function unreadable(book: Book, lines: readonly LedgerLine[]): Verdict {
  const lost = book.orders.flatMap(({ run, key }) => (run === null ? [] : [`${key}: the store cannot be read`]));
  const wrong = ["the store cannot be read"];
  return { lost, repeated: [], doubleJoins: [], stuck: [], wrong, duplicates: 0, effects: lines.length };
}

/** Lines of one key that are of the same attempt: only a crash makes these. */
function countDuplicates(lines: readonly LedgerLine[]): number {
  return lines.length - new Set(lines.map(({ key, attempt }) => `${key}#${attempt}`)).size;
}

export function problemsOf({ lost, repeated, doubleJoins, stuck, wrong }: Verdict): readonly string[] {
  return [
    ...lost.map((text) => `lost: ${text}`),
    ...repeated.map((text) => `too often: ${text}`),
    ...doubleJoins.map((text) => `join: ${text}`),
    ...stuck.map((text) => `stuck: ${text}`),
    ...wrong.map((text) => `wrong: ${text}`),
  ];
}
