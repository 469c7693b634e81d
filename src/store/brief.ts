// Rows without what may be large in them, and counts of rows: what people look at again and again costs little, whatever
// the run holds.

import type { Json } from "../flow/json.ts";
import type { StepKey } from "../flow/plan.ts";
import type { Row, RowId, RowStatus, RunId, RunStatus } from "../run/model.ts";

/** What is left of a row. */
export type BriefRow = Omit<Row, "args" | "result" | "ended">;

/** A row without its arguments and its result, and without the output of a path that ended with it. */
export type Brief = {
  readonly row: BriefRow;
  /** Of their JSON; null: there is nothing. */
  readonly argsBytes: number | null;
  readonly resultBytes: number | null;
  /** Of what its path gave if it ended with it, else of the result; 0: there is nothing. */
  readonly lastBytes: number;
};

/** A row with its arguments and its result only where they are short enough to stand in it; else they are null, and their
 *  lengths are told. */
export type ShortRow = Omit<Brief, "row"> & { readonly run: RunId; readonly uid: string; readonly row: Row };

/** Rows of runs that may wait for a person: gates, states of machines, what is held or uncertain, and what finds out. */
export type WaitQuery = {
  readonly runs: readonly RunId[];
  /** Behind the row of this id. */
  readonly after?: RowId;
  /** So many of each run. */
  readonly limitMax: number;
  /** false: without what may be the state of a machine. */
  readonly hasStates?: boolean;
};

export type StandingQuery = {
  readonly runs: readonly RunId[];
  /** So many rows of each run. */
  readonly limitMax: number;
};

/** How a run stands: whether something of it works, and what else of it is live. */
export type Standing = {
  readonly status: RunStatus;
  readonly hasAttention: boolean;
  readonly isMachine: boolean;
  /** A call of it is under way, or is to be next. */
  readonly isWorking: boolean;
  /** Live rows that call nothing: what waits, and what is open for others. Those that may need a person are there before
   *  all others, and steps before items, where there are more than were asked for. */
  readonly rows: readonly BriefRow[];
};

/** Something that happened in a run: a row of it came to be, began or ended, or there was an event. */
export type Moment = {
  readonly at: number;
  /** null: the run as a whole. */
  readonly row: RowId | null;
} & (
  | { readonly kind: "entered" | "started" | "ended" }
  | {
      readonly kind: "event";
      readonly event: string;
      readonly by: string | null;
      /** null where it is longer than was asked for. */
      readonly data: Json;
      readonly dataBytes: number;
    }
);

export type MomentQuery = {
  readonly run: RunId;
  /** So many of the oldest are passed over. */
  readonly skip: number;
  readonly limitMax: number;
  /** Longer data of events is left out. */
  readonly bytesMax: number;
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
  /** All rows of a run that have arrived at this fork, oldest first. */
  readonly listArrivals: (run: RunId, fork: RowId) => Promise<readonly Brief[]>;
  /** The newest row of this step that is done; undefined: there is none. */
  readonly findNewest: (run: RunId, step: StepKey) => Promise<RowId | undefined>;
  /** By run, oldest first; a run without any is left out. */
  readonly listWaits: (query: WaitQuery) => Promise<ReadonlyMap<RunId, readonly Brief[]>>;
  /** By run; one that is not there is left out. */
  readonly listStandings: (query: StandingQuery) => Promise<ReadonlyMap<RunId, Standing>>;
  /** Those that are there, of whichever run. */
  readonly findShort: (rows: readonly RowId[]) => Promise<ReadonlyMap<RowId, ShortRow>>;
  /** In the order of a run's history. */
  readonly listMoments: (query: MomentQuery) => Promise<readonly Moment[]>;
  readonly listItems: (query: ItemQuery) => Promise<readonly Brief[]>;
  /** By each, the items of a run by the status of their newest try. */
  readonly countItems: (run: RunId) => Promise<ReadonlyMap<RowId, StatusCounts>>;
  /** By run, its steps by the status of their newest try; a run without any is left out. */
  readonly countSteps: (runs: readonly RunId[]) => Promise<ReadonlyMap<RunId, StatusCounts>>;
  /** Newest first. */
  readonly listChildren: (run: RunId, limitMax: number) => Promise<readonly ChildHead[]>;
};
