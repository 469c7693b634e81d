// What SQLite and the system say, in our words: what happened, to which file, what to do. Nothing here repairs or
// removes anything.

import { existsSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { StepwellError } from "../../error.ts";

/** What can be wrong with a file. */
type FileProblem =
  | "STORE_UNREADABLE"
  | "STORE_READ_ONLY"
  | "STORE_FULL"
  | "STORE_BUSY"
  | "STORE_NOT_OURS"
  | "STORE_CORRUPT";

/** Primary result codes of SQLite; the extended ones have more in their upper bytes. */
const byResult: ReadonlyMap<number, FileProblem> = new Map([
  [3, "STORE_READ_ONLY"],
  [5, "STORE_BUSY"],
  [6, "STORE_BUSY"],
  [8, "STORE_READ_ONLY"],
  [11, "STORE_CORRUPT"],
  [13, "STORE_FULL"],
  [23, "STORE_READ_ONLY"],
  [26, "STORE_NOT_OURS"],
]);

const bySystem: ReadonlyMap<string, FileProblem> = new Map([
  ["EACCES", "STORE_READ_ONLY"],
  ["EPERM", "STORE_READ_ONLY"],
  ["EROFS", "STORE_READ_ONLY"],
  ["ENOSPC", "STORE_FULL"],
  ["EDQUOT", "STORE_FULL"],
]);

/** The error of SQLite or of the system as one of the library; an error of the library stays as it is. */
export function toStoreError(error: unknown, path: string): StepwellError {
  if (error instanceof StepwellError) return error;
  const code = correctCode(codeOf(error), path);
  return new StepwellError(code, sentenceOf(code, path, error instanceof Error ? error.message : String(error)), {
    details: { path },
    cause: error,
  });
}

/** What only a look around tells. */
function correctCode(code: FileProblem, path: string): FileProblem {
  // What has a lock beside it was a database of ours; the lock's file stays when its holder goes.
  if (code === "STORE_NOT_OURS" && existsSync(`${path}-lock`)) return "STORE_CORRUPT";
  // SQLite says "disk I/O error" when there is no room for its shared memory.
  if (code === "STORE_UNREADABLE" && hasNoRoom(path)) return "STORE_FULL";
  return code;
}

function hasNoRoom(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize < sharedMemoryBytes;
  } catch {
    // The folder cannot be read: there is another reason.
    return false;
  }
}

/** What SQLite needs beside a file at least. */
const sharedMemoryBytes = 32_768;

/** The primary result code, when SQLite said it. */
export function resultCodeOf(error: unknown): number | undefined {
  const code = error instanceof Error && "errcode" in error ? error.errcode : undefined;
  return typeof code === "number" ? code & 0xff : undefined;
}

export function isBusy(error: unknown): boolean {
  return codeOf(error) === "STORE_BUSY";
}

function codeOf(error: unknown): FileProblem {
  const result = resultCodeOf(error);
  if (result !== undefined) return byResult.get(result) ?? "STORE_UNREADABLE";
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return (typeof code === "string" ? bySystem.get(code) : undefined) ?? "STORE_UNREADABLE";
}

function sentenceOf(code: FileProblem, path: string, said: string): string {
  switch (code) {
    case "STORE_READ_ONLY":
      return `${path} cannot be written (${said}); give this user the right to write the file and its folder, or name another path.`;
    case "STORE_FULL":
      return `There is no room left for ${path} (${said}); free some space on its disk and try again.`;
    case "STORE_BUSY":
      return `${path} is held by another process (${said}); try again when it has ended.`;
    case "STORE_NOT_OURS":
      return `${path} is no database (${said}); name another path. Nothing was changed.`;
    case "STORE_CORRUPT":
      return `${path} is damaged (${said}); keep a copy of it, and restore a backup or recover it with the sqlite3 tool. Nothing was changed.`;
    case "STORE_UNREADABLE":
      return `${path} cannot be opened as a database (${said}); check the path, and the disk it is on.`;
  }
}
