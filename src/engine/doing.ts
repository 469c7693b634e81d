// What a run that goes on is about: it works, or all that it does is to wait, for a person, an event or a time. From the
// counts of its steps and the few rows that may wait; whole runs are not read.

import { isLive, type RunId, type RunRow } from "../run/model.ts";
import type { Brief, BriefRow, StatusCounts } from "../store/brief.ts";
import type { Store } from "../store/store.ts";

/** `rest`: a machine is in a state, and nobody has to do anything about it. */
export type Doing = "work" | "person" | "retry" | "event" | "sleep" | "rest";

/** Steps that wait, by what for; `choice`: it is over, and a person says what follows. All others are `pending`. */
type WaitCounts = { readonly [what in Exclude<Doing, "work"> | "choice"]?: number };

/** What is said of the steps of one run. */
export type StepSums = { readonly statuses: StatusCounts; readonly waits: WaitCounts; readonly doing: Doing };

export const noSteps: StepSums = { statuses: {}, waits: {}, doing: "work" };

/** So many rows of each run are looked at: one in which more wait is told by the first of them. */
const rowsMax = 50;

export async function sumSteps(
  store: Pick<Store, "countSteps" | "listWaits">,
  runs: readonly RunRow[],
): Promise<ReadonlyMap<RunId, StepSums>> {
  const going = runs.filter(({ status }) => status === "running").map(({ id }) => id);
  const [counts, waits] = await Promise.all([
    store.countSteps(runs.map(({ id }) => id)),
    store.listWaits({ runs: going, limitMax: rowsMax }),
  ]);
  return new Map(runs.map((run) => [run.id, sumRun(run, counts.get(run.id) ?? {}, waits.get(run.id) ?? [])]));
}

function sumRun(
  run: Pick<RunRow, "attention" | "data">,
  statuses: StatusCounts,
  briefs: readonly Pick<Brief, "row">[],
): StepSums {
  const rows = briefs.map(({ row }) => row);
  const probed = new Set(rows.filter((row) => row.role === "probe" && isLive(row)).map(({ serves }) => serves));
  const waits: { -readonly [what in keyof WaitCounts]: WaitCounts[what] } = {};
  let isPersons = run.attention !== null;
  for (const row of rows) {
    const isMine = needsPerson(row) && !probed.has(row.id);
    isPersons ||= isMine;
    const what = isMine ? (isAtCrossroads(row) ? "choice" : "person") : waitOf(row, run.data !== null);
    // What nobody knows the end of has a status of its own.
    if (what !== null && row.role === "step" && row.status !== "uncertain") waits[what] = (waits[what] ?? 0) + 1;
  }
  return { statuses, waits, doing: isPersons ? "person" : doingOf(statuses, waits) };
}

function doingOf({ running = 0, ready = 0 }: StatusCounts, waits: WaitCounts): Doing {
  if (running + ready > 0) return "work";
  return (["retry", "event", "sleep", "rest"] as const).find((what) => (waits[what] ?? 0) > 0) ?? "work";
}

/** null: it has not begun, or others are at work for it. */
function waitOf(row: BriefRow, isMachine: boolean): "retry" | "event" | "sleep" | "rest" | null {
  if (row.status !== "pending" || row.firing !== null) return null;
  if (row.alarms.some(({ kind }) => kind === "retry")) return "retry";
  if (row.alarms.some(({ kind }) => kind === "sleep")) return "sleep";
  if (row.startedAt === null || row.childRun !== null || row.open !== null) return null;
  return isMachine ? "rest" : "event";
}

export function isOpenGate(row: BriefRow): boolean {
  return row.gate !== null && row.status === "pending" && isLive(row);
}

/** Nobody knows whether it happened; it was cut off too often; or undoing it failed. */
export function isUndecided(row: BriefRow): boolean {
  return row.status === "uncertain" || (row.isHeld && (row.status === "pending" || row.role === "undo"));
}

/** It is over, and nothing says what follows. */
export function isAtCrossroads(row: BriefRow): boolean {
  return row.isHeld && (row.status === "done" || row.status === "skipped");
}

export function needsPerson(row: BriefRow): boolean {
  return isOpenGate(row) || isUndecided(row) || isAtCrossroads(row);
}
