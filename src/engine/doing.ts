// What a run that goes on is about: a call of it is under way, or all that it does is to wait, for a person, an event or a
// time. A step that is open for items or for a sub-run is no work by itself: what is below it decides, one run deep. From
// the few rows that may wait; whole runs are not read.

import { setImmediate as takeTurn } from "node:timers/promises";
import { isLive, type RunId, type RunRow } from "../run/model.ts";
import type { BriefRow, Standing, StatusCounts } from "../store/brief.ts";
import type { Store } from "../store/store.ts";

/** `rest`: a machine is in a state, and nobody has to do anything about it. */
export type Doing = "work" | "person" | "retry" | "event" | "sleep" | "rest";

/** Steps that wait, by what for; `choice`: it is over, and a person says what follows. All others are `pending`. */
type WaitCounts = { readonly [what in Exclude<Doing, "work"> | "choice"]?: number };

/** What is said of the steps of one run. */
export type StepSums = { readonly statuses: StatusCounts; readonly waits: WaitCounts; readonly doing: Doing };

export const noSteps: StepSums = { statuses: {}, waits: {}, doing: "work" };

/** So many rows of each run are looked at: one in which more wait is told by these, and those that need a person come
 *  first. */
const rowsMax = 50;
/** So many of its sub-runs, the oldest that go on. */
const childrenMax = 20;
/** So many runs at once: a file answers at once, and others have their turn in between. */
const partMax = 10;

type Asked = Pick<Store, "countSteps" | "listStandings">;

export async function sumSteps(store: Asked, runs: readonly RunRow[]): Promise<ReadonlyMap<RunId, StepSums>> {
  return inParts(runs, async (part) => {
    const going = part.filter(({ status }) => status === "running").map(({ id }) => id);
    const counts = await store.countSteps(part.map(({ id }) => id));
    const told = await lookAt(store, going);
    return part.map(({ id }) => [id, { ...noSteps, ...told.get(id), statuses: counts.get(id) ?? {} }]);
  });
}

/** What runs that go on are about, and nothing else: to count their steps costs three times as much. */
export async function listDoings(
  store: Pick<Asked, "listStandings">,
  runs: readonly RunId[],
): Promise<ReadonlyMap<RunId, Doing>> {
  return inParts(runs, async (part) => [...(await lookAt(store, part))].map(([id, { doing }]) => [id, doing]));
}

async function inParts<Given, Found>(
  all: readonly Given[],
  tell: (part: readonly Given[]) => Promise<readonly (readonly [RunId, Found])[]>,
): Promise<ReadonlyMap<RunId, Found>> {
  const told = new Map<RunId, Found>();
  for (let from = 0; from < all.length; from += partMax) {
    if (from > 0) await takeTurn();
    for (const [id, one] of await tell(all.slice(from, from + partMax))) told.set(id, one);
  }
  return told;
}

type Look = Pick<StepSums, "waits" | "doing">;

async function lookAt(store: Pick<Asked, "listStandings">, runs: readonly RunId[]): Promise<ReadonlyMap<RunId, Look>> {
  const standings = await store.listStandings({ runs, limitMax: rowsMax });
  const own = [...standings].map(([id, standing]) => ({ id, ...tellRun(standing) }));
  const children = await inParts(
    own.flatMap((look) => look.children),
    async (part) =>
      [...(await store.listStandings({ runs: part, limitMax: rowsMax }))].map(([id, child]) => [id, tellChild(child)]),
  );
  return new Map(
    own.map(({ id, waits, reasons, children: ids }) => {
      return [id, { waits, doing: firstOf([...reasons, ...ids.map((child) => children.get(child) ?? "work")]) }];
    }),
  );
}

/** What a run is about, if several things are to be said of it. */
function firstOf(reasons: readonly Doing[]): Doing {
  const all = new Set(reasons);
  return (["person", "work", "retry", "event", "sleep", "rest"] as const).find((what) => all.has(what)) ?? "work";
}

/** Whoever has started it waits for it; the inbox asks for what it needs in its own name. Of the runs below it nothing is
 *  known: they may work. */
function tellChild(child: Standing): Doing {
  if (child.status === "paused") return "event";
  const { reasons, children } = tellRun(child);
  const doing = firstOf(children.length > 0 ? [...reasons, "work"] : reasons);
  return doing === "person" || doing === "rest" ? "event" : doing;
}

type Told = {
  readonly waits: WaitCounts;
  readonly reasons: readonly Doing[];
  /** To be looked at, since nothing else decides it. */
  readonly children: readonly RunId[];
};

function tellRun({ rows, hasAttention, isMachine, isWorking }: Standing): Told {
  const probed = new Set(rows.filter((row) => row.role === "probe" && isLive(row)).map(({ serves }) => serves));
  const waits: { -readonly [what in keyof WaitCounts]: WaitCounts[what] } = {};
  const reasons = new Set<Doing>([
    ...(hasAttention ? ["person" as const] : []),
    ...(isWorking ? ["work" as const] : []),
  ]);
  for (const row of rows) {
    const isMine = needsPerson(row) && !probed.has(row.id);
    const what = isMine ? (isAtCrossroads(row) ? "choice" : "person") : waitOf(row, isMachine);
    if (what === null) continue;
    reasons.add(what === "choice" ? "person" : what);
    // What nobody knows the end of has a status of its own.
    if (row.role === "step" && row.status !== "uncertain") waits[what] = (waits[what] ?? 0) + 1;
  }
  const children = rows.flatMap(({ status, childRun }) =>
    status === "running" && childRun !== null ? [childRun] : [],
  );
  const isDecided = reasons.has("person") || reasons.has("work");
  return { waits, reasons: [...reasons], children: isDecided ? [] : children.slice(0, childrenMax) };
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
