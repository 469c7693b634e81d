// Keeps the file within its bounds: by age, by count and by bytes. Ended runs go, oldest first, a few in each batch, so
// that nobody waits for it; live ones never go. When the file is nearly as large as it may be all the same, nothing new
// may start.

import { setImmediate as takeTurn } from "node:timers/promises";
import { StepwellError } from "../error.ts";
import type { RunId } from "../run/model.ts";
import type { AuditRecord } from "../store/audit.ts";
import type { Ownership, Prunable, PrunePlace, PruneQuery, Space, Store, StoredRun } from "../store/store.ts";
import type { Aside } from "./batch-draft.ts";
import type { Asking } from "./clerk.ts";
import type { Clock } from "./clock.ts";
import type { Executor } from "./executor.ts";
import { noSuchRun } from "./readers.ts";

export type Retention = {
  /** How long an ended run is kept; null: for ever. */
  readonly ageMs: number | null;
  /** How many ended runs are kept; null: all. */
  readonly runsMax: number | null;
  /** What the file and its log may weigh; null: whatever they do. */
  readonly bytesMax: number | null;
};

/** Before the oldest. */
const start: PrunePlace = { at: -1, id: -1 };

/** Which of the ended runs are meant. */
export type Ended = Pick<PruneQuery, "endedBefore" | "name">;

export const keepAll: Retention = { ageMs: null, runsMax: null, bytesMax: null };

/** Of the budget: from here on runs are removed. The rest is room for what is written meanwhile, and for the log. */
const pruneAbove = 0.7;
/** From here on nothing new starts. */
const refuseAbove = 0.9;
/** Rows that one batch removes. */
const rowsMax = 4000;
/** By bytes it begins with so few, since nobody knows what they weigh, and doubles while that is not enough. */
const rowsMin = 8;
/** Who changed what is known so long, and of so many changes. */
const auditAgeMs = 365 * 24 * 60 * 60_000;
const auditMax = 1_000_000;
/** Of a budget of bytes, what the audit keeps in any case; a row weighs about so much, with its indexes. */
const auditShare = 0.1;
const auditRowBytes = 200;
/** Batches of one look. */
const roundsMax = 40;

export class Keeper {
  readonly retention: Retention;
  readonly #store: Store;
  readonly #ownership: Ownership;
  readonly #executor: Executor;
  readonly #clock: Clock;
  readonly #problem: (error: unknown) => void;
  #isFull = false;
  /** Of the next batch that goes by bytes; kept from look to look while there is too much. */
  #rows = rowsMin;
  /** What is being removed: never twice at once, or the same runs would go twice. */
  #removing: Promise<unknown> | null = null;

  constructor(
    retention: Retention,
    parts: {
      readonly store: Store;
      readonly ownership: Ownership;
      readonly executor: Executor;
      readonly clock: Clock;
      readonly problem: (error: unknown) => void;
    },
  ) {
    this.retention = retention;
    this.#store = parts.store;
    this.#ownership = parts.ownership;
    this.#executor = parts.executor;
    this.#clock = parts.clock;
    this.#problem = parts.problem;
  }

  /** Nothing new may start until there is more room. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Something was written: a look at the size of the file costs less than a commit. */
  note(): void {
    if (this.retention.bytesMax !== null) this.look().catch(this.#problem);
  }

  async look(): Promise<void> {
    if (this.#removing === null) await this.#alone(() => this.#prune());
  }

  /** All that ended before this instant, or all of this name, whatever else is said; how many runs there were, with their
   *  sub-runs. */
  async removeEnded({ endedBefore, name }: Ended, audited: AuditRecord | null = null): Promise<number> {
    while (this.#removing !== null) await this.#removing;
    const query = { endedBefore, keepMax: null, rowsMax, ...(name === undefined ? {} : { name }) };
    const removed = await this.#alone(() => this.#removeAsked(query, audited));
    if (removed > 0) await this.#ownership.tidy();
    return removed;
  }

  /** One that has ended, with its sub-runs; how many there were. A guest's answer goes with it: the next owner would find
   *  that there is no such run. */
  async removeOne(run: RunId, { audit, tell }: Pick<Asking, "audit" | "tell">): Promise<number> {
    while (this.#removing !== null) await this.#removing;
    return this.#alone(async () => {
      const place = this.#placeOf(run, await this.#store.findRun(run));
      // Behind the one before it and no further: what is found first is this one, unless a sub-run of it lives.
      const query = { endedBefore: place.at + 1, keepMax: null, rowsMax: 1, after: { ...place, id: place.id - 1 } };
      const { runs } = await this.#ownership.listPrunable(query);
      if (!runs.includes(run)) throw cannotGo(run, "a run that it has started has not ended", "Cancel that one first.");
      const audited = audit === null ? [] : [audit];
      await this.#writeRemoved(runs, { audit: audited, answers: tell(runs.length) });
      return runs.length;
    });
  }

  /** Throws when it may not go. */
  #placeOf(run: RunId, found: StoredRun | undefined): PrunePlace {
    if (found === undefined) throw noSuchRun(run);
    const { completedAt, parent } = found.run;
    if (completedAt === null) throw cannotGo(run, "it has not ended", "Cancel it first.");
    if (parent !== null)
      throw cannotGo(run, `it belongs to run ${parent.run}, which has started it`, `Remove run ${parent.run}.`);
    return { at: completedAt, id: run };
  }

  /** Of what people have removed, those who follow are told. */
  async #writeRemoved(runs: readonly RunId[], along: Pick<Aside, "audit" | "answers">): Promise<void> {
    const names = (await this.#store.listNames(runs, [])).runs;
    // In the order in which they go: a server tells names in any.
    const removed = runs.flatMap((run) => {
      const name = names.get(run);
      return name === undefined ? [] : [{ run, ...name }];
    });
    await this.#executor.write({ pruned: runs, removed, ...along });
  }

  /** What is on record of it goes with the first of them. */
  async #removeAsked(query: PruneQuery, audited: AuditRecord | null): Promise<number> {
    let removed = 0;
    for (let after: PrunePlace | null = start; after !== null;) {
      const audit = audited === null || removed > 0 ? [] : [audited];
      const { runs, next } = await this.#ownership.listPrunable({ ...query, after });
      if (runs.length > 0) await this.#writeRemoved(runs, { audit });
      removed += runs.length;
      after = next;
      // A file answers at once: while nothing is found nobody else would get a turn until the end.
      if (after !== null) await takeTurn();
    }
    return removed;
  }

  /** Of the audit, what is too old or too much, a little at a time. */
  async tidyAudit(): Promise<void> {
    const pruning = { before: this.#clock.now() - auditAgeMs, keepMax: auditMax, rowsMax };
    for (let round = 0; round < roundsMax && (await this.#ownership.pruneAudit(pruning)); round++);
  }

  async #alone<Answer>(act: () => Promise<Answer>): Promise<Answer> {
    const acting = act();
    this.#removing = acting.catch(() => {});
    try {
      return await acting;
    } finally {
      this.#removing = null;
    }
  }

  async #prune(): Promise<void> {
    const { ageMs, runsMax, bytesMax } = this.retention;
    if (ageMs !== null) await this.#removeAll({ endedBefore: this.#clock.now() - ageMs, keepMax: null, rowsMax });
    if (runsMax !== null) await this.#removeAll({ endedBefore: null, keepMax: runsMax, rowsMax });
    if (bytesMax !== null) await this.#shrink(bytesMax);
  }

  /** A little at a time, so that no more goes than must. */
  async #shrink(bytesMax: number): Promise<void> {
    for (let round = 0; round < roundsMax; round++) {
      const used = usedBytes(await this.#store.measure());
      this.#isFull = used > bytesMax * refuseAbove;
      if (used <= bytesMax * pruneAbove) break;
      // What is on record goes before runs do, down to a share of the budget.
      const keepMax = Math.ceil((bytesMax * auditShare) / auditRowBytes);
      if (await this.#ownership.pruneAudit({ before: 0, keepMax, rowsMax })) continue;
      const { runs } = await this.#remove({ endedBefore: null, keepMax: null, rowsMax: this.#rows });
      if (runs.length === 0) break;
      this.#rows = Math.min(rowsMax, this.#rows * 2);
    }
    if (!this.#isFull) this.#rows = rowsMin;
  }

  async #removeAll(query: PruneQuery): Promise<void> {
    for (let round = 0; round < roundsMax; round++) if ((await this.#remove(query)).runs.length === 0) break;
  }

  async #remove(query: PruneQuery): Promise<Prunable> {
    const found = await this.#ownership.listPrunable(query);
    if (found.runs.length > 0) await this.#executor.write({ pruned: found.runs });
    return found;
  }
}

function cannotGo(run: RunId, why: string, hint: string): StepwellError {
  const details = { code: "not_removable" };
  return new StepwellError("REFUSED", `Run ${run} cannot be removed: ${why}.`, { hint, details });
}

/** Free pages are written again before the file grows. */
function usedBytes({ fileBytes, walBytes, freeBytes }: Space): number {
  return fileBytes + walBytes - freeBytes;
}
