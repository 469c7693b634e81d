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

/** Addresses on a server; it takes care of their end. */
export type ServerPlaces = {
  /** There is no store yet. */
  readonly nameNew: () => string;
  /** There may be one, as empty as a new one. */
  readonly takeEmpty: () => string;
  /** Nobody uses what was taken any more. */
  readonly giveBack: (address: string) => void;
};

let onServer: ServerPlaces | null = null;

/** From now on every place is on a server. */
export function keepStoresOnServer(places: ServerPlaces): void {
  onServer = places;
}

/** As it is unless somebody has said otherwise. */
export function keepStoresInFiles(): void {
  onServer = null;
}

/** Stores are files: what is asked is about files alone. */
export function areStoresFiles(): boolean {
  return onServer === null;
}

/** What a store is opened by: this path, unless stores are on a server. */
export function addressFor(path: string): string {
  return onServer?.takeEmpty() ?? path;
}

/** Nobody uses this address any more; a file is its owner's to remove. */
export function leaveAddress(address: string): void {
  onServer?.giveBack(address);
}

/** The same as `addressFor`, where there must be nothing yet. */
export function newAddressFor(path: string): string {
  return onServer?.nameNew() ?? path;
}

/** `file` for what outlives an engine or is shared, `memory` for all else. */
export function createStorePlace(kind: "file" | "memory"): StorePlace {
  const folder = kind === "file" ? mkdtempSync(join(tmpdir(), "stepwell-")) : null;
  const path = folder === null ? ":memory:" : join(folder, "stepwell.db");
  const address = addressFor(path);
  return {
    address,
    path,
    remove: () => {
      leaveAddress(address);
      if (folder !== null) rmSync(folder, { recursive: true });
    },
  };
}
