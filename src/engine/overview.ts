// What is going on, for people and for what watches in their place: runs by what is in them, what is due, what was
// counted. Whoever may see only their own runs is told of nothing else.

import { setImmediate as takeTurn } from "node:timers/promises";
import type { Asker } from "../access/permission.ts";
import { StepwellError } from "../error.ts";
import {
  hasEnded,
  type AlarmKind,
  type Row,
  type RowId,
  type RunId,
  type RunRow,
  type RunStatus,
} from "../run/model.ts";
import { looksMax, searchRuns, type RunPage, type RunSearch, type Searched } from "../store/search.ts";
import type { RunQuery, Space, Store } from "../store/store.ts";
import type { Clock } from "./clock.ts";
import type { OwnerFigures } from "./owner.ts";
import { checkRight, checkWholeRight, listOwnRuns } from "./readers.ts";

export type OverviewParts = {
  readonly store: Store;
  readonly clock: Clock;
  /** null: the program itself. */
  readonly asker: Asker | null;
  readonly counted: () => SeatFigures;
  readonly mask: (text: string) => string;
};

/** Of the owner's, all or nothing: another process may do the work. */
export type SeatFigures = { readonly followers: number } & Partial<OwnerFigures>;

export type Figures = SeatFigures & {
  readonly live: Partial<Record<RunStatus, number>>;
  /** The number of the newest commit of the store. */
  readonly commits: number;
  readonly space: Space;
};

/** Something that will happen by itself. */
export type Upcoming = {
  readonly run: RunId;
  readonly name: string;
  readonly createdBy: string;
  /** null: of the run itself. */
  readonly step: { readonly id: RowId; readonly name: string } | null;
  readonly kind: AlarmKind;
  readonly dueAt: number;
};

export type Stats = {
  readonly since: number;
  readonly runs: number;
  readonly statuses: Partial<Record<RunStatus, number>>;
  /** By their names, those with most runs first. */
  readonly workflows: readonly WorkflowStats[];
  /** false: there were so many that only the newest were counted. */
  readonly isComplete: boolean;
};

type WorkflowStats = {
  readonly name: string;
  readonly runs: number;
  readonly statuses: Partial<Record<RunStatus, number>>;
};

const dayMs = 24 * 60 * 60_000;
const headsMax = 2000;
const namesMax = 200;
/** Asked for at the same time. */
const atOnceMax = 16;

export class Overview {
  readonly #parts: OverviewParts;

  constructor(parts: OverviewParts) {
    this.#parts = parts;
  }

  /** Runs by what is in them, newest first; `next` says where to go on. */
  async search({ status = null, limitMax = 50, ...rest }: Partial<RunSearch> = {}): Promise<RunPage> {
    return searchRuns(await this.#readable(), { ...rest, status, limitMax });
  }

  /** What will happen by itself, soonest first. */
  async alarms({ limitMax = 1000 }: { readonly limitMax?: number } = {}): Promise<readonly Upcoming[]> {
    const { store } = this.#parts;
    const user = await this.#narrowTo();
    const places =
      user === null
        ? await store.listNextDue(limitMax)
        : (await listOwnRuns(store, user, { status: "live", limitMax })).map(({ run }) => ({ run: run.id }));
    const runs = [...new Set(places.map(({ run }) => run))];
    const found = await forEach(runs, async (run) =>
      alarmsOf((await store.findRun(run))?.run, await store.listRows(run)),
    );
    return found
      .flat()
      .toSorted((one, other) => one.dueAt - other.dueAt)
      .slice(0, limitMax);
  }

  /** Runs since an instant, by status and by name; of a day unless said otherwise. */
  async stats({ since = this.#parts.clock.now() - dayMs }: { readonly since?: number } = {}): Promise<Stats> {
    const { store } = this.#parts;
    const user = await this.#narrowTo();
    const workflows = new Map<string, Partial<Record<RunStatus, number>>>();
    let before = Number.MAX_SAFE_INTEGER;
    let looked = 0;
    for (let isMore = true; isMore && looked < looksMax; looked += headsMax) {
      const heads = await store.listHeads(before, headsMax);
      const counted = heads.filter(({ createdAt, createdBy }) => {
        return createdAt >= since && (user === null || createdBy === user);
      });
      for (const { name, status } of counted) {
        const statuses = workflows.get(name) ?? {};
        workflows.set(name, { ...statuses, [status]: (statuses[status] ?? 0) + 1 });
      }
      before = heads.at(-1)?.id ?? 0;
      // A file answers at once: without a pause nobody else would get a turn until the end.
      await takeTurn();
      isMore = heads.length === headsMax && heads.some(({ createdAt }) => createdAt >= since);
    }
    return toStats(workflows, { since, isComplete: looked < looksMax });
  }

  /** What this process has counted, and the store. */
  async figures(): Promise<Figures> {
    const { store, asker, counted } = this.#parts;
    if (asker !== null) await checkWholeRight(store, asker, "read");
    const [live, commits, space] = await Promise.all([store.countLive(), store.lastCommit(), store.measure()]);
    return { ...counted(), live, commits, space };
  }

  /** For what the program writes into its log: without the secrets that are known. A user could find out by it what they
   *  are. */
  mask(text: string): string {
    const { asker, mask } = this.#parts;
    if (asker !== null)
      throw new StepwellError("NOT_ALLOWED", "Only the program that has opened the engine may do this.");
    return mask(text);
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

/** So many at a time that a server of databases is kept busy. */
async function forEach<Item, Result>(
  items: readonly Item[],
  act: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const waiting = items.values();
  const work = async (): Promise<void> => {
    for (const item of waiting) results.push(await act(item));
  };
  await Promise.all(Array.from({ length: Math.min(atOnceMax, items.length) }, work));
  return results;
}

function alarmsOf(run: RunRow | undefined, rows: readonly Row[]): readonly Upcoming[] {
  if (run === undefined || hasEnded(run)) return [];
  const whose = { run: run.id, name: run.name, createdBy: run.createdBy };
  const ofRows = rows.flatMap(({ id, name, alarms }) =>
    alarms
      // The run's own stand on its first row as well.
      .filter(({ kind }) => kind !== "start" && kind !== "run_timeout")
      .map(({ kind, at }) => ({ ...whose, step: { id, name }, kind, dueAt: at })),
  );
  return [...run.alarms.map(({ kind, at }) => ({ ...whose, step: null, kind, dueAt: at })), ...ofRows];
}

type Counted = ReadonlyMap<string, Partial<Record<RunStatus, number>>>;

function toStats(counted: Counted, rest: Pick<Stats, "since" | "isComplete">): Stats {
  const all = [...counted].map(([name, statuses]) => {
    return { name, statuses, runs: Object.values(statuses).reduce((sum, runs) => sum + runs, 0) };
  });
  const statuses: Partial<Record<RunStatus, number>> = {};
  for (const workflow of all)
    for (const [status, runs] of Object.entries(workflow.statuses) as [RunStatus, number][])
      statuses[status] = (statuses[status] ?? 0) + runs;
  return {
    ...rest,
    runs: all.reduce((sum, { runs }) => sum + runs, 0),
    statuses,
    workflows: all.toSorted((one, other) => other.runs - one.runs).slice(0, namesMax),
  };
}
