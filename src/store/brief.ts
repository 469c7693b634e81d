// Rows without what may be large in them, and counts of rows: what people look at again and again costs little, whatever
// the run holds.

import type { Row, RowId, RowStatus, RunId, RunStatus } from "../run/model.ts";

/** What is left of a row. */
export type BriefRow = Omit<Row, "args" | "result" | "ended">;

/** A row without its arguments and its result, and without the output of a path that ended with it. */
export type Brief = {
  readonly row: BriefRow;
  /** Of their JSON; null: there is nothing. */
  readonly argsBytes: number | null;
  readonly resultBytes: number | null;
};

/** The newest try of each item, by their numbers. */
export type ItemQuery = {
  readonly run: RunId;
  readonly each: RowId;
  readonly status?: RowStatus;
  /** Behind the item of this number. */
  readonly after?: number;
  readonly limitMax: number;
};

export type StatusCounts = Partial<Record<RowStatus, number>>;

/** A run that a step of another has started. */
export type ChildHead = {
  readonly id: RunId;
  readonly uid: string;
  readonly name: string;
  readonly status: RunStatus;
  /** The step. */
  readonly row: RowId | null;
};

export type BriefRequests = {
  /** All rows of a run but items and the rows that keep them: the newest so many, oldest first. */
  readonly listBriefs: (run: RunId, limitMax: number) => Promise<readonly Brief[]>;
  /** Those of which something is still to come, items too, oldest first. */
  readonly listLive: (run: RunId) => Promise<readonly Brief[]>;
  readonly listItems: (query: ItemQuery) => Promise<readonly Brief[]>;
  /** By each, the items of a run by the status of their newest try. */
  readonly countItems: (run: RunId) => Promise<ReadonlyMap<RowId, StatusCounts>>;
  /** By run, its steps by the status of their newest try; a run without any is left out. */
  readonly countSteps: (runs: readonly RunId[]) => Promise<ReadonlyMap<RunId, StatusCounts>>;
  /** Newest first. */
  readonly listChildren: (run: RunId, limitMax: number) => Promise<readonly ChildHead[]>;
};
