// What went on in the last hours, from the heads of the newest runs; whole runs are read only of the few that failed or
// are under way. Bounded by what is looked at, whatever the store holds.

import { setImmediate as takeTurn } from "node:timers/promises";
import { StepwellError } from "../error.ts";
import { adviseZone, findZone, fromWall, toWall, type Zone } from "../flow/time/zone.ts";
import type { RunId, RunRow, RunStatus } from "../run/model.ts";
import { listDoings, noSteps, sumSteps, type Doing, type StepSums } from "./doing.ts";
import { searchRuns } from "../store/search.ts";
import type { RunHead, Store } from "../store/store.ts";
import { listAlarms, type Upcoming } from "./upcoming.ts";

export type OverviewQuery = {
  readonly hours: number;
  /** In which a day begins; UTC unless given. */
  readonly tz?: string;
};

export type RunOverview = {
  readonly now: number;
  readonly isComplete: boolean;
  readonly today: { readonly since: number; readonly runs: number; readonly failed: number };
  readonly hours: readonly Hour[];
  readonly workflows: readonly WorkflowFigures[];
  readonly failures: readonly FailureGroup[];
  readonly running: readonly Running[];
  readonly upcoming: readonly Upcoming[];
};

type Hour = {
  readonly from: number;
  readonly to: number;
  readonly statuses: Partial<Record<RunStatus, number>>;
  /** Of those that run. */
  readonly doing: Partial<Record<Doing, number>>;
};

/** `doing` null: it does not run, or is not among the newest that do. */
type Mark = RunHead & { readonly doing: Doing | null };

export type WorkflowFigures = {
  readonly name: string;
  readonly last: readonly Mark[];
  readonly runs: number;
  readonly successRate: number | null;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly nextAt: number | null;
};

type FailureGroup = {
  readonly message: string;
  readonly code: string;
  readonly workflow: string;
  readonly count: number;
  readonly lastId: RunId;
  readonly lastAt: number;
};

type Running = Pick<RunRow, "id" | "name" | "status" | "startedAt"> & { readonly sums: StepSums };

type Asked = OverviewQuery & { readonly now: number; readonly user: string | null };

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
/** So many of the newest runs are looked at. */
const headsMax = 5000;
const pageMax = 1000;
/** So many that failed are read whole, and so much of them. */
const failedMax = 500;
const failedBytesMax = 4 * 1024 * 1024;
const marksMax = 30;
const namesMax = 200;
const failuresMax = 10;
const runningMax = 10;
/** Of so many that run it is found out what they are about. */
const lookedAtMax = 200;
const runningBytesMax = 4 * 1024 * 1024;
const upcomingMax = 6;
const alarmsMax = 200;

export async function gatherOverview(store: Store, asked: Asked): Promise<RunOverview> {
  const { now, hours, user } = asked;
  const midnight = startOfDay(now, readZone(asked.tz));
  // Hours are whole ones; the last is the one that has just begun.
  const end = Math.floor(now / hourMs) * hourMs + hourMs;
  const since = end - hours * hourMs;
  const { heads, isComplete } = await listNewest(store, { since: Math.min(since, midnight), user });
  const [failures, { running, doing }, alarms] = await Promise.all([
    groupFailures(store, { since, user }),
    listRunning(store, user),
    listAlarms(store, { limitMax: alarmsMax, user }),
  ]);
  const marks = heads.map((head) => ({ ...head, doing: doing.get(head.id) ?? null }));
  // What begins later only has gone on at no time yet; it is told as upcoming.
  const begun = marks.filter(({ status }) => status !== "scheduled");
  const today = begun.filter(({ createdAt }) => createdAt >= midnight);
  return {
    now,
    isComplete,
    today: { since: midnight, runs: today.length, failed: today.filter(({ status }) => status === "failed").length },
    hours: countHours(begun, { since, hours }),
    workflows: toWorkflows(marks, alarms),
    failures,
    running,
    upcoming: alarms.slice(0, upcomingMax),
  };
}

function readZone(tz = "UTC"): Zone {
  const zone = findZone(tz);
  if (zone !== undefined) return zone;
  throw new StepwellError("INPUT_INVALID", `"tz": there is no time zone "${tz}".`, { hint: adviseZone(tz) });
}

function startOfDay(at: number, zone: Zone): number {
  return fromWall(zone, Math.floor(toWall(zone, at) / dayMs) * dayMs);
}

/** The newest so many, however old they are; complete: none that was made since then is missing. */
async function listNewest(
  store: Pick<Store, "listHeads">,
  { since, user }: { readonly since: number; readonly user: string | null },
): Promise<{ readonly heads: readonly RunHead[]; readonly isComplete: boolean }> {
  const heads: RunHead[] = [];
  let before = Number.MAX_SAFE_INTEGER;
  for (let looked = 0; looked < headsMax; looked += pageMax) {
    const page = await store.listHeads(before, pageMax);
    heads.push(...page.filter(({ createdBy }) => user === null || createdBy === user));
    before = page.at(-1)?.id ?? 0;
    if (page.length < pageMax) return { heads, isComplete: true };
    // A file answers at once: without a pause nobody else would get a turn until the end.
    await takeTurn();
  }
  const [next] = await store.listHeads(before, 1);
  return { heads, isComplete: next === undefined || next.createdAt < since };
}

function countHours(heads: readonly Mark[], { since, hours }: { since: number; hours: number }): readonly Hour[] {
  const counts = Array.from({ length: hours }, () => ({
    statuses: {} as Partial<Record<RunStatus, number>>,
    doing: {} as Partial<Record<Doing, number>>,
  }));
  for (const { createdAt, status, doing } of heads) {
    const count = counts[Math.floor((createdAt - since) / hourMs)];
    if (count === undefined) continue;
    count.statuses[status] = (count.statuses[status] ?? 0) + 1;
    if (doing !== null) count.doing[doing] = (count.doing[doing] ?? 0) + 1;
  }
  return counts.map((count, at) => ({ from: since + at * hourMs, to: since + (at + 1) * hourMs, ...count }));
}

function toWorkflows(heads: readonly Mark[], alarms: readonly Upcoming[]): readonly WorkflowFigures[] {
  const byName = Map.groupBy(heads, ({ name }) => name);
  return [...byName].slice(0, namesMax).map(([name, runs]) => {
    const next = alarms.find((alarm) => alarm.kind === "start" && alarm.name === name);
    return { name, last: runs.slice(0, marksMax), runs: runs.length, ...judge(runs), nextAt: next?.dueAt ?? null };
  });
}

function judge(runs: readonly RunHead[]): Pick<WorkflowFigures, "successRate" | "p50Ms" | "p95Ms"> {
  const ended = runs.filter(({ status }) => status === "completed" || status === "failed");
  // How a run ended is what its author says, not that it came to an end.
  const good = ended.filter(({ status, terminalKind }) => status === "completed" && terminalKind !== "failure");
  const times = ended.flatMap(({ startedAt, completedAt }) =>
    startedAt === null || completedAt === null ? [] : [completedAt - startedAt],
  );
  const sorted = times.toSorted((one, other) => one - other);
  const successRate = ended.length === 0 ? null : good.length / ended.length;
  return { successRate, p50Ms: quantile(sorted, 0.5), p95Ms: quantile(sorted, 0.95) };
}

/** The least that so great a part of them does not exceed. */
function quantile(sorted: readonly number[], part: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? null;
}

type Part = { readonly since: number; readonly user: string | null };

function readable(user: string | null): { readonly createdBy?: string } {
  return user === null ? {} : { createdBy: user };
}

async function groupFailures(store: Store, { since, user }: Part): Promise<readonly FailureGroup[]> {
  const { runs } = await searchRuns(store, {
    status: "failed",
    createdAfter: since,
    limitMax: failedMax,
    bytesMax: failedBytesMax,
    ...readable(user),
  });
  const groups = new Map<string, FailureGroup>();
  for (const { run } of runs) {
    const { code = "", message = "No reason is known" } = run.error ?? {};
    const key = JSON.stringify([run.name, message]);
    const known = groups.get(key);
    const newest = { message, code, workflow: run.name, lastId: run.id, lastAt: run.completedAt ?? run.createdAt };
    // Newest first: the first of its kind is the last that happened.
    groups.set(key, known === undefined ? { ...newest, count: 1 } : { ...known, count: known.count + 1 });
  }
  return [...groups.values()].toSorted((one, other) => other.count - one.count).slice(0, failuresMax);
}

type Going = {
  /** The newest, with their steps. */
  readonly running: readonly Running[];
  /** Of more of them. */
  readonly doing: ReadonlyMap<RunId, Doing>;
};

async function listRunning(store: Store, user: string | null): Promise<Going> {
  const found = await searchRuns(store, {
    status: "running",
    limitMax: lookedAtMax,
    bytesMax: runningBytesMax,
    ...readable(user),
  });
  const runs = found.runs.map(({ run }) => run);
  const shown = runs.slice(0, runningMax);
  const sums = await sumSteps(store, shown);
  const others = await listDoings(
    store,
    runs.slice(runningMax).map(({ id }) => id),
  );
  const running = shown.map(({ id, name, status, startedAt }) => {
    return { id, name, status, startedAt, sums: sums.get(id) ?? noSteps };
  });
  return { running, doing: new Map([...running.map(({ id, sums: { doing } }) => [id, doing] as const), ...others]) };
}
