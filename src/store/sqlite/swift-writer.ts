// A lone small batch is written in place: handing it to the thread and back costs as much as the disk does. The thread
// writes all that is large, all that comes while it is at work, and everything as long as the disk is slow, since an
// fsync in place stops the whole process.

import type { DatabaseSync } from "node:sqlite";
import type { Batch, Committed } from "../store.ts";
import { createInlineWriter, type Writer } from "./thread-writer.ts";

/** The batch of a lone step has two rows; that of a small fork or a run's end a few more. */
const rowsMax = 8;
/** Slower than this, and so many batches go to the thread before another one is tried in place. */
const slowMs = 2;
const batchesByThread = 200;

export function createSwiftWriter(thread: Writer, database: DatabaseSync): Writer {
  const inPlace = createInlineWriter(database);
  let underWay = 0;
  let left = 0;
  const writeByThread = async (batch: Batch): Promise<Committed> => {
    underWay += 1;
    try {
      return await thread.write(batch);
    } finally {
      underWay -= 1;
    }
  };
  const writeInPlace = (batch: Batch): Promise<Committed> => {
    const startedAt = performance.now();
    const committed = inPlace.writeNow(batch);
    if (performance.now() - startedAt > slowMs) left = batchesByThread;
    // Somebody else is writing: the thread can wait for them, this one must not. It is given to the thread at once, so
    // that nothing gets in front of it.
    const isBusy = committed.kind === "refused" && committed.reason === "busy";
    return isBusy ? writeByThread(batch) : Promise.resolve(committed);
  };
  return {
    write(batch) {
      if (underWay === 0 && left === 0 && isSmall(batch)) return writeInPlace(batch);
      left = Math.max(0, left - 1);
      return writeByThread(batch);
    },
    maintain: (task) => thread.maintain(task),
    close: () => thread.close(),
  };
}

function isSmall({ rows, runs, events, signals, pruned, answers }: Batch): boolean {
  return (
    rows.length + runs.length + events.length + signals.length + answers.length <= rowsMax &&
    pruned.length === 0 &&
    rows.every(({ row }) => isShort(row.result) && isShort(row.args))
  );
}

/** A guess at the top: what is long all the same is written in place once, and then not for a while. */
function isShort(value: unknown): boolean {
  if (typeof value === "string") return value.length < 10_000;
  return !Array.isArray(value) || value.length < 1000;
}
