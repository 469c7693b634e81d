// Bugs in the SQLite store: its real code with one part done wrongly.

import type { DatabaseSync } from "node:sqlite";
import type { Need } from "../../src/run/decision.ts";
import type { Row, RunId } from "../../src/run/model.ts";
import { createQueries, type Queries } from "../../src/store/sqlite/queries.ts";
import { storedColumns } from "../../src/store/columns/row.ts";
import type { FlatBatch } from "../../src/store/columns/batch.ts";
import type { OpenStore } from "../../src/testing/simulator/simulate.ts";
import { soundCode, type StoreCode } from "../../src/testing/simulator/sqlite/code.ts";
import { createSqliteStore } from "../../src/testing/simulator/sqlite/store.ts";

const known = new WeakMap<DatabaseSync, Queries>();

function queriesOf(database: DatabaseSync): Queries {
  const queries = known.get(database) ?? createQueries(database);
  known.set(database, queries);
  return queries;
}

function having(bug: Partial<StoreCode>): OpenStore {
  return (world) => createSqliteStore(world, { ...soundCode, ...bug });
}

/** Each statement stands for itself: what came before the one that fails stays. */
export const noTransaction: OpenStore = having({
  write(database, statements, flat) {
    // A read where the transaction should begin and end.
    const { state } = statements;
    return soundCode.write(database, { ...statements, begin: state, commit: state }, flat);
  },
});

/** Whatever number a batch has, it is taken for the next one. */
export const behindIsWritten: OpenStore = having({
  write: (database, statements, flat) =>
    soundCode.write(database, statements, { ...flat, no: queriesOf(database).lastCommit() + 1 }),
});

/** The versions that are on disk are taken for those that the writer believed in. */
export const versionsNotGuarded: OpenStore = having({
  write: (database, statements, flat) =>
    soundCode.write(database, statements, {
      ...flat,
      rows: withVersions(database, flat.rows, { width: storedColumns.length + 1, idAt: 1, versionAt: 0 }),
      finished: withVersions(database, flat.finished, { width: 8, idAt: 0, versionAt: 2 }),
      left: withVersions(database, flat.left, { width: 10, idAt: 0, versionAt: 2 }),
    }),
});

type Shape = { readonly width: number; readonly idAt: number; readonly versionAt: number };

function withVersions(database: DatabaseSync, list: FlatBatch["rows"], shape: Shape): FlatBatch["rows"] {
  const queries = queriesOf(database);
  const found = [...list];
  for (let from = 0; from < list.length; from += shape.width) {
    const stored = queries.findRow(Number(list[from + shape.idAt]));
    if (stored !== undefined) found[from + shape.versionAt] = stored.row.version;
  }
  return found;
}

/** A change forgets that the row is not live any more. */
export const overStaysLive: OpenStore = having({
  flatten(batch) {
    const flat = soundCode.flatten(batch);
    const rows = flat.rows.map((value, place) => (place % (storedColumns.length + 1) === liveAt ? 1 : value));
    return { ...flat, rows };
  },
});

/** Behind the version that was expected. */
const liveAt = storedColumns.indexOf("is_live") + 1;

export const scopesNotGathered: OpenStore = having({
  load: (database, runs) =>
    soundCode
      .load(database, runs)
      .map(({ flow, frontier }) => ({ flow, frontier: { ...frontier, scopes: new Map<string, never>() } })),
});

/** The list that was kept before is not removed. */
export const signalsPileUp: OpenStore = having({
  flatten: (batch) => ({ ...soundCode.flatten(batch), signalRuns: [] }),
});

export const visitsNotCounted: OpenStore = having({
  flatten: (batch) => ({ ...soundCode.flatten(batch), visits: [] }),
});

export const oldestUndone: OpenStore = having({
  bring: bringing((need, database, run) => {
    if (need.kind !== "undo") return undefined;
    const undoable = queriesOf(database)
      .listRows(run)
      .filter((row) => row.isUndoable && (row.finishedNo ?? 0) < (need.below ?? Number.MAX_SAFE_INTEGER));
    return undoable.toSorted((one, other) => (one.finishedNo ?? 0) - (other.finishedNo ?? 0)).slice(0, 1);
  }),
});

export const itemMissing: OpenStore = having({
  bring: bringing((need, database, run) => {
    if (need.kind !== "items") return undefined;
    const [rows = []] = soundCode.bring(database, run, [need]);
    return rows.slice(1);
  }),
});

type Answer = (need: Need, database: DatabaseSync, run: RunId) => readonly Row[] | undefined;

/** undefined: as it should be. */
function bringing(answer: Answer): StoreCode["bring"] {
  return (database, run, needs) =>
    soundCode.bring(database, run, needs).map((rows, place) => {
      const need = needs[place];
      return (need === undefined ? undefined : answer(need, database, run)) ?? rows;
    });
}

/** A pause holds nothing. */
export const pausedAreDue: OpenStore = having({
  listDue(database, now, limitMax) {
    const queries = queriesOf(database);
    const isDue = ({ alarms }: Row): boolean => alarms.some(({ at }) => at <= now);
    const paused = queries.listRuns({ status: "paused", limitMax });
    const due = paused.flatMap(({ run }) => (queries.listRows(run.id).some(isDue) ? [run.id] : []));
    return [...soundCode.listDue(database, now, limitMax), ...due];
  },
  nextDueAt: (database, after) => (after === 0 ? 0 : soundCode.nextDueAt(database, after)),
});

export const dueNotFound: OpenStore = having({ listDue: () => [] });

export const interruptedNotFound: OpenStore = having({ listInterrupted: () => [] });
