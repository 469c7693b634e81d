// What an owner is made of: the parts of the engine, how much it may keep in memory, and whom it tells.

import type { KeyRing } from "../access/key-ring.ts";
import type { StepwellError } from "../error.ts";
import type { Limits } from "../run/env.ts";
import type { OwnerCard, Ownership, Store } from "../store/store.ts";
import type { OpenToolBox } from "../tool/registry.ts";
import type { ToolServers } from "../tool/servers.ts";
import type { RowId, RunId } from "../run/model.ts";
import type { BatchDraft } from "./batch-draft.ts";
import type { Progress } from "./call-context.ts";
import type { CallCount } from "./call-tally.ts";
import type { BreakersParts } from "./breakers.ts";
import type { Clock } from "./clock.ts";
import type { CallLimits, QueueFigures } from "./dispatcher.ts";
import type { EndedSteps } from "./ended-tally.ts";
import type { FlowLibrary } from "./flow-library.ts";
import type { RunResult } from "./waiters.ts";
import type { Retention } from "./retention.ts";

export type OwnerParts = Pick<BreakersParts, "breakerRules" | "onNotice"> & {
  readonly store: Store;
  readonly ownership: Ownership;
  readonly library: FlowLibrary;
  readonly workflowFiles?: readonly string[];
  readonly tools: OpenToolBox;
  /** That bring some of the tools. */
  readonly servers?: ToolServers;
  readonly keys: KeyRing;
  readonly clock: Clock;
  readonly role: OwnerCard["role"];
  /** In which times are read; null: the machine's. */
  readonly zone: string | null;
  readonly limits: Limits;
  readonly callLimits: CallLimits;
  readonly retention: Retention;
  readonly memory: MemoryLimits;
  readonly listener: OwnerListener;
};

export type MemoryLimits = {
  /** Runs that are kept in memory while they go on. */
  readonly runsHeld: number;
  /** What may wait to be decided. */
  readonly mailboxBytes: number;
};

export const defaultMemoryLimits: MemoryLimits = { runsHeld: 20_000, mailboxBytes: 64 * 1024 * 1024 };

/** What it has counted since it owns the store, and what it holds at this moment. */
export type OwnerFigures = QueueFigures & {
  readonly mailbox: number;
  readonly callsUnderWay: number;
  readonly runsHeld: number;
  readonly calls: readonly CallCount[];
  readonly retention: Retention;
  /** What a commit takes of late, from when it is handed over until it is on disk; 0: there was none. */
  readonly commitMs: number;
  readonly ended: EndedSteps;
};

interface OwnerListener {
  /** A batch is on disk. */
  committed(draft: BatchDraft): void;
  /** The engine cannot go on. */
  failed(error: StepwellError): void;
  problem(error: StepwellError): void;
  /** A tool says how far it is; null: its call is over, and had said so. */
  progressed(run: RunId, row: RowId, progress: Progress | null): void;
  /** How a run ended, as soon as it has. */
  result(run: RunId): Promise<RunResult>;
  /** Somebody else wants the store. */
  handOver(): void;
}

/** How often an owner looks after things by itself. */
export const rhythm = {
  /** The seeds' poll: a safety net, since the normal path tells the dispatcher itself. */
  pollMs: 1000,
  pollMax: 50,
  watchdogMs: 30_000,
  tidyMs: 5000,
  /** How long what is decided may take to get onto the disk when the engine stops. */
  settleMs: 5000,
} as const;
