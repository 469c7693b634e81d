// What is going on, for people and for what watches in their place: runs by what is in them, what is due, what was
// counted. Whoever may see only their own runs is told of nothing else.

import type { Asker } from "../access/permission.ts";
import { StepwellError } from "../error.ts";
import type { RunStatus } from "../run/model.ts";
import { searchRuns, type RunPage, type RunSearch, type Searched } from "../store/search.ts";
import type { OwnerCard, RunQuery, Space, Store } from "../store/store.ts";
import type { Clock } from "./clock.ts";
import { findIds, type FoundIds } from "./find-ids.ts";
import { readTime, toZone, type ReadTime } from "./instant.ts";
import type { OwnerFigures } from "./owner-parts.ts";
import { checkRight, checkWholeRight, listOwnRuns } from "./readers.ts";
import { countRuns, type Stats } from "./statistics.ts";
import { listAlarms, type Upcoming } from "./upcoming.ts";

export type { Stats } from "./statistics.ts";
export type { Upcoming } from "./upcoming.ts";

export type OverviewParts = {
  readonly store: Store;
  readonly clock: Clock;
  /** In which times are read; null: the machine's. */
  readonly zone: string | null;
  /** null: the program itself. */
  readonly asker: Asker | null;
  readonly seat: { readonly figures: SeatFigures; readonly mask: (text: string) => string };
};

/** Of the owner's, all or nothing: another process may do the work. */
export type SeatFigures = { readonly followers: number } & Partial<OwnerFigures>;

export type Figures = SeatFigures & {
  readonly live: Partial<Record<RunStatus, number>>;
  /** The number of the newest commit of the store. */
  readonly commits: number;
  readonly space: Space;
  /** Who wrote last as an owner; it may have died since. */
  readonly owner: OwnerCard | null;
  /** Since when the row that has waited longest waits to be called; null: none does, or another process knows. */
  readonly oldestReadyAt: number | null;
};

const dayMs = 24 * 60 * 60_000;

export class Overview {
  readonly #parts: OverviewParts;

  constructor(parts: OverviewParts) {
    this.#parts = parts;
  }

  /** Runs by what is in them, newest first; `next` says where to go on. */
  async search({ status = null, limitMax = 50, ...rest }: Partial<RunSearch> = {}): Promise<RunPage> {
    return searchRuns(await this.#readable(), { ...rest, status, limitMax });
  }

  /** Which run or step is meant by an id, the beginning of a run's id, or a uid. */
  async find(text: string): Promise<FoundIds> {
    const user = await this.#narrowTo();
    return findIds(this.#parts.store, text, (createdBy) => user === null || createdBy === user);
  }

  /** What will happen by itself, soonest first. */
  async alarms({ limitMax = 1000 }: { readonly limitMax?: number } = {}): Promise<readonly Upcoming[]> {
    return listAlarms(this.#parts.store, { limitMax, user: await this.#narrowTo() });
  }

  /** Runs since an instant, by status and by name; of a day unless said otherwise. */
  async stats({ since = this.#parts.clock.now() - dayMs }: { readonly since?: number } = {}): Promise<Stats> {
    return countRuns(this.#parts.store, { since, user: await this.#narrowTo() });
  }

  /** What this process has counted, and the store. */
  async figures(): Promise<Figures> {
    const { store, asker, seat } = this.#parts;
    if (asker !== null) await checkWholeRight(store, asker, "read");
    const { figures } = seat;
    const [live, commits, space, owner, oldest] = await Promise.all([
      store.countLive(),
      store.lastCommit(),
      store.measure(),
      store.findOwner(),
      typeof figures.oldestReady === "number" ? store.findRow(figures.oldestReady) : undefined,
    ]);
    // On its way to be called: it is there in memory before it is on disk.
    const oldestReadyAt = oldest?.row.readyAt ?? null;
    return { ...figures, live, commits, space, owner: owner ?? null, oldestReadyAt };
  }

  /** Which instant is meant, as a start would understand it; throws when none is. */
  async readTime(text: string | number, { tz }: { readonly tz?: string | undefined } = {}): Promise<ReadTime> {
    const { store, clock, asker, zone } = this.#parts;
    if (asker !== null) await checkRight(store, asker, "read");
    return readTime(text, { now: clock.now(), zone: toZone(tz) ?? zone });
  }

  /** For what the program writes into its log: without the secrets that are known. A user could find out by it what they
   *  are. */
  mask(text: string): string {
    const { asker, seat } = this.#parts;
    if (asker !== null)
      throw new StepwellError("NOT_ALLOWED", "Only the program that has opened the engine may do this.");
    return seat.mask(text);
  }

  async #readable(): Promise<Searched> {
    const { store } = this.#parts;
    const user = await this.#narrowTo();
    if (user === null) return store;
    return {
      listRuns: (query: RunQuery) => listOwnRuns(store, user, query),
      listHeads: (before, limitMax) => store.listHeads(before, limitMax),
    };
  }

  /** null: all runs may be seen. */
  async #narrowTo(): Promise<string | null> {
    const { store, asker } = this.#parts;
    return asker !== null && (await checkRight(store, asker, "read")) === "own" ? asker.user : null;
  }
}
