// All that is known when everything has finished: the book, the ledger and the rows.

import type { Book } from "../book.ts";
import type { LedgerLine } from "../ledger.ts";
import type { CommitRecord, RunRecord, StepRecord } from "../rows.ts";

export type World = {
  readonly book: Book;
  readonly lines: readonly LedgerLine[];
  /** Effects of a call that was no longer its caller's. */
  readonly isLate: (line: LedgerLine) => boolean;
  readonly runs: ReadonlyMap<number, RunRecord>;
  readonly steps: ReadonlyMap<number, StepRecord>;
  readonly commits: readonly CommitRecord[];
};
