// The executor's memory and what surrounds it. All of it is lost in a crash, but for the store and the world.

import type { HeldRun } from "../../engine/held-run.ts";
import type { Plan } from "../../flow/plan.ts";
import type { MutableFrontier } from "../../run/apply.ts";
import type { decide } from "../../run/decide.ts";
import type { Reply } from "../../run/decision.ts";
import type { Env, Limits } from "../../run/env.ts";
import type { Message } from "../../run/message.ts";
import type { Row, RowId, RunId } from "../../run/model.ts";
import type { Library } from "./library.ts";
import type { CommitFault, Draft, Store, StoredRun, Write } from "./store.ts";
import type { Tools } from "./tools.ts";
import type { World } from "./world.ts";

/** `plan`: of a run that is to be started. */
export type Delivery = { readonly run: RunId; readonly message: Message; readonly plan: Plan | null };

export type Batch = {
  readonly deliveries: readonly Delivery[];
  readonly writes: Write[];
  readonly draft: Draft;
  readonly replies: { readonly delivery: Delivery; readonly reply: Reply }[];
};

/** What planted bugs replace. */
export type Duties = {
  readonly decide: typeof decide;
  /** What reaches the disk of a decision. */
  readonly toDisk: (write: Write, stored: StoredRun | undefined) => Write;
  readonly afterDeciding: (executor: Executor, batch: Batch) => void;
  readonly afterCommit: (executor: Executor, batch: Batch) => void;
  readonly afterFailure: (executor: Executor) => void;
  readonly atStart: (executor: Executor) => void;
};

/** What was known when something was decided. */
export type Deciding = {
  readonly frontier: MutableFrontier | null;
  readonly env: Env;
  readonly rows: ReadonlyMap<RowId, Row>;
};

/** Those who watch what the executor does. */
export interface Observer {
  decided(write: Write, deciding: Deciding): void;
  /** Before it is written. */
  writing(write: Write): void;
  committed(batch: Batch): void;
  replied(delivery: Delivery, reply: Reply): void;
  calling(run: RunId, token: string, row: RowId): void;
  started(): void;
  /** For a while things may take longer than they should. */
  disturbed(): void;
}

export type Surroundings = {
  readonly world: World;
  readonly store: Store;
  readonly tools: Tools;
  readonly library: Library;
  readonly limits: Limits;
  readonly duties: Duties;
  readonly observer: Observer;
  readonly drawCommitFault: () => CommitFault;
};

export type Executor = Surroundings & {
  /** Counts its lives: what an earlier one had planned does not happen. */
  life: number;
  epoch: string;
  isUp: boolean;
  isPaused: boolean;
  readonly mailbox: Delivery[];
  /** Runs in memory: lost at any time without harm. */
  readonly held: Map<RunId, HeldRun>;
  readonly inFlight: Batch[];
  /** Rows that wait to be admitted, by the run they belong to. */
  readonly ready: Map<RowId, RunId>;
  /** The instant for which a timer is set. */
  armedFor: number | null;
  isTicking: boolean;
  /** What a paused process had going: it goes on when the pause is over. */
  readonly stalled: (() => void)[];
  crashes: number;
  /** How often each kind of message was decided. */
  readonly messages: Map<string, number>;
};

export function createExecutor(surroundings: Surroundings): Executor {
  return {
    ...surroundings,
    life: 0,
    epoch: "",
    isUp: false,
    isPaused: false,
    mailbox: [],
    held: new Map(),
    inFlight: [],
    ready: new Map(),
    armedFor: null,
    isTicking: false,
    stalled: [],
    crashes: 0,
    messages: new Map(),
  };
}
