// The code of the SQLite store that a simulation runs on. Planted bugs replace a part of it.

import { flattenBatch } from "../../../store/columns/batch.ts";
import {
  bringRows,
  listDue,
  listInterrupted,
  listOverdue,
  listReady,
  loadRuns,
  nextDueAt,
} from "../../../store/sqlite/reader.ts";
import { writeFlat } from "../../../store/sqlite/writer.ts";

export type StoreCode = {
  readonly flatten: typeof flattenBatch;
  readonly write: typeof writeFlat;
  readonly load: typeof loadRuns;
  readonly bring: typeof bringRows;
  readonly listReady: typeof listReady;
  readonly listInterrupted: typeof listInterrupted;
  readonly listDue: typeof listDue;
  readonly listOverdue: typeof listOverdue;
  readonly nextDueAt: typeof nextDueAt;
};

export const soundCode: StoreCode = {
  flatten: flattenBatch,
  write: writeFlat,
  load: loadRuns,
  bring: bringRows,
  listReady,
  listInterrupted,
  listDue,
  listOverdue,
  nextDueAt,
};
