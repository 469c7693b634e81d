// A batch for SQLite: decisions are merged by the engine's own code, flattened and written by the store's own code, in one
// transaction. What goes wrong goes wrong inside that transaction, and afterwards nothing of it may be there.

import { closeBatch, createBatchDraft, mergeDecision, type BatchDraft } from "../../../engine/batch-draft.ts";
import { createHeldRun, RunCache, type HeldRun } from "../../../engine/held-run.ts";
import type { Plan } from "../../../flow/plan.ts";
import type { RunId, RunRow } from "../../../run/model.ts";
import type { Batch, Committed } from "../../../store/store.ts";
import { documentOf } from "../library.ts";
import type { OracleName } from "../oracles/oracle.ts";
import type { CommitFault, CommitOutcome, Draft, Grounds, Taken, Write } from "../store.ts";
import { spoil } from "./faults.ts";
import type { Disk } from "./disk.ts";

/** So few runs are kept in memory that most are given up at some time. */
const runsHeldMax = 3;

export function createDraft(disk: Disk, at: number): Draft {
  const draft = createBatchDraft(disk.nextNo, at);
  let batch: Batch | null = null;
  const retry = (): Committed | null => (batch === null ? null : writeBatch(disk, batch));
  return {
    take: (decided, grounds) => takeDecision(disk, draft, decided, grounds),
    close() {
      batch = closeBatch(draft, lastIdOf(draft));
      if (batch === null) return;
      disk.nextNo += 1;
      disk.handedOver.set(draft.no, retry);
    },
    commit(fault) {
      if (batch === null) return nothingToWrite(fault);
      disk.handedOver.delete(draft.no);
      return commit(disk, batch, fault);
    },
    release(held) {
      const cache = new RunCache(runsHeldMax);
      for (const run of held.values()) cache.hold(run);
      // A batch with nothing to write has taken no number.
      cache.release(draft.touched, batch === null ? draft.no - 1 : draft.no);
      return [...held.keys()].filter((run) => cache.find(run) === undefined);
    },
  };
}

function takeDecision(disk: Disk, draft: BatchDraft, write: Write, { held, brought }: Grounds): Taken | undefined {
  const { plan, decision } = write;
  const taken = held ?? bear(disk, draft, plan, decision.changes.run);
  if (taken === undefined) return undefined;
  mergeDecision(draft, taken, { decision, brought });
  return { held: taken, ready: draft.ready.splice(0).map(({ row }) => row) };
}

/** A run begins; its flow comes with it, unless it is on disk or on its way there. */
function bear(disk: Disk, draft: BatchDraft, plan: Plan, run: RunRow | null): HeldRun | undefined {
  if (run === null) return undefined;
  const { hash, name } = plan;
  if (!disk.flowsOnTheirWay.has(hash)) draft.flows.push({ hash, name, source: documentOf(plan), createdAt: draft.at });
  disk.flowsOnTheirWay.add(hash);
  disk.plans.set(hash, plan);
  const frontier = { run, rows: new Map(), scopes: new Map(), visits: new Map(), signals: [] };
  return createHeldRun({ plan, flow: hash, frontier, written: null });
}

function lastIdOf({ rows, touched }: BatchDraft): number {
  let last = 0;
  for (const id of rows.keys()) last = Math.max(last, id);
  for (const { id } of touched) last = Math.max(last, id);
  return last;
}

function nothingToWrite(fault: CommitFault): CommitOutcome {
  return { kind: fault === "crash_before" || fault === "crash_after" ? "unknown" : "committed", isOnDisk: true };
}

function writeBatch({ code, database, statements }: Disk, batch: Batch): Committed {
  return code.write(database, statements, code.flatten(batch));
}

function commit(disk: Disk, batch: Batch, fault: CommitFault): CommitOutcome {
  if (fault === "none") {
    const committed = writeBatch(disk, batch);
    const isOnDisk = disk.queries.lastCommit() === batch.no;
    if (committed.kind !== "committed") violate(disk, "commits are accepted", committed.message);
    else if (!isOnDisk) violate(disk, "commits are accepted", `commit ${batch.no} is said to be on disk, and is not`);
    return { kind: committed.kind, isOnDisk };
  }
  const { code, database, statements, world } = disk;
  const attempt = spoil(fault, { flat: code.flatten(batch), statements }, world.random);
  const committed = code.write(database, attempt.statements, attempt.flat);
  const isOnDisk = disk.queries.lastCommit() >= batch.no;
  const said = committed.kind === "refused" ? committed.reason : committed.kind;
  const expected = attempt.reason ?? "unknown";
  if (said !== expected) violate(disk, "refused leaves nothing", `a commit was ${said} that should be ${expected}`);
  else if (isOnDisk !== (fault === "crash_after"))
    violate(disk, "refused leaves nothing", `after ${fault} commit ${batch.no} is ${isOnDisk ? "" : "not "}on disk`);
  else if (!isOnDisk) judgeRefused(disk, batch);
  return { kind: attempt.reason === null ? "unknown" : "refused", isOnDisk };
}

/** Everything is as it was, and the batch behind, which was handed over as well, does not get there either. */
function judgeRefused(disk: Disk, batch: Batch): void {
  const { database, handedOver, examineFully } = disk;
  const oracle: OracleName = "refused leaves nothing";
  if (database.isTransaction) return violate(disk, oracle, "a transaction was left open");
  for (const retry of handedOver.values()) {
    const committed = retry();
    const isBehind = committed === null || (committed.kind === "refused" && committed.reason === "behind");
    if (!isBehind) return violate(disk, oracle, `the batch behind it was ${committed.kind}`);
  }
  for (const run of runsOf(batch)) {
    const problem = examineFully(run);
    if (problem !== undefined) return violate(disk, oracle, `of run ${run}, ${problem}`);
  }
}

function runsOf({ runs, rows }: Batch): ReadonlySet<RunId> {
  return new Set([...runs.map(({ run }) => run.id), ...rows.map(({ run }) => run)]);
}

function violate({ world }: Disk, oracle: OracleName, message: string): void {
  world.violate(oracle, message);
}
