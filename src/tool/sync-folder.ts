// That a file is there, or gone, survives a power cut only when its folder is on disk, too.

import { open } from "node:fs/promises";

export async function syncFolder(folder: string): Promise<void> {
  // Some systems cannot open a folder; there it is as safe as it gets.
  const handle = await open(folder, "r").catch(() => null);
  if (handle === null) return;
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
