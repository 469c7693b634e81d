// Joins what was done outside (ledger), what was acknowledged (book) and what is on disk (rows), and says what does not
// fit. Works on files whose process is gone.

import type { Book } from "./book.ts";
import { readLedger, type LedgerLine } from "./ledger.ts";
import { checkIntegrity, look, readCommits, readRuns, readSteps } from "./rows.ts";
import type { Place } from "./person.ts";
import type { World } from "./judge/world.ts";
import { findLost, findUnknownEffects } from "./judge/acknowledged.ts";
import { findRepeated, findUncalled } from "./judge/effects.ts";
import { findMisjoined } from "./judge/joins.ts";
import { findMisled, findStuck } from "./judge/ends.ts";
import { findUntold } from "./judge/commits.ts";

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

/** `isMidway`: runs may still be under way, since nothing has been let finish. */
export function judge(book: Book, place: Place, isMidway = false): Verdict {
  const lines = readLedger(place.ledger);
  const read = look(place.store, (database) => ({
    integrity: checkIntegrity(database),
    runs: new Map(readRuns(database).map((run) => [run.id, run])),
    steps: new Map(readSteps(database).map((step) => [step.id, step])),
    commits: readCommits(database),
  }));
  if (read === undefined) return unreadable(book, lines);
  const world: World = { book, lines, ...read };
  const damage = read.integrity === "ok" ? [] : [`integrity_check says: ${read.integrity}`];
  return {
    lost: [...findLost(world, isMidway), ...findUnknownEffects(world)],
    repeated: findRepeated(world),
    doubleJoins: findMisjoined(world, isMidway),
    stuck: isMidway ? [] : findStuck(world),
    wrong: [...damage, ...findUntold(world), ...findUncalled(world), ...(isMidway ? [] : findMisled(world))],
    duplicates: countDuplicates(lines),
    effects: lines.length,
  };
}

function unreadable(book: Book, lines: readonly LedgerLine[]): Verdict {
  const lost = book.orders.flatMap(({ run, key }) => (run === null ? [] : [`${key}: the file cannot be read`]));
  const wrong = ["the file cannot be read"];
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
