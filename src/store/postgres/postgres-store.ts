// A schema on a server as a store: reads through a few sessions that come and go, guests' messages through others, and
// all else through the ownership, which has a session of its own. The store outlives them all: what broke is opened anew
// when it is needed, and what was lost may be claimed again.

import { StepwellError } from "../../error.ts";
import type { Json } from "../../flow/json.ts";
import type { RunEvent } from "../../run/decision.ts";
import type { StepKey } from "../../flow/plan.ts";
import type { Row, RowId, RunId, RunStatus } from "../../run/model.ts";
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
import type { Pool, Settings } from "./connection.ts";
import { HintLine } from "./hint.ts";
import { appendMessage, appendWithin, findAnswer } from "./inbox.ts";
import { claimOwnership, PostgresOwnership } from "./ownership.ts";
import { createQueries, type Queries } from "./queries.ts";
import { measureSpace, type CommitsKept } from "./space.ts";

export type StoreParts = {
  readonly settings: Settings;
  readonly reader: Pool;
  /** For what is not part of a batch. */
  readonly writer: Pool;
  readonly clock: () => number;
  readonly commitsKept: CommitsKept;
  readonly lookEveryMs: number;
  readonly onProblem: (problem: StepwellError) => void;
  /** Brings the schema up to date, or refuses. */
  readonly prepareToOwn: () => Promise<void>;
};

/** Open until it is closed; claims and ownerships come and go in between. */
export class PostgresStore implements Store {
  readonly name: string;
  readonly durability: Durability;
  readonly whenLost = "claim_again";
  readonly lookEveryMs: number;
  readonly #parts: StoreParts;
  readonly #queries: Queries;
  readonly #hints: HintLine;
  #ownership: PostgresOwnership | undefined;
  /** When the schema was made, by which transactions of others know it. */
  #madeAt: Promise<number> | undefined;
  #isClosed = false;

  constructor(parts: StoreParts) {
    this.name = parts.settings.name;
    this.durability = parts.settings.durability;
    this.lookEveryMs = parts.lookEveryMs;
    this.#parts = parts;
    this.#queries = createQueries(parts.reader);
    this.#hints = new HintLine(parts.settings, parts.writer);
  }

  onHint(listener: () => void): () => void {
    return this.#hints.on("commit", listener);
  }

  async claim(card: OwnerCard): Promise<Claim> {
    const { prepareToOwn, ...parts } = this.#parts;
    const own: { ownership?: PostgresOwnership } = {};
    const onOver = (): void => {
      // One that was lost is released later, when there may be another.
      if (this.#ownership === own.ownership) this.#ownership = undefined;
    };
    const findOwner = (): Promise<OwnerCard | undefined> => this.findOwner();
    const claim = await claimOwnership({ ...parts, hints: this.#hints, prepareToOwn, onOver, findOwner }, card);
    if (claim.kind === "taken" || !(claim.ownership instanceof PostgresOwnership)) return claim;
    own.ownership = claim.ownership;
    try {
      // A newer program may have migrated it between the look and our card; from now on the epoch would tell us.
      await prepareToOwn();
      refuseMoved(await this.findEntry(movedKind, movedKey), this.name);
      if (this.#isClosed) throw new StepwellError("STORE_LOST", `${this.name} was closed.`);
      if (own.ownership.isOver) throw new StepwellError("STORE_LOST", `${this.name} was lost while it was claimed.`);
    } catch (error) {
      await own.ownership.release();
      throw error;
    }
    this.#ownership = own.ownership;
    return claim;
  }

  async findOwner(): Promise<OwnerCard | undefined> {
    return this.#queries.findOwner();
  }

  async findFlow(hash: string): Promise<FlowRecord | undefined> {
    return this.#queries.findFlow(hash);
  }

  async findRun(run: RunId): Promise<StoredRun | undefined> {
    return this.#queries.findRun(run);
  }

  async findRunByUid(uid: string): Promise<StoredRun | undefined> {
    return this.#queries.findRunByUid(uid);
  }

  async findRunByKey(startKey: string): Promise<StoredRun | undefined> {
    return this.#queries.findRunByKey(startKey);
  }

  async listRuns(query: RunQuery): Promise<readonly StoredRun[]> {
    return this.#queries.listRuns(query);
  }

  async findRow(row: RowId): Promise<StoredRow | undefined> {
    return this.#queries.findRow(row);
  }

  async listRows(run: RunId): Promise<readonly Row[]> {
    return this.#queries.listRows(run);
  }

  async listEvents(run: RunId): Promise<readonly RunEvent[]> {
    return this.#queries.listEvents(run);
  }

  async listCommits(after: number, limitMax: number): Promise<readonly CommitRecord[] | undefined> {
    return this.#queries.listCommits(after, limitMax);
  }

  async lastCommit(): Promise<number> {
    return this.#queries.lastCommit();
  }

  async findEntry(kind: string, key: string): Promise<Entry | undefined> {
    return this.#queries.findEntry(kind, key);
  }

  async listEntries(...kinds: string[]): Promise<readonly Entry[]> {
    return this.#queries.listEntries(...kinds);
  }

  async listNames(runs: readonly RunId[], rows: readonly RowId[]): Promise<Names> {
    return this.#queries.listNames(runs, rows);
  }

  async listHeads(before: RunId, limitMax: number): Promise<readonly RunHead[]> {
    return this.#queries.listHeads(before, limitMax);
  }

  async listBriefs(run: RunId, limitMax: number): Promise<readonly Brief[]> {
    return this.#queries.listBriefs(run, limitMax);
  }

  async listArrivals(run: RunId, fork: RowId): Promise<readonly Brief[]> {
    return this.#queries.listArrivals(run, fork);
  }

  async findNewest(run: RunId, step: StepKey): Promise<RowId | undefined> {
    return this.#queries.findNewest(run, step);
  }

  async listWaits(query: WaitQuery): Promise<ReadonlyMap<RunId, readonly Brief[]>> {
    return this.#queries.listWaits(query);
  }

  async listStandings(query: StandingQuery): Promise<ReadonlyMap<RunId, Standing>> {
    return this.#queries.listStandings(query);
  }

  async findShort(rows: readonly RowId[]): Promise<ReadonlyMap<RowId, ShortRow>> {
    return this.#queries.findShort(rows);
  }

  async listMoments(query: MomentQuery): Promise<readonly Moment[]> {
    return this.#queries.listMoments(query);
  }

  async listItems(query: ItemQuery): Promise<readonly Brief[]> {
    return this.#queries.listItems(query);
  }

  async countItems(run: RunId): Promise<ReadonlyMap<RowId, StatusCounts>> {
    return this.#queries.countItems(run);
  }

  async countSteps(runs: readonly RunId[]): Promise<ReadonlyMap<RunId, StatusCounts>> {
    return this.#queries.countSteps(runs);
  }

  async listChildren(run: RunId, limitMax: number): Promise<readonly ChildHead[]> {
    return this.#queries.listChildren(run, limitMax);
  }

  async listNextDue(limitMax: number): Promise<readonly DuePlace[]> {
    return this.#queries.listNextDue(limitMax);
  }

  async countLive(): Promise<Partial<Record<RunStatus, number>>> {
    return this.#queries.countLive();
  }

  async listRatings(run: RunId): Promise<readonly Rating[]> {
    return this.#queries.listRatings(run);
  }

  async listOutcomes(page: OutcomePage): Promise<readonly StepOutcome[]> {
    return this.#queries.listOutcomes(page);
  }

  async countOutcomes(query: CountQuery): Promise<readonly OutcomeCount[]> {
    return this.#queries.countOutcomes(query);
  }

  async listAudit(query: AuditQuery): Promise<readonly AuditEntry[]> {
    return this.#queries.listAudit(query);
  }

  async measure(): Promise<Space> {
    return measureSpace(this.#parts.reader);
  }

  async post(message: Json, by: string, within?: Transaction): Promise<InboxId> {
    if (by.includes("\0"))
      throw new StepwellError("INPUT_INVALID", "Who posts a message cannot have a NUL in their name.");
    const { settings, writer, clock } = this.#parts;
    const post = { message, by, at: clock() };
    if (within !== undefined) return appendWithin(within, { settings, post, madeAt: await this.#findMadeAt() });
    const id = await appendMessage(writer, post);
    if (this.#ownership === undefined) this.#hints.tell("inbox");
    else this.#ownership.lookAtInbox();
    return id;
  }

  async findAnswer(id: InboxId): Promise<InboxAnswer | undefined> {
    return findAnswer(this.#parts.reader, id);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#ownership?.release();
    await this.#hints.close();
    await Promise.all([this.#parts.reader.close(), this.#parts.writer.close()]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Asked once; a failure is not kept. */
  async #findMadeAt(): Promise<number> {
    const text = "select applied_at from schema_migrations where no = 1";
    this.#madeAt ??= this.#parts.reader.rows("made_at", text, []).then(([row = []]) => Number(row[0]));
    try {
      return await this.#madeAt;
    } catch (error) {
      this.#madeAt = undefined;
      throw error;
    }
  }
}
