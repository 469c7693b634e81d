// What can go wrong inside a commit on SQLite: a statement in the middle is refused, a row is not as believed, the file is
// locked or full, or nobody learns whether the commit reached the disk.

import type { StatementSync } from "node:sqlite";
import type { RefusedReason } from "../../../store/store.ts";
import { storedColumns, type Scalar } from "../../../store/columns/row.ts";
import { changingRunColumns, fixedRunColumns } from "../../../store/columns/run.ts";
import type { FlatBatch } from "../../../store/columns/batch.ts";
import type { Statements } from "../../../store/sqlite/writer.ts";
import type { Random } from "../../random.ts";
import type { CommitFault } from "../store.ts";

export type Attempt = {
  readonly flat: FlatBatch;
  readonly statements: Statements;
  /** What the store must say; null: that nobody knows. */
  readonly reason: RefusedReason | null;
};

export function spoil(fault: Exclude<CommitFault, "none">, sound: Omit<Attempt, "reason">, random: Random): Attempt {
  const { statements } = sound;
  const commit = (code: number, when: "before" | "after"): Statements => ({
    ...statements,
    commit: failing(statements.commit, code, when),
  });
  switch (fault) {
    case "crash_before":
      return { ...sound, statements: commit(ioError, "before"), reason: null };
    case "crash_after":
      return { ...sound, statements: commit(ioError, "after"), reason: null };
    case "refused":
      break;
  }
  switch (random.pick(["constraint", "busy", "full", "stale"] as const)) {
    case "constraint":
      return { ...sound, flat: withBadRow(sound.flat, random), reason: "constraint" };
    case "stale":
      return { ...sound, flat: withOldVersion(sound.flat, random), reason: "stale" };
    case "busy":
      return { ...sound, statements: commit(busy, "before"), reason: "busy" };
    case "full":
      return {
        ...sound,
        statements: { ...statements, change: failing(statements.change, full, "before") },
        reason: "full",
      };
  }
}

/** Result codes of SQLite. */
const busy = 5;
const ioError = 10;
const full = 13;

function failing(statement: StatementSync, code: number, when: "before" | "after"): StatementSync {
  return new Proxy(statement, {
    get: () => () => {
      if (when === "after") statement.run();
      throw Object.assign(new Error(`Planted result code ${code}.`), { errcode: code });
    },
  });
}

/** One row more, which breaks a constraint; what stands before it has been written by then. */
function withBadRow(flat: FlatBatch, random: Random): FlatBatch {
  const lists = [
    ["newRuns", fixedRunColumns.length + changingRunColumns.length],
    ["newRows", storedColumns.length],
    ["blobs", 3],
    ["signals", 5],
    ["visits", 5],
  ] as const;
  const [name, width] = random.pick(lists);
  return { ...flat, [name]: [...flat[name], ...Array.from({ length: width }, () => null)] };
}

/** A row, or a run, is thought to be in another version than it is; without any, a row is thought to be there. */
function withOldVersion(flat: FlatBatch, random: Random): FlatBatch {
  const lists = (
    [
      ["rows", storedColumns.length + 1, 0],
      ["finished", 8, 2],
      ["left", 10, 2],
      ["runs", changingRunColumns.length + 1, 1],
    ] as const
  ).filter(([name]) => flat[name].length > 0);
  if (lists.length === 0) return { ...flat, finished: [0, 0, 1, 2, null, null, flat.at, 1] };
  const [name, width, place] = random.pick(lists);
  const list: Scalar[] = [...flat[name]];
  list[width * random.integer(list.length / width) + place] = 0;
  return { ...flat, [name]: list };
}
