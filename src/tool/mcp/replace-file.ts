// A file that nobody but its owner may read, whole or not at all, also when the power fails; once it is told, it stays.

import { randomUUID } from "node:crypto";
import { mkdir, open, realpath, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { syncFolder } from "../sync-folder.ts";

export async function replaceFile(path: string, text: string): Promise<void> {
  const made = await mkdir(dirname(path), { recursive: true });
  // What a link leads to is replaced, not the link.
  const target = await realpath(path).catch(() => path);
  const temporary = `${target}.${randomUUID()}`;
  try {
    const file = await open(temporary, "wx", 0o600);
    await file.writeFile(text).finally(async () => file.sync().finally(() => file.close()));
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(target));
  if (made !== undefined) await syncAround(dirname(path), made);
}

/** One that is not there has gone already. */
export async function removeFile(path: string): Promise<void> {
  await rm(path, { force: true });
  await syncFolder(dirname(path));
}

/** Folders that were made, each in the one around it, down from the first. */
async function syncAround(folder: string, first: string): Promise<void> {
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}
