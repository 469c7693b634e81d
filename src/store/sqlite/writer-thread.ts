// The thread that writes: one connection, one batch after another, in the order in which they come. It answers each
// with what became of it.

import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import { StepwellError } from "../../error.ts";
import type { Durability } from "../store.ts";
import { setDurability } from "./connection.ts";
import { resultCodeOf } from "./problem.ts";
import { createStatements, maintain, writePacked } from "./writer.ts";
import type { ThreadAnswer, ThreadTask } from "./thread-writer.ts";

function main(): void {
  const port = parentPort;
  if (port === null) throw new Error("the writer runs as a thread only");
  const answer = (message: ThreadAnswer): void => port.postMessage(message);
  const { path, durability } = workerData as { readonly path: string; readonly durability: Durability };
  try {
    const database = openDatabase(path, durability);
    const statements = createStatements(database);
    port.on("message", (task: ThreadTask) => {
      switch (task.kind) {
        case "write":
          return answer({ kind: "written", committed: writePacked(database, statements, task.packed) });
        case "maintain":
          return answer(attempt(() => maintain(database, statements, task.task)));
        case "close":
          answer(attempt(() => database.close()));
          return port.close();
      }
    });
    answer({ kind: "done" });
  } catch (error) {
    answer(failureOf(error));
    port.close();
  }
}

/** Nobody but this thread writes much: it may wait for the others. */
const busyTimeoutMs = 5000;
const cacheKilobytes = 16_384;

function openDatabase(path: string, durability: Durability): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs });
  setDurability(database, { path, durability });
  // A batch of thousands of rows must not spill: what is written before its commit is written twice.
  database.exec(`pragma cache_size = -${cacheKilobytes}`);
  return database;
}

function attempt(act: () => void): ThreadAnswer {
  try {
    act();
    return { kind: "done" };
  } catch (error) {
    return failureOf(error);
  }
}

function failureOf(error: unknown): ThreadAnswer {
  const message = error instanceof Error ? error.message : String(error);
  const errorCode = error instanceof StepwellError ? error.code : null;
  return { kind: "failed", message, errorCode, resultCode: resultCodeOf(error) ?? null };
}

main();
