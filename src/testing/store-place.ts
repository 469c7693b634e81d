// Where tests keep their stores: in files and in memory, or, for suites that run a second time, on a server. Which one is
// said once, before the tests of a file, by what the runner loads first.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type StorePlace = {
  /** What a store is opened by. */
  readonly address: string;
  /** A path in a folder of the test's own, whatever the store: keys lie beside it. In memory: `:memory:`. */
  readonly path: string;
  readonly remove: () => void;
};

let nameOnServer: (() => string) | null = null;

/** From now on every place is on a server: `name` gives the address of a new, empty one, and takes care of its end. */
export function keepStoresOnServer(name: () => string): void {
  nameOnServer = name;
}

/** As it is unless somebody has said otherwise. */
export function keepStoresInFiles(): void {
  nameOnServer = null;
}

/** Stores are files: what is asked is about files alone. */
export function areStoresFiles(): boolean {
  return nameOnServer === null;
}

/** What a store is opened by: this path, unless stores are on a server. */
export function addressFor(path: string): string {
  return nameOnServer?.() ?? path;
}

/** `file` for what outlives an engine or is shared, `memory` for all else. */
export function createStorePlace(kind: "file" | "memory"): StorePlace {
  const folder = kind === "file" ? mkdtempSync(join(tmpdir(), "stepwell-")) : null;
  const path = folder === null ? ":memory:" : join(folder, "stepwell.db");
  return {
    address: addressFor(path),
    path,
    remove: () => {
      if (folder !== null) rmSync(folder, { recursive: true });
    },
  };
}
