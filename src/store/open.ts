// The door to stores of every kind: which one, the form of the address says. Each is loaded only when it is asked for: a
// command on a file does not wait for what speaks to servers.

import { existsSync } from "node:fs";
import type { StepwellError } from "../error.ts";
import { isServerAddress } from "./address.ts";
import type { Lookup } from "./lookup.ts";
import type { Durability, Store } from "./store.ts";

export type StoreOptions = {
  /** `full` unless said otherwise. */
  readonly durability?: Durability;
  readonly clock?: () => number;
  /** How much of the list of commits is kept for those who follow. */
  readonly commitsKept?: { readonly ageMs: number; readonly bytes: number };
  /** Damage was found, or the ownership was lost. */
  readonly onProblem?: (problem: StepwellError) => void;
};

/** `await openStore("stepwell.db")`, `await openStore("postgres://ann@db.example.com/app")`, `await openStore(":memory:")` */
export async function openStore(address: string, options: StoreOptions = {}): Promise<Store> {
  if (isServerAddress(address)) {
    const { openPostgres } = await import("./postgres/open.ts");
    return openPostgres(address, options);
  }
  const { openSqlite } = await import("./sqlite/open.ts");
  return openSqlite(address, options);
}

/** Whether there is one at this address; none is made. */
export async function hasStore(address: string): Promise<boolean> {
  if (!isServerAddress(address)) return existsSync(address);
  const { hasSchema } = await import("./postgres/presence.ts");
  return hasSchema(address);
}

/** Of a store that is there. */
export async function openLookup(address: string): Promise<Lookup> {
  const dialect = isServerAddress(address) ? import("./postgres/lookup.ts") : import("./sqlite/lookup.ts");
  return (await dialect).openLookup(address);
}
