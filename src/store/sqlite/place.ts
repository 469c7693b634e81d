// Where a database lies. Symbolic links are followed first, so that two names of one file meet at one lock; the file
// itself is never opened here: closing it would drop the locks that SQLite holds on it in this process.

import {
  accessSync,
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  statSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { StepwellError } from "../../error.ts";
import { toStoreError } from "./problem.ts";

export type Place = {
  /** Without symbolic links. */
  readonly path: string;
  readonly lockPath: string;
  readonly walPath: string;
};

/** The file's place; its folder is made when it is not there. Refuses what cannot be a database that we may write. */
export function findPlace(name: string): Place {
  try {
    const path = followLinks(resolve(name));
    const size = sizeOf(path);
    accessSync(size === undefined ? dirname(path) : path, constants.R_OK | constants.W_OK);
    accessSync(dirname(path), constants.W_OK);
    const place = { path, lockPath: `${path}-lock`, walPath: `${path}-wal` };
    refuseTruncated(place, size);
    return place;
  } catch (error) {
    throw toStoreError(error, name);
  }
}

/** Tells files apart, whatever their names; undefined: there is none. */
export function identityOf(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? undefined : `${stat.dev}:${stat.ino}`;
}

export function sizeOf(path: string): number | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat !== undefined && !stat.isFile()) {
    const what = stat.isDirectory() ? "a folder" : "no ordinary file";
    throw new StepwellError("STORE_UNREADABLE", `${path} is ${what}; give the path of a file for the database.`);
  }
  return stat?.size;
}

function followLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  makeFolder(dirname(path));
  // A link may point to a file that is still to be made.
  const link = lstatSync(path, { throwIfNoEntry: false });
  if (link?.isSymbolicLink() === true) return followLinks(resolve(dirname(path), readlinkSync(path)));
  return join(realpathSync(dirname(path)), basename(path));
}

/** And all above it that are missing; a power cut does not undo it. */
function makeFolder(folder: string): void {
  const first = mkdirSync(folder, { recursive: true });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) syncPath(dirname(made));
}

/** Of a folder or of a file that no connection has open. */
export function syncPath(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

/** SQLite would take an empty file for a new database and throw away the log that belongs to the old one. */
function refuseTruncated(place: Place, size: number | undefined): void {
  const logSize = sizeOf(place.walPath) ?? 0;
  if (logSize === 0 || (size ?? 0) > 0) return;
  throw new StepwellError(
    "STORE_CORRUPT",
    `${place.path} is ${size === undefined ? "gone" : "empty"}, but ${basename(place.walPath)} beside it is not: the database was cut off. Restore it from a backup, or move the log away to begin anew. Nothing was changed.`,
    { details: { path: place.path } },
  );
}
