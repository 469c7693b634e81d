// Looks for damage while the engine is at work already: a file of some gigabytes takes seconds to read, and a start
// must not wait for it. It runs in a thread of its own, table by table, so that no read transaction lasts longer than
// it must and the log can be emptied in between.

import { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { StepwellError } from "../../error.ts";

/** Lets short-lived owners, such as a command, end before it begins. */
const delayMs = 2000;

export type CheckOptions = {
  readonly path: string;
  readonly onDamage: (problem: StepwellError) => void;
  readonly afterMs?: number;
};

/** Answers with a function that stops it. */
export function startCheck({ path, onDamage, afterMs = delayMs }: CheckOptions): () => Promise<void> {
  let worker: Worker | undefined;
  const timer = setTimeout(() => {
    worker = new Worker(threadUrl, { workerData: { path }, execArgv: [] });
    worker.unref();
    worker.on("message", (found: readonly string[]) => onDamage(toProblem(path, found)));
    worker.on("error", (error) => onDamage(toProblem(path, [error.message])));
  }, afterMs);
  timer.unref();
  return async () => {
    clearTimeout(timer);
    await worker?.terminate();
  };
}

/** Beside this file, in the source and in what is built of it. */
const threadUrl = new URL(`./check-thread${import.meta.url.slice(import.meta.url.lastIndexOf("."))}`, import.meta.url);

/** What is wrong with the tables and their indexes; nothing, when nothing is. */
export function listDamage(path: string): readonly string[] {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 1000 });
  try {
    const tables = database.prepare("select name from sqlite_schema where type = 'table'").all();
    return tables.flatMap(({ name }) =>
      database
        .prepare(`pragma quick_check('${String(name).replaceAll("'", "''")}')`)
        .all()
        .flatMap(({ quick_check: lines }) => String(lines).split("\n"))
        .filter((line) => line !== "ok" && !line.startsWith("***")),
    );
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  } finally {
    database.close();
  }
}

function toProblem(path: string, found: readonly string[]): StepwellError {
  return new StepwellError(
    "STORE_CORRUPT",
    `${path} is damaged: ${found.slice(0, 3).join("; ")}. Stop the engine, keep a copy of the file, and restore a backup or recover it with the sqlite3 tool.`,
    { details: { path, found } },
  );
}
