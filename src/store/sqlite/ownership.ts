// The ownership of one database: the lock is ours, the writer writes for us, the inbox comes to us. It ends by `release`,
// or is lost: then no commit is acknowledged any more, since nobody knows who else writes.

import type { DatabaseSync } from "node:sqlite";
import { StepwellError } from "../../error.ts";
import type { Need } from "../../run/decision.ts";
import type { Row, RunId } from "../../run/model.ts";
import type { Batch, Committed, InboxMessage, LoadedRun, Ownership, Prunable, PruneQuery, RowPlace } from "../store.ts";
import type { AuditPruning } from "../audit.ts";
import { startCheck } from "./check.ts";
import { readFrom } from "./connection.ts";
import { pruneInbox, watchInbox, type InboxWatch } from "./inbox.ts";
import type { Lock } from "./lock.ts";
import { hasOldAudit } from "./outcomes.ts";
import { identityOf, type Place } from "./place.ts";
import { toStoreError } from "./problem.ts";
import { createPruner, type Pruner } from "./prune.ts";
import {
  bringRows,
  listDue,
  listInterrupted,
  listOverdue,
  listReady,
  listWaiting,
  loadRuns,
  nextDueAt,
} from "./reader.ts";
import { createCommitLedger, tidySpace, type CommitLedger, type CommitsKept } from "./space.ts";
import type { Writer } from "./thread-writer.ts";

/** Answers stay so long for a guest that was slow to fetch them. */
const answersKeptMs = 600_000;

export type OwnershipParts = {
  readonly epoch: string;
  readonly lastId: number;
  readonly lastCommit: number;
  readonly reader: DatabaseSync;
  /** For what is not part of a batch. */
  readonly sideWriter: DatabaseSync;
  readonly writer: Writer;
  readonly lock: Lock;
  /** null: in memory. */
  readonly place: Place | null;
  readonly clock: () => number;
  readonly commitsKept: CommitsKept;
  readonly checkAfterMs?: number;
  readonly onProblem: (problem: StepwellError) => void;
  readonly onRelease: () => void;
};

/** Owned, until it is lost or released; both are for good. */
export class SqliteOwnership implements Ownership {
  readonly epoch: string;
  readonly lastId: number;
  readonly lastCommit: number;
  /** The disk is near, and each batch costs an fsync and the way to the thread that writes. */
  readonly secondBatchMin: number = 64;
  readonly #parts: OwnershipParts;
  readonly #identity: string | undefined;
  readonly #ledger: CommitLedger;
  readonly #pruner: Pruner;
  readonly #stopCheck: () => Promise<void>;
  #onLost: (problem: StepwellError) => void = () => {};
  #watch: InboxWatch | undefined;
  #lost: StepwellError | undefined;
  #tidying: Promise<void> | undefined;
  #released: Promise<void> | undefined;

  constructor(parts: OwnershipParts) {
    this.epoch = parts.epoch;
    this.lastId = parts.lastId;
    this.lastCommit = parts.lastCommit;
    this.#parts = parts;
    this.#identity = parts.place === null ? undefined : identityOf(parts.place.path);
    this.#ledger = createCommitLedger(parts.commitsKept);
    this.#pruner = createPruner(parts.reader);
    this.#stopCheck = this.#startCheck();
  }

  async commit(batch: Batch): Promise<Committed> {
    if (this.#released !== undefined) return { kind: "unknown", message: "The ownership was given up." };
    const before = this.#lost;
    if (before !== undefined) return { kind: "unknown", message: before.message };
    const committed = await this.#parts.writer.write(batch);
    if (committed.kind === "unknown") this.#lose(new StepwellError("STORE_LOST", committed.message));
    // What was written to a file that is no longer the database is not kept: only a look afterwards can tell.
    const after = this.#findLoss();
    return after === undefined ? committed : { kind: "unknown", message: after.message };
  }

  onLost(listener: (problem: StepwellError) => void): void {
    this.#onLost = listener;
  }

  async load(runs: readonly RunId[]): Promise<readonly LoadedRun[]> {
    return this.#read(() => loadRuns(this.#parts.reader, runs));
  }

  async bring(run: RunId, needs: readonly Need[]): Promise<readonly (readonly Row[])[]> {
    return this.#read(() => bringRows(this.#parts.reader, run, needs));
  }

  async listReady(limitMax: number): Promise<readonly RowPlace[]> {
    return this.#read(() => listReady(this.#parts.reader, limitMax));
  }

  async listInterrupted(): Promise<readonly (RowPlace & { readonly token: string })[]> {
    return this.#read(() => listInterrupted(this.#parts.reader, this.epoch));
  }

  async listDue(now: number, limitMax: number): Promise<readonly RunId[]> {
    return this.#read(() => listDue(this.#parts.reader, now, limitMax));
  }

  async nextDueAt(after: number): Promise<number | undefined> {
    return this.#read(() => nextDueAt(this.#parts.reader, after));
  }

  async listOverdue(now: number, limitMax: number): Promise<readonly RunId[]> {
    return this.#read(() => listOverdue(this.#parts.reader, now, limitMax));
  }

  async listWaiting(event: string): Promise<readonly RunId[]> {
    return this.#read(() => listWaiting(this.#parts.reader, event));
  }

  onInbox(listener: (messages: readonly InboxMessage[]) => void): void {
    if (this.#lost !== undefined || this.#released !== undefined) return;
    this.#watch?.stop();
    this.#watch = watchInbox({
      database: this.#parts.reader,
      listener,
      beforeLook: () => this.#findLoss(),
      onProblem: (error) => this.#lose(toStoreError(error, this.#path)),
    });
  }

  /** A message was posted through this very process: it need not wait for the next look. */
  lookAtInbox(): void {
    this.#watch?.look();
  }

  async listPrunable(query: PruneQuery): Promise<Prunable> {
    return this.#read(() => this.#pruner(query));
  }

  async pruneAudit(pruning: AuditPruning): Promise<boolean> {
    const { reader, writer } = this.#parts;
    // Nearly always nothing may go.
    if (!(await this.#read(() => hasOldAudit(reader, pruning)))) return false;
    await writer.maintain({ kind: "prune_audit", ...pruning });
    return true;
  }

  async tidy(): Promise<void> {
    this.#tidying ??= this.#tidy().finally(() => {
      this.#tidying = undefined;
    });
    return this.#tidying;
  }

  async release(): Promise<void> {
    this.#released ??= this.#release();
    return this.#released;
  }

  async #tidy(): Promise<void> {
    const { reader, sideWriter, writer, place, clock } = this.#parts;
    const now = clock();
    const work = { reader, writer, place, now };
    pruneInbox({ reader, writer: sideWriter, before: now - answersKeptMs });
    await this.#ledger.prune(work);
    await tidySpace(work);
  }

  async #release(): Promise<void> {
    const { writer, lock, onRelease } = this.#parts;
    this.#watch?.stop();
    await this.#stopCheck();
    // Whoever asked for it hears of its failure.
    await Promise.allSettled([this.#tidying]);
    try {
      await writer.maintain({ kind: "checkpoint" });
    } catch {
      // The log stays; the next owner begins with it.
    }
    await writer.close();
    lock.release();
    onRelease();
  }

  get #path(): string {
    return this.#parts.place?.path ?? ":memory:";
  }

  #read<T>(read: () => T): Promise<T> {
    return readFrom(this.#path, read);
  }

  #startCheck(): () => Promise<void> {
    const { place, checkAfterMs, onProblem } = this.#parts;
    if (place === null) return async () => {};
    const options = { path: place.path, onDamage: onProblem };
    return startCheck(checkAfterMs === undefined ? options : { ...options, afterMs: checkAfterMs });
  }

  #findLoss(): StepwellError | undefined {
    const { place } = this.#parts;
    if (this.#lost !== undefined || place === null || identityOf(place.path) === this.#identity) return this.#lost;
    return this.#lose(
      new StepwellError(
        "STORE_LOST",
        `${place.path} was moved or replaced while it was in use; stop this process, and start it again on the file that shall count.`,
        { details: { path: place.path } },
      ),
    );
  }

  #lose(problem: StepwellError): StepwellError {
    if (this.#lost !== undefined) return this.#lost;
    this.#lost = problem;
    this.#watch?.stop();
    this.#parts.onProblem(problem);
    this.#onLost(problem);
    return problem;
  }
}
