// A file that nobody but its owner may read, whole or not at all, also when the power fails.

import { randomUUID } from "node:crypto";
import { mkdir, open, realpath, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

export async function replaceFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
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
}
