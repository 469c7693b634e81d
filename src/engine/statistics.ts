// Runs since an instant, by status and by name: counted from their heads, newest first, a page at a time.

import { setImmediate as takeTurn } from "node:timers/promises";
import type { RunStatus } from "../run/model.ts";
import { looksMax } from "../store/search.ts";
import type { Store } from "../store/store.ts";

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

const headsMax = 2000;
const namesMax = 200;

/** `user` null: everybody's. */
export async function countRuns(
  store: Pick<Store, "listHeads">,
  { since, user }: { readonly since: number; readonly user: string | null },
): Promise<Stats> {
  const workflows = new Map<string, Partial<Record<RunStatus, number>>>();
  let before = Number.MAX_SAFE_INTEGER;
  let isMore = true;
  for (let looked = 0; isMore && looked < looksMax; looked += headsMax) {
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
  const [left] = isMore ? await store.listHeads(before, 1) : [];
  return toStats(workflows, { since, isComplete: left === undefined || left.createdAt < since });
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
