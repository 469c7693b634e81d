// A database file as a store: reads on a connection that cannot write, guests' messages on a small one beside it, and
// all else through the ownership. In memory one connection does it all.

import { randomInt } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { StepwellError } from "../../error.ts";
import type { Json } from "../../flow/json.ts";
import type { RunEvent } from "../../run/decision.ts";
import type { StepKey } from "../../flow/plan.ts";
import type { Row, RowId, RunId, RunStatus } from "../../run/model.ts";
import type {
  Claim,
  CommitRecord,
  DuePlace,
  Durability,
  Entry,
  FlowRecord,
  InboxAnswer,
  InboxId,
  Names,
  OwnerCard,
  RunHead,
  RunQuery,
  Space,
  Store,
  StoredRow,
  StoredRun,
  Transaction,
} from "../store.ts";
import type { AuditEntry, AuditQuery } from "../audit.ts";
import type {
  Brief,
  ChildHead,
  ItemQuery,
  Moment,
  MomentQuery,
  ShortRow,
  Standing,
  StandingQuery,
  StatusCounts,
  WaitQuery,
} from "../brief.ts";
import { movedKey, movedKind, refuseMoved } from "../moved.ts";
import type { CountQuery, OutcomeCount, OutcomePage, Rating, StepOutcome } from "../outcome.ts";
import { readFrom, writeInTurn } from "./connection.ts";
import { appendMessage, findAnswer } from "./inbox.ts";
import { tryLock, type Lock } from "./lock.ts";
import { SqliteOwnership } from "./ownership.ts";
import type { Place } from "./place.ts";
import { toStoreError } from "./problem.ts";
import { createQueries, type Queries } from "./queries.ts";
import { measureSpace, type CommitsKept } from "./space.ts";
import type { Writer } from "./thread-writer.ts";

export type StoreParts = {
  readonly name: string;
  readonly durability: Durability;
  /** null: in memory. */
  readonly place: Place | null;
  readonly reader: DatabaseSync;
  readonly sideWriter: DatabaseSync;
  readonly clock: () => number;
  readonly commitsKept: CommitsKept;
  readonly checkAfterMs?: number;
  readonly onProblem: (problem: StepwellError) => void;
  /** Brings the schema up to date, or refuses; the lock is held. */
  readonly prepareToOwn: () => void;
  readonly openWriter: () => Promise<Writer>;
};

/** Open until it is closed; claims and ownerships come and go in between. */
export class SqliteStore implements Store {
  readonly name: string;
  readonly durability: Durability;
  readonly whenLost = "stop";
  readonly lookEveryMs = 10;
  readonly #parts: StoreParts;
  readonly #queries: Queries;
  #ownership: SqliteOwnership | undefined;
  /** The lock of a database in memory. */
  #isHeld = false;

  constructor(parts: StoreParts) {
    this.name = parts.name;
    this.durability = parts.durability;
    this.#parts = parts;
    this.#queries = createQueries(parts.reader);
  }

  /** Looking costs some microseconds: nobody needs a hint. */
  onHint(): () => void {
    return () => {};
  }

  async claim(owner: OwnerCard): Promise<Claim> {
    const lock = this.#tryLock();
    if (lock === undefined) return { kind: "taken", owner: await this.findOwner() };
    try {
      this.#parts.prepareToOwn();
      refuseMoved(this.#queries.findEntry(movedKind, movedKey), this.name);
      const ownership = await this.#own(owner, lock);
      this.#ownership = ownership;
      return { kind: "owned", ownership };
    } catch (error) {
      lock.release();
      throw toStoreError(error, this.name);
    }
  }

  async findOwner(): Promise<OwnerCard | undefined> {
    return this.#read(() => this.#queries.findOwner());
  }

  async findFlow(hash: string): Promise<FlowRecord | undefined> {
    return this.#read(() => this.#queries.findFlow(hash));
  }

  async findRun(run: RunId): Promise<StoredRun | undefined> {
    return this.#read(() => this.#queries.findRun(run));
  }

  async findRunByUid(uid: string): Promise<StoredRun | undefined> {
    return this.#read(() => this.#queries.findRunByUid(uid));
  }

  async findRunByKey(startKey: string): Promise<StoredRun | undefined> {
    return this.#read(() => this.#queries.findRunByKey(startKey));
  }

  async listRuns(query: RunQuery): Promise<readonly StoredRun[]> {
    return this.#read(() => this.#queries.listRuns(query));
  }

  async findRow(row: RowId): Promise<StoredRow | undefined> {
    return this.#read(() => this.#queries.findRow(row));
  }

  async listRows(run: RunId): Promise<readonly Row[]> {
    return this.#read(() => this.#queries.listRows(run));
  }

  async listEvents(run: RunId): Promise<readonly RunEvent[]> {
    return this.#read(() => this.#queries.listEvents(run));
  }

  async listCommits(after: number, limitMax: number): Promise<readonly CommitRecord[] | undefined> {
    return this.#read(() => this.#queries.listCommits(after, limitMax));
  }

  async lastCommit(): Promise<number> {
    return this.#read(() => this.#queries.lastCommit());
  }

  async findEntry(kind: string, key: string): Promise<Entry | undefined> {
    return this.#read(() => this.#queries.findEntry(kind, key));
  }

  async listEntries(...kinds: string[]): Promise<readonly Entry[]> {
    return this.#read(() => kinds.flatMap((kind) => this.#queries.listEntries(kind)));
  }

  async listNames(runs: readonly RunId[], rows: readonly RowId[]): Promise<Names> {
    return this.#read(() => this.#queries.listNames(runs, rows));
  }

  async listHeads(before: RunId, limitMax: number): Promise<readonly RunHead[]> {
    return this.#read(() => this.#queries.listHeads(before, limitMax));
  }

  async listBriefs(run: RunId, limitMax: number): Promise<readonly Brief[]> {
    return this.#read(() => this.#queries.listBriefs(run, limitMax));
  }

  async listArrivals(run: RunId, fork: RowId): Promise<readonly Brief[]> {
    return this.#read(() => this.#queries.listArrivals(run, fork));
  }

  async findNewest(run: RunId, step: StepKey): Promise<RowId | undefined> {
    return this.#read(() => this.#queries.findNewest(run, step));
  }

  async listWaits(query: WaitQuery): Promise<ReadonlyMap<RunId, readonly Brief[]>> {
    return this.#read(() => this.#queries.listWaits(query));
  }

  async listStandings(query: StandingQuery): Promise<ReadonlyMap<RunId, Standing>> {
    return this.#read(() => this.#queries.listStandings(query));
  }

  async findShort(rows: readonly RowId[]): Promise<ReadonlyMap<RowId, ShortRow>> {
    return this.#read(() => this.#queries.findShort(rows));
  }

  async listMoments(query: MomentQuery): Promise<readonly Moment[]> {
    return this.#read(() => this.#queries.listMoments(query));
  }

  async listItems(query: ItemQuery): Promise<readonly Brief[]> {
    return this.#read(() => this.#queries.listItems(query));
  }

  async countItems(run: RunId): Promise<ReadonlyMap<RowId, StatusCounts>> {
    return this.#read(() => this.#queries.countItems(run));
  }

  async countSteps(runs: readonly RunId[]): Promise<ReadonlyMap<RunId, StatusCounts>> {
    return this.#read(() => this.#queries.countSteps(runs));
  }

  async listChildren(run: RunId, limitMax: number): Promise<readonly ChildHead[]> {
    return this.#read(() => this.#queries.listChildren(run, limitMax));
  }

  async listNextDue(limitMax: number): Promise<readonly DuePlace[]> {
    return this.#read(() => this.#queries.listNextDue(limitMax));
  }

  async countLive(): Promise<Partial<Record<RunStatus, number>>> {
    return this.#read(() => this.#queries.countLive());
  }

  async listRatings(run: RunId): Promise<readonly Rating[]> {
    return this.#read(() => this.#queries.listRatings(run));
  }

  async listOutcomes(page: OutcomePage): Promise<readonly StepOutcome[]> {
    return this.#read(() => this.#queries.listOutcomes(page));
  }

  async countOutcomes(query: CountQuery): Promise<readonly OutcomeCount[]> {
    return this.#read(() => this.#queries.countOutcomes(query));
  }

  async listAudit(query: AuditQuery): Promise<readonly AuditEntry[]> {
    return this.#read(() => this.#queries.listAudit(query));
  }

  async measure(): Promise<Space> {
    return this.#read(() => measureSpace(this.#parts.reader, this.#parts.place));
  }

  async post(message: Json, by: string, within?: Transaction): Promise<InboxId> {
    if (within !== undefined)
      throw new StepwellError(
        "TX_NEEDS_POSTGRES",
        `${this.name} is a file: a transaction of your program can take a start along only on PostgreSQL. Leave "tx" away, or open the engine on the database of that transaction.`,
      );
    const { sideWriter, clock } = this.#parts;
    const id = await appendMessage(sideWriter, this.name, { message, by, at: clock() });
    this.#ownership?.lookAtInbox();
    return id;
  }

  async findAnswer(id: InboxId): Promise<InboxAnswer | undefined> {
    return this.#read(() => findAnswer(this.#parts.reader, id));
  }

  async close(): Promise<void> {
    await this.#ownership?.release();
    for (const database of [this.#parts.reader, this.#parts.sideWriter]) if (database.isOpen) database.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #read<T>(read: () => T): Promise<T> {
    return readFrom(this.name, read);
  }

  #tryLock(): Lock | undefined {
    if (this.#parts.place !== null) return tryLock(this.#parts.place.lockPath);
    if (this.#isHeld) return undefined;
    this.#isHeld = true;
    return {
      release: () => {
        this.#isHeld = false;
      },
    };
  }

  async #own(owner: OwnerCard, lock: Lock): Promise<SqliteOwnership> {
    const { name, sideWriter, openWriter, ...parts } = this.#parts;
    const epoch = createEpoch();
    await writeInTurn(name, () => writeOwner(sideWriter, owner, epoch));
    const writer = await openWriter();
    let last: { readonly lastId: number; readonly lastCommit: number };
    try {
      last = this.#readLast(epoch);
    } catch (error) {
      await writer.close();
      throw error;
    }
    return new SqliteOwnership({
      ...parts,
      ...last,
      sideWriter,
      epoch,
      writer,
      lock,
      onRelease: () => {
        this.#ownership = undefined;
      },
    });
  }

  /** The writer holds on to the epoch that it found; from now on nobody else's can be taken for it. */
  #readLast(epoch: string): { readonly lastId: number; readonly lastCommit: number } {
    if (this.#queries.findEpoch() !== epoch)
      throw new StepwellError("STORE_LOST", `${this.name} was taken by another process at the same moment; try again.`);
    return { lastId: this.#queries.lastId(), lastCommit: this.#queries.lastCommit() };
  }
}

/** Both in one statement, so that no card stands beside another one's epoch. */
function writeOwner(database: DatabaseSync, owner: OwnerCard, epoch: string): void {
  database
    .prepare("insert or replace into meta (name, value) values ('epoch', :epoch), ('owner', :owner)")
    .run({ ":epoch": epoch, ":owner": JSON.stringify(owner) });
}

/** Short, since every running row carries it; 2.8 × 10¹² of them are enough to be never the same twice. */
function createEpoch(): string {
  const letters = "abcdefghijklmnopqrstuvwxyz0123456789";
  return Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join("");
}
