// All that is on disk of a database, as bytes, to look for what must not be there.

import { existsSync, readFileSync } from "node:fs";

export function bytesOf(path: string): Buffer {
  const parts = [path, `${path}-wal`, `${path}-journal`].filter((name) => existsSync(name));
  return Buffer.concat(parts.map((name) => readFileSync(name)));
}
