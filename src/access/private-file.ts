// Files that nobody but their owner may read: they appear as a whole, and what others could read is told apart.

import { randomBytes } from "node:crypto";
import { closeSync, fstatSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";

export type PrivateFile =
  | { readonly kind: "none" }
  /** Others may read it, and perhaps have. */
  | { readonly kind: "open"; readonly mode: number }
  | { readonly kind: "private"; readonly text: string };

const othersMay = 0o077;

export function readPrivateFile(path: string): PrivateFile {
  const file = openIfThere(path);
  if (file === undefined) return { kind: "none" };
  try {
    const { mode } = fstatSync(file);
    // On Windows the mode says nothing of who may read.
    if (process.platform !== "win32" && (mode & othersMay) !== 0) return { kind: "open", mode: mode & 0o777 };
    return { kind: "private", text: readFileSync(file, "utf8") };
  } finally {
    closeSync(file);
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, "r");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Beside the file, with what is to stand in it, on disk; whoever asked for it moves it into its place. */
export function writeDraft(path: string, text: string): string {
  const draft = `${path}-${randomBytes(6).toString("hex")}`;
  const file = openSync(draft, "wx", 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
    return draft;
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

export function replacePrivateFile(path: string, text: string): void {
  const draft = writeDraft(path, text);
  try {
    renameSync(draft, path);
    syncFolder(path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** That the file is there survives a power cut, too. */
export function syncFolder(path: string): void {
  if (process.platform === "win32") return;
  const folder = openSync(dirname(path), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

export function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
