// The ownership of one schema: the locks are of our session, batches go through it and through no other, the inbox comes
// to us. It ends by `release`, or is lost for good: with its session, by an answer that does not come, or when others
// have taken over. What is lost is claimed anew, by another session with another epoch.

import { randomInt } from "node:crypto";
import { StepwellError } from "../../error.ts";
import type { Need } from "../../run/decision.ts";
import type { Row, RunId } from "../../run/model.ts";
import type {
  Batch,
  Claim,
  Committed,
  InboxMessage,
  LoadedRun,
  OwnerCard,
  Ownership,
  Prunable,
  PruneQuery,
  RowPlace,
} from "../store.ts";
import type { AuditPruning } from "../audit.ts";
import { readClocks, type Clocks } from "./clocks.ts";
import { openSession, type Pool, type Settings } from "./connection.ts";
import { startHeart, type Heart } from "./heartbeat.ts";
import type { HintLine } from "./hint.ts";
import { pruneInbox, watchInbox, type InboxWatch } from "./inbox.ts";
import { endLost, isTaken, tryLock, unlock } from "./lock.ts";
import { pruneAudit } from "./outcomes.ts";
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
import type { Session } from "./session.ts";
import { createCommitLedger, tidySpace, type CommitLedger, type CommitsKept } from "./space.ts";
import { createWriter, type Writer } from "./writer.ts";

/** Answers stay so long for a guest that was slow to fetch them. */
const answersKeptMs = 600_000;

export type OwnershipParts = {
  readonly settings: Settings;
  readonly reader: Pool;
  /** For what is not part of a batch. */
  readonly writer: Pool;
  readonly hints: HintLine;
  readonly clock: () => number;
  readonly commitsKept: CommitsKept;
  /** How often the inbox is looked at, if no hint comes. */
  readonly lookEveryMs: number;
  /** Whose it is, for whoever finds it taken. */
  readonly findOwner: () => Promise<OwnerCard | undefined>;
  /** Refuses a schema that has become another one meanwhile; the locks are held. */
  readonly prepareToOwn: (session: Session) => Promise<void>;
  readonly onProblem: (problem: StepwellError) => void;
  /** Released or lost. */
  readonly onOver: () => void;
};

/** Takes all parts in a session of its own, or none. */
export async function claimOwnership(parts: OwnershipParts, card: OwnerCard): Promise<Claim> {
  const { settings, reader, findOwner } = parts;
  if (await isTaken(reader, settings)) return { kind: "taken", owner: await findOwner() };
  const session = await openSession(settings, "own");
  try {
    if (!(await tryLock(session, settings))) {
      await session.end();
      return { kind: "taken", owner: await findOwner() };
    }
    await parts.prepareToOwn(session);
    const epoch = createEpoch();
    const beatenAt = readClocks();
    const last = await writeCard(session, card, epoch);
    const batches = createWriter(session, epoch);
    return {
      kind: "owned",
      ownership: new PostgresOwnership({ ...parts, ...last, session, epoch, batches, beatenAt }),
    };
  } catch (error) {
    const problem = toStoreError(error, settings.name);
    session.destroy(problem);
    throw problem;
  }
}

const cardText = `update partitions
  set epoch = $1, owner = $2, session_pid = pg_backend_pid(), heartbeat_at = clock_timestamp()`;
const lastText = `select
    coalesce((select max(no) from commits), 0),
    greatest(
      (select max(id) from runs), (select max(id) from steps),
      (select last_id from commits order by no desc limit 1), 0
    )`;

type Last = { readonly lastCommit: number; readonly lastId: number };

/** Once the card is there, nobody else's batches count: what is last stays last. */
async function writeCard(session: Session, card: OwnerCard, epoch: string): Promise<Last> {
  const [, [[lastCommit, lastId] = []] = []] = await session.pipeline([
    { name: "", text: cardText, values: [epoch, JSON.stringify(card)] },
    { name: "", text: lastText, values: [] },
  ]);
  return { lastCommit: Number(lastCommit), lastId: Number(lastId) };
}

/** Short, since every running row carries it; 2.8 × 10¹² of them are enough to be never the same twice. */
function createEpoch(): string {
  const letters = "abcdefghijklmnopqrstuvwxyz0123456789";
  return Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join("");
}

type OwnedParts = OwnershipParts &
  Last & {
    readonly session: Session;
    readonly epoch: string;
    readonly batches: Writer;
    /** When the card was on its way. */
    readonly beatenAt: Clocks;
  };

/** Owned, until it is lost or released; both are for good. */
export class PostgresOwnership implements Ownership {
  readonly epoch: string;
  readonly lastId: number;
  readonly lastCommit: number;
  /** The server may be far away: what is on its way need not wait for an answer. */
  readonly secondBatchMin: number = 0;
  readonly #parts: OwnedParts;
  readonly #heart: Heart;
  readonly #ledger: CommitLedger;
  readonly #pruner: Pruner;
  readonly #ping: NodeJS.Timeout;
  #onLost: (problem: StepwellError) => void = () => {};
  #watch: InboxWatch | undefined;
  #unhint: () => void = () => {};
  #lost: StepwellError | undefined;
  #lastAnswer: Promise<unknown> = Promise.resolve();
  #tidying: Promise<void> | undefined;
  #released: Promise<void> | undefined;

  constructor(parts: OwnedParts) {
    const { settings, session, writer, epoch } = parts;
    this.epoch = epoch;
    this.lastId = parts.lastId;
    this.lastCommit = parts.lastCommit;
    this.#parts = parts;
    this.#ledger = createCommitLedger(parts.commitsKept);
    this.#pruner = createPruner(parts.reader);
    this.#heart = startHeart({ ...parts, settings, writer, epoch, onForeign: () => this.#loseToAnother() });
    this.#ping = setInterval(() => this.#pingWhenIdle(), settings.times.pingEveryMs);
    this.#ping.unref();
    session.onEnd((reason) => this.#lose(`the session ended (${reason.message})`, reason));
  }

  /** Lost or released. */
  get isOver(): boolean {
    return this.#lost !== undefined || this.#released !== undefined;
  }

  /** Answered in the order of the batches. */
  commit(batch: Batch): Promise<Committed> {
    const committed = this.#commit(batch, this.#lastAnswer);
    this.#lastAnswer = committed;
    return committed;
  }

  onLost(listener: (problem: StepwellError) => void): void {
    this.#onLost = listener;
    if (this.#lost !== undefined) listener(this.#lost);
  }

  async load(runs: readonly RunId[]): Promise<readonly LoadedRun[]> {
    return loadRuns(this.#parts.reader, runs);
  }

  async bring(run: RunId, needs: readonly Need[]): Promise<readonly (readonly Row[])[]> {
    return bringRows(this.#parts.reader, run, needs);
  }

  async listReady(limitMax: number): Promise<readonly RowPlace[]> {
    return listReady(this.#parts.reader, limitMax);
  }

  async listInterrupted(): Promise<readonly (RowPlace & { readonly token: string })[]> {
    return listInterrupted(this.#parts.reader, this.epoch);
  }

  async listDue(now: number, limitMax: number): Promise<readonly RunId[]> {
    return listDue(this.#parts.reader, now, limitMax);
  }

  async nextDueAt(after: number): Promise<number | undefined> {
    return nextDueAt(this.#parts.reader, after);
  }

  async listOverdue(now: number, limitMax: number): Promise<readonly RunId[]> {
    return listOverdue(this.#parts.reader, now, limitMax);
  }

  async listWaiting(event: string): Promise<readonly RunId[]> {
    return listWaiting(this.#parts.reader, event);
  }

  onInbox(listener: (messages: readonly InboxMessage[]) => void): void {
    if (this.isOver) return;
    this.#stopWatch();
    const { reader, hints, lookEveryMs } = this.#parts;
    const watch = watchInbox({ reader, listener, lookEveryMs });
    this.#watch = watch;
    this.#unhint = hints.on("inbox", () => watch.look());
  }

  /** A message was posted through this very process: it need not wait for the next look. */
  lookAtInbox(): void {
    this.#watch?.look();
  }

  async listPrunable(query: PruneQuery): Promise<Prunable> {
    return this.#pruner(query);
  }

  async pruneAudit(pruning: AuditPruning): Promise<boolean> {
    return pruneAudit(this.#parts, pruning);
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

  async #commit(batch: Batch, before: Promise<unknown>): Promise<Committed> {
    const committed = await this.#write(batch);
    await before;
    if (committed.kind === "unknown") this.#lose(committed.message);
    if (committed.kind !== "committed") return committed;
    this.#parts.hints.tell("commit");
    // The answer may have waited for a process that stood still, while others took over what it did.
    while (!this.#isFresh()) {
      const message = await this.#findLoss();
      if (message !== undefined) return { kind: "unknown", message };
    }
    return committed;
  }

  async #write(batch: Batch): Promise<Committed> {
    if (this.#released !== undefined) return { kind: "unknown", message: "The ownership was given up." };
    if (this.#lost !== undefined) return { kind: "unknown", message: this.#lost.message };
    return this.#parts.batches.write(batch);
  }

  /** The session held the locks a moment ago, and our heart was heard: before `deadAfterMs` nobody ends it. */
  #isFresh(): boolean {
    const { session, settings } = this.#parts;
    return this.#lost === undefined && session.silentMs < settings.times.answerWithinMs && this.#heart.isFresh();
  }

  /** Asks the server; undefined: it is ours. */
  async #findLoss(): Promise<string | undefined> {
    try {
      if (await this.#heart.beat(this.#parts.session)) return undefined;
      this.#loseToAnother();
      return "Another process has taken the store.";
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#lose(message, error);
      return message;
    }
  }

  async #tidy(): Promise<void> {
    const { reader, writer, clock } = this.#parts;
    const now = clock();
    await pruneInbox(writer, now - answersKeptMs);
    await this.#ledger.prune({ reader, writer, now });
    await tidySpace({ reader, writer, now });
  }

  /** The locks are free before the session ends, so that a guest need not wait for that. */
  async #release(): Promise<void> {
    const { session, onOver } = this.#parts;
    const wasLost = this.#lost !== undefined;
    this.#stop();
    await Promise.allSettled([this.#lastAnswer]);
    try {
      await unlock(session);
    } catch {
      // It is lost already: the server frees them.
    }
    // It may be long, and others need not wait for it; whoever asked for it hears of its failure.
    await Promise.allSettled([this.#tidying]);
    await session.end();
    if (!wasLost) onOver();
  }

  #stop(): void {
    this.#stopWatch();
    this.#heart.stop();
    clearInterval(this.#ping);
  }

  #stopWatch(): void {
    this.#watch?.stop();
    this.#unhint();
  }

  /** Also what is under way has a deadline: only an idle session could be dead without a word. */
  #pingWhenIdle(): void {
    const { session } = this.#parts;
    if (session.underWay > 0) return;
    session.query("select 1").catch(() => {
      // Its end is told by `onEnd`.
    });
  }

  #loseToAnother(): void {
    this.#lose("another process has taken it");
  }

  #lose(why: string, cause?: unknown): void {
    if (this.#lost !== undefined || this.#released !== undefined) return;
    const { settings, session, reader, writer, onProblem, onOver } = this.#parts;
    const problem = new StepwellError("STORE_LOST", `The ownership of ${settings.name} was lost: ${why}.`, {
      details: { name: settings.name },
      ...(cause === undefined ? {} : { cause }),
    });
    this.#lost = problem;
    this.#stop();
    session.destroy(problem);
    // Whatever has ended that session may have ended all: whoever comes next need not wait until they are found dead.
    reader.renew();
    writer.renew();
    endLost(writer, settings, this.epoch).catch(() => {
      // The server is not to be reached, and finds out by itself.
    });
    onProblem(problem);
    this.#onLost(problem);
    onOver();
  }
}
