// The thread of check.ts: reads every table and its indexes once, and says what is wrong; nothing, when nothing is.

import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";

const { path } = workerData as { readonly path: string };
const found = listDamage(path);
if (found.length > 0) parentPort?.postMessage(found);

function listDamage(file: string): readonly string[] {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 1000 });
  try {
    const tables = database.prepare("select name from sqlite_schema where type = 'table'").all();
    return tables.flatMap(({ name }) =>
      database
        .prepare(`pragma quick_check('${String(name).replaceAll("'", "''")}')`)
        .all()
        .map(({ quick_check: line }) => String(line))
        .filter((line) => line !== "ok"),
    );
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  } finally {
    database.close();
  }
}
