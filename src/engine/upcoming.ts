// What will happen by itself: of each place at which something is due, its own row is read, and of its run the head: whole
// runs may be large.

import { setImmediate as takeTurn } from "node:timers/promises";
import type { AlarmKind, RowId, RunId } from "../run/model.ts";
import type { DuePlace, RunHead, Store } from "../store/store.ts";

export type Upcoming = {
  readonly run: RunId;
  readonly name: string;
  readonly createdBy: string;
  /** null: of the run itself. */
  readonly step: { readonly id: RowId; readonly name: string } | null;
  readonly kind: AlarmKind;
  readonly dueAt: number;
};

type Read = Pick<Store, "listNextDue" | "listHeads" | "findRow">;

/** Asked for at the same time, so that a server of databases is kept busy; then others get their turn. */
const atOnce = 16;
/** Of so many places, the soonest, one user's own are picked. */
const looksMax = 20_000;

/** Soonest first. `user` null: everybody's. */
export async function listAlarms(
  store: Read,
  { limitMax, user }: { readonly limitMax: number; readonly user: string | null },
): Promise<readonly Upcoming[]> {
  // What begins a run stands on its first row as well, and is told once.
  const places = await store.listNextDue(user === null ? 2 * limitMax : looksMax);
  const heads = new Map<RunId, Promise<RunHead | undefined>>();
  const found: Upcoming[] = [];
  for (let at = 0; at < places.length; at += atOnce) {
    const soonest = places[at]?.dueAt ?? 0;
    // One row may have several: only what is due before all that is left is surely among the first.
    if (found.filter(({ dueAt }) => dueAt <= soonest).length >= limitMax) break;
    const next = places.slice(at, at + atOnce).map(async (place) => {
      const head = heads.get(place.run) ?? findHead(store, place.run);
      heads.set(place.run, head);
      const known = await head;
      return known === undefined || (user !== null && known.createdBy !== user) ? [] : alarmsAt(store, place, known);
    });
    for (const alarms of await Promise.all(next)) found.push(...alarms);
    await takeTurn();
  }
  return found.toSorted((one, other) => one.dueAt - other.dueAt).slice(0, limitMax);
}

async function findHead(store: Read, run: RunId): Promise<RunHead | undefined> {
  const [head] = await store.listHeads(run + 1, 1);
  return head?.id === run ? head : undefined;
}

async function alarmsAt(store: Read, { run, row, dueAt }: DuePlace, head: RunHead): Promise<readonly Upcoming[]> {
  const { name, createdBy, status } = head;
  const whose = { run, name, createdBy };
  // A run has one of its own: when it begins, or, once it has, when it must have ended.
  if (row === null) return [{ ...whose, step: null, kind: status === "scheduled" ? "start" : "run_timeout", dueAt }];
  const found = await store.findRow(row);
  if (found === undefined) return [];
  const { id, name: stepName, alarms } = found.row;
  return alarms
    .filter(({ kind }) => kind !== "start" && kind !== "run_timeout")
    .map(({ kind, at }) => ({ ...whose, step: { id, name: stepName }, kind, dueAt: at }));
}
