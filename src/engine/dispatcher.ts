// Which ready row is called next. Round-robin over runs, so that a fork of a hundred thousand branches does not keep a
// run of one step waiting; bounded in all, per tool, per workflow and per user, by how many are under way and by how often.
// A row that finds no room is parked under the limit that stopped it, and is looked at again when a call under that limit
// is over, or its time has come: nothing is searched.

import { LiveMap, LiveSet } from "../live-map.ts";
import type { RowId, RunId } from "../run/model.ts";
import type { CallRates, RateLimits } from "./call-rates.ts";
import type { Clock, Timer } from "./clock.ts";

export type CallLimits = RateLimits & {
  /** Calls under way at once. */
  readonly calls: number;
  readonly callsPerTool: Readonly<Record<string, number>>;
  readonly callsPerWorkflow: number | null;
  readonly callsPerUser: number | null;
};

export const defaultCallLimits: CallLimits = {
  // A call under way costs a row in memory and a timer; a thousand keep both cores of a small machine busy.
  calls: 1000,
  callsPerTool: {},
  callsPerWorkflow: null,
  callsPerUser: null,
  ratePerTool: {},
  ratePerUser: null,
};

export type QueueFigures = {
  /** Rows that wait to be called. */
  readonly ready: number;
  readonly oldestReady: RowId | null;
  readonly callsMax: number;
};

/** What a call counts against. */
export type Claimant = {
  readonly row: RowId;
  /** By the name that the flow has for it. */
  readonly tool: string | null;
  readonly workflow: string;
  readonly user: string;
};

/** The full name of a tool that may be written in a shorter one. */
type NameOf = (tool: string) => string;

type Keys = readonly (readonly [key: string, max: number])[];

/** Rows of one run; those before `head` have had their turn. */
type Queue = { readonly rows: RowId[]; head: number };

type Place = { readonly run: RunId; readonly row: RowId };

/** How often tools may be called, and who is told of rows whose time has come. */
export type Pace = {
  readonly rates: CallRates;
  readonly after: Clock["after"];
  readonly offer: (run: RunId, row: RowId) => void;
};

export class Dispatcher {
  readonly #limits: CallLimits;
  readonly #pace: Pace | null;
  readonly #nameOf: NameOf;
  readonly #isPerTool: boolean;
  /** What the calls under way count for, by the names that tools had when these began; only where tools have limits. */
  readonly #names = new LiveMap<RowId, string>();
  /** Rows that wait, by run; the run that was served goes to the end. */
  readonly #queues = new LiveMap<RunId, Queue>();
  /** All that stand in a queue: the poll finds them again and again. */
  readonly #queued = new LiveSet<RowId>();
  readonly #parked = new Map<string, Place[]>();
  readonly #parkedRows = new Set<RowId>();
  /** Rows that were parked and have their turn, with the limit that has room for one: it goes on if they cannot use it. */
  readonly #called = new Map<RowId, string>();
  readonly #counts = new Map<string, number>();
  /** For the first that is parked under a rate. */
  readonly #timers = new Map<string, Timer>();
  #underWay = 0;

  /** `pace`: null where nothing limits how often. */
  constructor(limits: CallLimits, pace: Pace | null = null, nameOf: NameOf = (tool) => tool) {
    this.#limits = limits;
    this.#pace = pace;
    this.#nameOf = nameOf;
    this.#isPerTool = Object.keys(limits.callsPerTool).length > 0;
  }

  get hasNext(): boolean {
    return this.#queues.size > 0 && this.#underWay < this.#limits.calls;
  }

  get figures(): QueueFigures {
    // Each of them in the order in which they came.
    const [queued] = this.#queued;
    const [parked] = this.#parkedRows;
    const oldest = Math.min(queued ?? Number.POSITIVE_INFINITY, parked ?? Number.POSITIVE_INFINITY);
    return {
      ready: this.#queued.size + this.#parkedRows.size,
      oldestReady: Number.isFinite(oldest) ? oldest : null,
      callsMax: this.#limits.calls,
    };
  }

  get underWay(): number {
    return this.#underWay;
  }

  /** The row waits to be admitted. */
  add(run: RunId, row: RowId): void {
    if (this.#parkedRows.has(row) || this.#queued.has(row)) return;
    this.#queued.add(row);
    const queue = this.#queues.get(run);
    if (queue === undefined) this.#queues.set(run, { rows: [row], head: 0 });
    else queue.rows.push(row);
  }

  /** The next row whose turn it is. */
  next(): Place | undefined {
    if (!this.hasNext) return undefined;
    for (const [run, queue] of this.#queues) {
      const row = queue.rows[queue.head];
      queue.head += 1;
      const hasMore = queue.head < queue.rows.length;
      // The only one is the last one too.
      if (!hasMore || this.#queues.size > 1) this.#queues.delete(run);
      if (hasMore) this.#queues.set(run, queue);
      if (row === undefined) continue;
      this.#queued.delete(row);
      return { run, row };
    }
    return undefined;
  }

  /** Runs that have their turn soon. */
  peek(runsMax: number): readonly RunId[] {
    const runs: RunId[] = [];
    for (const run of this.#queues.keys()) {
      if (runs.length === runsMax) break;
      runs.push(run);
    }
    return runs;
  }

  /** True: there is room, and it is taken. False: the row is parked until there is. */
  take(place: Place, claimant: Claimant): boolean {
    const keys = this.#keysOf(claimant);
    const stop = keys.find(([key, max]) => (this.#counts.get(key) ?? 0) >= max)?.[0];
    const tooOften = stop === undefined ? this.#findTooOften(place.row, claimant) : undefined;
    if (stop !== undefined || tooOften !== undefined) {
      this.#park(place, stop ?? tooOften ?? "");
      if (tooOften !== undefined) this.#wait(tooOften);
      return false;
    }
    this.#draw(place.row, claimant);
    this.#called.delete(place.row);
    this.#count(claimant, keys);
    return true;
  }

  #count({ row, tool }: Claimant, keys: Keys): void {
    if (this.#isPerTool && tool !== null) this.#names.set(row, this.#fullName(row, tool));
    for (const [key] of keys) this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    this.#underWay += 1;
  }

  /** Another tool may have come by that name since. */
  #fullName(row: RowId, tool: string): string {
    return this.#names.get(row) ?? this.#nameOf(tool);
  }

  #park(place: Place, key: string): void {
    const parked = this.#parked.get(key);
    if (parked === undefined) this.#parked.set(key, [place]);
    else parked.push(place);
    this.#parkedRows.add(place.row);
    this.drop(place.row, key);
  }

  /** The rate that stops it: there is no room, or others wait for it already. Whoever was called has its place. */
  #findTooOften(row: RowId, claimant: Claimant): string | undefined {
    const rates = this.#pace?.rates;
    if (rates === undefined) return undefined;
    const called = this.#called.get(row);
    return rates.keysOf(claimant).find((key) => key !== called && (this.#parked.has(key) || rates.roomFor(key) < 1));
  }

  #draw(row: RowId, claimant: Claimant): void {
    const rates = this.#pace?.rates;
    const called = this.#called.get(row);
    for (const key of rates?.keysOf(claimant) ?? []) if (key !== called) rates?.take(key);
  }

  /** Until there is room for one that is parked under this rate. */
  #wait(key: string): void {
    const pace = this.#pace;
    if (pace === null || this.#timers.has(key)) return;
    this.#timers.set(
      key,
      pace.after(pace.rates.waitMs(key), () => {
        this.#timers.delete(key);
        for (let room = pace.rates.roomFor(key); room > 0 && this.#parked.has(key); room--) {
          // Its place is taken before it is called: nobody else finds it free meanwhile.
          pace.rates.take(key);
          this.#callNext(key);
        }
        if (this.#parked.has(key)) this.#wait(key);
      }),
    );
  }

  /** The row that was given out is not called: whoever is parked behind it under the same limit has its turn. */
  drop(row: RowId, stoppedBy: string | null = null): void {
    const key = this.#called.get(row);
    this.#called.delete(row);
    if (key !== undefined && key !== stoppedBy) this.#callNext(key);
  }

  /** Was admitted, and is not called after all: that counts against no rate. */
  takeBack(claimant: Claimant): void {
    this.release(claimant);
    for (const key of this.#pace?.rates.keysOf(claimant) ?? []) this.#callNext(key);
  }

  /** Nothing is called any more. */
  rest(): void {
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }

  /** A call is over. */
  release(claimant: Claimant): void {
    this.#underWay -= 1;
    for (const [key] of this.#keysOf(claimant)) {
      this.#counts.set(key, (this.#counts.get(key) ?? 1) - 1);
      this.#callNext(key);
    }
    this.#names.delete(claimant.row);
  }

  /** There is room under this limit: the first that is parked there waits in its run's queue again. */
  #callNext(key: string): void {
    const parked = this.#parked.get(key);
    const place = parked?.shift();
    if (parked?.length === 0) this.#parked.delete(key);
    const isRate = this.#pace?.rates.isRate(key) ?? false;
    if (place === undefined) {
      if (isRate) this.#pace?.rates.giveBack(key);
      return;
    }
    this.#parkedRows.delete(place.row);
    this.#called.set(place.row, key);
    if (isRate) this.#pace?.offer(place.run, place.row);
    else this.add(place.run, place.row);
  }

  /** Memory was lost: only the calls that are under way count. */
  reset(underWay: Iterable<Claimant>): void {
    this.#queues.clear();
    this.#queued.clear();
    this.#parked.clear();
    this.#parkedRows.clear();
    this.#called.clear();
    this.#counts.clear();
    this.rest();
    this.#underWay = 0;
    const claimants = [...underWay];
    const rows = new Set(claimants.map(({ row }) => row));
    for (const row of this.#names.keys()) if (!rows.has(row)) this.#names.delete(row);
    for (const claimant of claimants) this.#count(claimant, this.#keysOf(claimant));
  }

  /** The limits that apply; most calls have none of their own. */
  #keysOf({ row, tool, workflow, user }: Claimant): Keys {
    const { callsPerWorkflow, callsPerUser } = this.#limits;
    const name = tool === null || !this.#isPerTool ? null : this.#fullName(row, tool);
    const perTool = name === null ? undefined : this.#limitOf(name);
    if (perTool === undefined && callsPerWorkflow === null && callsPerUser === null) return [];
    const keys: [string, number][] = [];
    if (perTool !== undefined) keys.push([`tool:${name ?? ""}`, perTool]);
    if (callsPerWorkflow !== null) keys.push([`workflow:${workflow}`, callsPerWorkflow]);
    if (callsPerUser !== null) keys.push([`user:${user}`, callsPerUser]);
    return keys;
  }

  /** By its full name; else by a shorter one, as flows may write it. */
  #limitOf(name: string): number | undefined {
    const { callsPerTool } = this.#limits;
    if (Object.hasOwn(callsPerTool, name)) return callsPerTool[name];
    return Object.entries(callsPerTool).find(([tool]) => this.#nameOf(tool) === name)?.[1];
  }
}
