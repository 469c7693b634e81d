// Who owns a database. A second, empty SQLite file beside it is held in an exclusive transaction for as long as the
// owner lives: the system frees it when the process dies, however it dies, which no file with a process id in it can say.

import { DatabaseSync } from "node:sqlite";
import { isBusy, toStoreError } from "./problem.ts";

export type Lock = { readonly release: () => void };

/** undefined: another one holds it, in this process or in another. */
export function tryLock(lockPath: string): Lock | undefined {
  let database: DatabaseSync | undefined;
  try {
    const held = new DatabaseSync(lockPath, { timeout: 0 });
    database = held;
    // Nothing is ever written to it; without this SQLite would put a journal beside it.
    held.exec("pragma journal_mode = off");
    held.exec("begin exclusive");
    return {
      release: () => {
        if (held.isOpen) held.close();
      },
    };
  } catch (error) {
    database?.close();
    if (isBusy(error)) return undefined;
    throw toStoreError(error, lockPath);
  }
}
