// Runs in memory: a cache, lost at any time without harm. A run stays while something of it is not on disk yet; what has
// ended goes at once, what only waits goes when there are too many.

import type { Plan } from "../flow/plan.ts";
import { LiveMap } from "../live-map.ts";
import type { MutableFrontier } from "../run/apply.ts";
import type { Claimant } from "./dispatcher.ts";
import { hasEnded, type Row, type RowId, type RunId, type RunRow } from "../run/model.ts";

export type HeldRun = {
  readonly id: RunId;
  readonly plan: Plan;
  /** Hash of its flow's version. */
  readonly flow: string;
  readonly frontier: MutableFrontier;
  /** The run's own row as it is on disk, or on its way there; null: not yet. */
  written: RunRow | null;
  /** Rows that may not be on disk yet, and a few that expressions are likely to name; with the batch that wrote them. */
  readonly recent: LiveMap<RowId, RecentRow>;
  /** The newest batch that has something of it. */
  batchNo: number;
  /** Expressions of its flow name earlier steps. */
  readonly looksBack: boolean;
};

/** A class, and not a literal: literals that have lived long a few times are made old by V8 from then on, and each of them
 *  would keep its row, and all that the row names, until the next full collection (docs/decisions/0027). */
class RecentRow {
  readonly row: Row;
  readonly batchNo: number;

  constructor(row: Row, batchNo: number) {
    this.row = row;
    this.batchNo = batchNo;
  }
}

/** How many finished rows of one run are kept at hand. */
const recentMax = 32;

export function createHeldRun(held: Pick<HeldRun, "plan" | "flow" | "frontier" | "written">): HeldRun {
  const { plan } = held;
  const frontier = { ...held.frontier, rows: new LiveMap(held.frontier.rows) };
  return { ...held, frontier, id: frontier.run.id, recent: new LiveMap(), batchNo: 0, looksBack: looksBack(plan) };
}

/** What a call of the run counts against. */
export function claimantOf({ frontier }: HeldRun, row: RowId, tool: string | null): Claimant {
  const { name, createdBy } = frontier.run;
  return { row, tool, workflow: name, user: createdBy };
}

const plansSeen = new WeakMap<Plan, boolean>();

function looksBack(plan: Plan): boolean {
  const known = plansSeen.get(plan);
  if (known !== undefined) return known;
  const does = Object.values(plan.steps).some((step) => {
    const isEach = (step.kind === "tool" || step.kind === "flow") && step.each !== null;
    return isEach || step.inputFrom !== null || step.mentions === "all" || step.mentions.length > 0;
  });
  plansSeen.set(plan, does);
  return does;
}

/** What is on disk need not be kept, but for the newest rows of a flow that looks back, and lists of open eaches. */
function forgetWritten(held: HeldRun, committedNo: number): void {
  const { recent, frontier, looksBack: keeps } = held;
  if (!keeps && held.batchNo <= committedNo) return recent.clear();
  let excess = keeps ? recent.size - recentMax : recent.size;
  if (excess <= 0) return;
  for (const [id, { row, batchNo }] of recent) {
    if (excess <= 0) return;
    const isList = row.role === "items" && row.serves !== null && frontier.rows.has(row.serves);
    if (batchNo > committedNo || isList) continue;
    recent.delete(id);
    excess -= 1;
  }
}

/** A row as this batch writes it. */
export function noteRecent({ recent }: HeldRun, row: Row, batchNo: number): void {
  recent.set(row.id, new RecentRow(row, batchNo));
}

/** A row that is on disk as it is here. */
export function keepRecent(held: HeldRun, row: Row): void {
  if (!held.recent.has(row.id)) noteRecent(held, row, 0);
}

/** Nothing of this run happens until an instant far off, or somebody outside acts. */
function isAsleep({ frontier }: HeldRun): boolean {
  return frontier.run.status === "scheduled" || hasEnded(frontier.run);
}

export class RunCache {
  readonly #held = new LiveMap<RunId, HeldRun>();
  readonly #runsMax: number;
  /** Commits until it is worth looking again for runs to give up. */
  #patience = 0;

  constructor(runsMax: number) {
    this.#runsMax = runsMax;
  }

  get size(): number {
    return this.#held.size;
  }

  find(run: RunId): HeldRun | undefined {
    return this.#held.get(run);
  }

  hold(held: HeldRun): void {
    this.#held.set(held.id, held);
  }

  /** After a commit: what rests is given up, and of the others the ones that were held first, when there are too many. */
  release(touched: Iterable<HeldRun>, committedNo: number): void {
    for (const held of touched) {
      if (held.batchNo <= committedNo && isAsleep(held)) this.#held.delete(held.id);
      else forgetWritten(held, committedNo);
    }
    if (this.#held.size <= this.#runsMax) return;
    this.#patience -= 1;
    if (this.#patience <= 0) this.#shrink(committedNo);
  }

  #shrink(committedNo: number): void {
    let excess = this.#held.size - this.#runsMax;
    for (const [id, held] of this.#held) {
      if (excess <= 0) break;
      if (held.batchNo > committedNo || hasCalls(held)) continue;
      this.#held.delete(id);
      excess -= 1;
    }
    // All of them busy: looking again at every commit would cost more than they do.
    this.#patience = excess <= 0 ? 0 : Math.ceil(this.#held.size / 100);
  }

  clear(): void {
    this.#held.clear();
  }
}

/** A run with calls under way is needed again soon. */
function hasCalls({ frontier }: HeldRun): boolean {
  for (const { status } of frontier.rows.values()) if (status === "running") return true;
  return false;
}
