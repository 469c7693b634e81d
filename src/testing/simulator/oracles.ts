// All oracles together, watching the executor: each decision while it is written, each run after a commit that touched
// it, the whole when nothing has disturbed it for a while, and the end.

import type { MutableFrontier } from "../../run/apply.ts";
import type { CancelPreview } from "../../run/cancel.ts";
import type { Decision } from "../../run/decision.ts";
import type { RowId, RunId } from "../../run/model.ts";
import type { Clients } from "./clients.ts";
import { doneIsTakenOver, retryKeepsKeys } from "./oracles/again.ts";
import {
  effectsWithinAttempts,
  judgeLedger,
  followedInItsRow,
  lateIsRecorded,
  resultOfItsOwnCall,
  sameKeyAndArgs,
  unknownIsAsked,
} from "./oracles/calls.ts";
import { endingStartsNothing, joinOnce, oneRowPerCause, pauseHolds } from "./oracles/causes.ts";
import { judgeAttention, judgeCounters, judgeMemory } from "./oracles/counters.ts";
import { judgeFold } from "./oracles/fold.ts";
import { messagesAreIdempotent } from "./oracles/idempotence.ts";
import { isStuckByItsFlow, judgePromptness, judgeWaits, recoveryBoundMs } from "./oracles/liveness.ts";
import { createView, emptyMemory, type Oracle, type OracleName, type RunMemory } from "./oracles/oracle.ts";
import { eachIsWhole, peopleDecide, signalsAreKept } from "./oracles/people.ts";
import { legalTransitions, noLostUpdate, nothingIsEarly, terminalIsFinal } from "./oracles/rows.ts";
import { previewOf } from "./oracles/preview.ts";
import { compensationInOrder, previewIsTrue } from "./oracles/undo.ts";
import type { Batch, Executor, Observer } from "./process.ts";
import type { Store, StoredRun, Write } from "./store.ts";
import type { Tools } from "./tools.ts";
import type { World } from "./world.ts";

const writeOracles: readonly Oracle[] = [
  legalTransitions,
  terminalIsFinal,
  noLostUpdate,
  nothingIsEarly,
  joinOnce,
  oneRowPerCause,
  resultOfItsOwnCall,
  followedInItsRow,
  lateIsRecorded,
  sameKeyAndArgs,
  effectsWithinAttempts,
  unknownIsAsked,
  compensationInOrder,
  previewIsTrue,
  peopleDecide,
  signalsAreKept,
  eachIsWhole,
  pauseHolds,
  endingStartsNothing,
  doneIsTakenOver,
  retryKeepsKeys,
  // Last: it remembers the message.
  messagesAreIdempotent,
];

export interface Oracles extends Observer {
  /** The executor under watch. */
  watch(executor: Executor, clients: Clients): void;
  /** When everything should be over. */
  judgeEnd(): void;
}

export function createOracles(world: World, store: Store, tools: Tools): Oracles {
  const memories = new Map<RunId, RunMemory>();
  const previews = new WeakMap<Decision, CancelPreview>();
  let watched: { readonly executor: Executor; readonly clients: Clients } | undefined;
  let disturbances = 0;
  const report: Report = (name, problem) => {
    if (problem !== undefined) world.violate(name, problem);
  };
  const checkHealth = (executor: Executor): void => {
    if (!executor.isUp || executor.isPaused) return;
    report("prompt recovery", judgePromptness({ store, tools, epoch: executor.epoch, now: world.now }));
    report("waits have a name", judgeWaits(store));
  };
  return {
    watch(executor, clients) {
      watched = { executor, clients };
    },
    decided(write, deciding) {
      const preview = previewOf(write, deciding);
      if (preview !== undefined) previews.set(write.decision, preview);
    },
    writing(write) {
      const memory = memories.get(write.run) ?? emptyMemory();
      memories.set(write.run, memory);
      const known = { memory, tools, origin: originOf(store, write), preview: previews.get(write.decision) };
      const view = createView(write, store.find(write.run), known);
      for (const { name, judge } of writeOracles) report(name, judge(view));
    },
    committed(batch) {
      const memoryOf = (run: RunId): MutableFrontier | undefined =>
        watched === undefined ? undefined : settledFrontier(watched.executor, batch, run);
      for (const run of new Set(batch.writes.map((write: Write) => write.run))) {
        const stored = store.find(run);
        if (stored !== undefined) judgeStored(report, stored, memoryOf(run));
        report("read back as written", inRun(run, store.examine(run)));
      }
    },
    replied(delivery, reply) {
      watched?.clients.replied(delivery, reply);
    },
    calling(run: RunId, token: string, row: RowId) {
      const stored = store.find(run)?.rows.get(row);
      const isIntended = stored?.status === "running" && stored.token === token;
      if (!isIntended)
        report("intent before call", `row ${row} is called, on disk it is ${stored?.status ?? "not there"}`);
      if (tools.calls.has(token)) report("intent before call", `row ${row} is called twice under one token`);
    },
    started() {
      watched?.clients.restarted();
    },
    disturbed() {
      disturbances += 1;
      const seen = disturbances;
      // Twice the bound: what is due just before the look may take its time, too.
      world.after(2 * recoveryBoundMs, () => {
        if (watched !== undefined && seen === disturbances) checkHealth(watched.executor);
      });
    },
    judgeEnd() {
      const rows = [...store.runs.values()].flatMap((stored) => [...stored.rows.values()]);
      report("effects within attempts", judgeLedger(tools.ledger, rows));
      report("waits have a name", judgeWaits(store));
      for (const stored of store.open()) {
        const { id, status, live } = stored.run;
        if (!isStuckByItsFlow(store, stored))
          report("every run ends", `run ${id} is ${status}, with ${live} rows live`);
      }
    },
  };
}

type Report = (name: OracleName, problem: string | undefined) => void;

function inRun(run: RunId, problem: string | undefined): string | undefined {
  return problem === undefined ? undefined : `of run ${run}, ${problem}`;
}

/** The run from which the one that is written takes over. */
function originOf(store: Pick<Store, "find">, { run, decision }: Write): StoredRun | undefined {
  const origin = (decision.changes.run ?? store.find(run)?.run)?.origin ?? null;
  return origin === null ? undefined : store.find(origin.run);
}

/** A run as it is on disk, beside what the executor holds of it. */
function judgeStored(report: Report, stored: StoredRun, held: MutableFrontier | undefined): void {
  report("counters", judgeCounters(stored));
  report("attention is named", judgeAttention(stored));
  report("history folds to the state", judgeFold(stored));
  const problem = held === undefined ? undefined : judgeMemory(held, stored);
  if (problem !== undefined) report("memory equals disk", `${problem}, of run ${stored.run.id}`);
}

/** What is held of a run, if nothing newer of it is on its way to disk. */
function settledFrontier({ held, inFlight }: Executor, batch: Batch, run: RunId): MutableFrontier | undefined {
  const isAhead = inFlight.some((other) => other !== batch && other.writes.some((write) => write.run === run));
  return isAhead ? undefined : held.get(run)?.frontier;
}
