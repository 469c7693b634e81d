// Files below one folder, and no way out of it. No part of a path may be a link, and since a link may be put there after
// it was looked at, what was opened is compared with what the path means now: the same file, in its place, or nothing.
// A file is written beside its place and then moved there, so that readers see the old one or the new one.

import { randomUUID } from "node:crypto";
import { constants, type BigIntStats } from "node:fs";
import { lstat, mkdir, open, realpath, rename, unlink, type FileHandle } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ToolError } from "../../function.ts";
import { syncFolder } from "../../sync-folder.ts";
import { parsePath } from "./path.ts";

export type Folder = {
  read(path: string): Promise<Buffer>;
  write(path: string, bytes: Buffer): Promise<void>;
};

export type FolderOptions = {
  readonly bytesMax: number;
  /** Opens a file; tests change the folder at this moment. */
  readonly openFile?: typeof open;
};

// On systems that lack one of the last two it counts as 0, and the comparison after opening does the work alone. Without waiting: a
// pipe would keep us until somebody writes to it.
const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = constants;

export function createFolder(folder: string, { bytesMax, openFile = open }: FolderOptions): Folder {
  const place = resolve(folder);
  return {
    read: (path) =>
      explained(path, async () => {
        const root = await realpath(place);
        const target = await walk(root, parsePath(path));
        const file = await openFile(target, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
        try {
          await refuseElsewhere(file, target);
          return await readAll(file, path, bytesMax);
        } finally {
          await file.close();
        }
      }),
    write: (path, bytes) =>
      explained(path, async () => {
        if (bytes.byteLength > bytesMax) throw tooLarge(path, bytesMax);
        const parts = parsePath(path);
        await mkdir(place, { recursive: true });
        const root = await realpath(place);
        const parent = await makeFolders(root, parts.slice(0, -1));
        const target = await walk(root, parts);
        const draft = join(parent, `.${randomUUID()}.tmp`);
        await writeDraft(draft, bytes, openFile);
        await moveInto(draft, target);
        await syncFolder(parent);
      }),
  };
}

/** The path, each part of which was looked at; what is not there ends the walk. */
async function walk(root: string, parts: readonly string[]): Promise<string> {
  let place = root;
  for (const [index, part] of parts.entries()) {
    place = join(place, part);
    const found = await lstatIfThere(place);
    if (found === undefined) break;
    if (found.isSymbolicLink()) throw link(part);
    const isLast = index === parts.length - 1;
    if (isLast ? !found.isFile() : !found.isDirectory()) throw notThat(part, isLast);
  }
  return join(root, ...parts);
}

/** One after the other: making all at once would follow links. */
async function makeFolders(root: string, parts: readonly string[]): Promise<string> {
  let place = root;
  for (const part of parts) {
    place = join(place, part);
    await mkdir(place).catch((error: unknown) => {
      if (codeOf(error) !== "EEXIST") throw error;
    });
    const found = await lstat(place);
    if (found.isSymbolicLink()) throw link(part);
    if (!found.isDirectory()) throw notThat(part, false);
  }
  return place;
}

async function lstatIfThere(place: string): Promise<Awaited<ReturnType<typeof lstat>> | undefined> {
  try {
    return await lstat(place);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** What is open must be a file, the same that the path means, and the path must mean itself. */
async function refuseElsewhere(file: FileHandle, target: string): Promise<void> {
  const opened: BigIntStats = await file.stat({ bigint: true });
  const there: BigIntStats = await lstat(target, { bigint: true });
  const isSame = opened.ino === there.ino && opened.dev === there.dev;
  if (!opened.isFile() || !isSame || (await realpath(target)) !== target) {
    throw new ToolError({
      code: "bad_path",
      message: "The path was changed while it was used, or is no file.",
      isFinal: true,
    });
  }
}

/** In pieces, since a file may grow while it is read. */
async function readAll(file: FileHandle, path: string, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(64 * 1024));
    if (bytesRead === 0) return Buffer.concat(chunks, bytes);
    bytes += bytesRead;
    if (bytes > bytesMax) throw tooLarge(path, bytesMax);
    chunks.push(buffer.subarray(0, bytesRead));
  }
}

/** Nothing is written before it is certain where. */
async function writeDraft(draft: string, bytes: Buffer, openFile: typeof open): Promise<void> {
  const file = await openFile(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
  try {
    await refuseElsewhere(file, draft);
    await file.writeFile(bytes);
    // A step that is done stays done when the power fails, and so must what it did.
    await file.sync();
  } catch (error) {
    await discard(draft);
    throw error;
  } finally {
    await file.close();
  }
}

async function moveInto(draft: string, target: string): Promise<void> {
  try {
    await rename(draft, target);
  } catch (error) {
    await discard(draft);
    throw error;
  }
}

async function discard(draft: string): Promise<void> {
  // It may be gone, or out of reach; what went wrong before is what counts.
  await unlink(draft).catch(() => undefined);
}

async function explained<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw error instanceof ToolError ? error : toFailure(error, path);
  }
}

/** Without the words of the system, which show where the folder lies. */
function toFailure(error: unknown, path: string): ToolError {
  const code = codeOf(error);
  if (code === "ENOENT") {
    return new ToolError({
      code: "file_not_found",
      message: `There is no file "${path}".`,
      isFinal: true,
      cause: error,
    });
  }
  if (code === "ELOOP") return link(path);
  const message = `The file "${path}" cannot be used (${code === "" ? "unknown" : code}).`;
  return new ToolError({ code: "file_failed", message, cause: error });
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function link(part: string): ToolError {
  return new ToolError({ code: "bad_path", message: `"${part}" is a link; links are not followed.`, isFinal: true });
}

function notThat(part: string, isLast: boolean): ToolError {
  return new ToolError({ code: "bad_path", message: `"${part}" is no ${isLast ? "file" : "folder"}.`, isFinal: true });
}

function tooLarge(path: string, bytesMax: number): ToolError {
  const message = `The file "${path}" has more than ${bytesMax} bytes.`;
  return new ToolError({ code: "file_too_large", message, isFinal: true });
}
