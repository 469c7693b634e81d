// What is due, found by the store's own queries. In memory there is only who was told already, and until when the calls
// under way may take: those deadlines have no timer in the rows but the one of whoever calls.

import type { DatabaseSync } from "node:sqlite";
import type { RowId, RunId } from "../../../run/model.ts";
import type { OracleName } from "../oracles/oracle.ts";
import type { Agenda, Write } from "../store.ts";
import type { World } from "../world.ts";
import type { StoreCode } from "./code.ts";

/** More than there ever are. */
const dueMax = 1000;
/** So often in a row a run may be found due and have nothing to do: what it waited for was settled meanwhile. */
const idleMax = 20;

export function createAgenda(world: World, database: DatabaseSync, code: StoreCode): Agenda {
  const told = new Set<RunId>();
  const deadlines = new Map<RowId, number>();
  const idle = new Map<RunId, number>();
  const isAnyOver = (now: number): boolean => [...deadlines.values()].some((at) => at <= now);
  const find = (now: number): readonly RunId[] => {
    const overdue = isAnyOver(now) ? code.listOverdue(database, now, dueMax) : [];
    return [...code.listDue(database, now, dueMax), ...overdue].filter((run) => !told.has(run));
  };
  const judge = (run: RunId, writes: readonly Write[]): void => {
    const count = writes.some((write) => write.run === run && hasActed(write)) ? 0 : (idle.get(run) ?? 0) + 1;
    idle.set(run, count);
    const oracle: OracleName = "due is done";
    if (count > idleMax) world.violate(oracle, `run ${run} is found due again and again, and has nothing to do`);
  };
  /** When to look next, as it was at an instant; undefined: the rows have changed since. */
  let known: { readonly now: number; readonly next: number | undefined } | undefined;
  const look = (now: number): number | undefined => {
    const first = code.nextDueAt(database, 0);
    const isDue = first !== undefined && first <= now;
    if ((isDue || isAnyOver(now)) && find(now).length > 0) return now;
    let next = isDue ? code.nextDueAt(database, now) : first;
    for (const at of deadlines.values()) if (at > now && (next === undefined || at < next)) next = at;
    return next;
  };
  return {
    note: () => {},
    settled(alarmed, writes) {
      known = undefined;
      for (const { decision } of writes) noteDeadlines(deadlines, decision.changes.rows);
      for (const run of alarmed) {
        told.delete(run);
        judge(run, writes);
      }
    },
    nextAt(now) {
      const isKnown = known !== undefined && now >= known.now && (known.next === undefined || now < known.next);
      if (known === undefined || !isKnown) known = { now, next: look(now) };
      return known.next;
    },
    take(now) {
      known = undefined;
      const due = new Set(find(now));
      for (const run of due) told.add(run);
      return [...due];
    },
    reload() {
      known = undefined;
    },
    clear() {
      known = undefined;
      told.clear();
      deadlines.clear();
    },
  };
}

function noteDeadlines(deadlines: Map<RowId, number>, rows: Write["decision"]["changes"]["rows"]): void {
  for (const { id, status, alarms } of rows) {
    const timeout = status === "running" ? alarms.find(({ kind }) => kind === "timeout") : undefined;
    if (timeout === undefined) deadlines.delete(id);
    else deadlines.set(id, timeout.at);
  }
}

function hasActed({ message, decision }: Write): boolean {
  const { run, rows } = decision.changes;
  return message.kind === "alarm" && (run !== null || rows.length > 0);
}
