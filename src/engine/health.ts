// Whether an engine does its work, for whoever keeps an eye on it.

import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { StepwellError } from "../error.ts";
import { isServerAddress } from "../store/address.ts";
import type { Store } from "../store/store.ts";
import type { BreakerView } from "./breaker-verbs.ts";
import type { Executor } from "./executor.ts";

export type Health = {
  readonly status: "ok" | "degraded";
  /** Why not, in sentences. */
  readonly reasons: readonly string[];
  /** What does not keep it from its work yet. */
  readonly warnings: readonly string[];
  /** It does the work itself; else another process does. */
  readonly isOwner: boolean;
  readonly store: string;
  readonly durability: string;
};

type Seen = {
  readonly failure: StepwellError | null;
  /** Of the one who does the work; null: another process does. */
  readonly state: Executor["state"] | null;
  readonly store: Pick<Store, "name" | "lastCommit">;
};

/** A store that takes longer is not there for anybody. */
const answerWithinMs = 2000;

const states: { readonly [state in Executor["state"]]?: string } = {
  draining: "It is stopping.",
  full: "There is no room left in the store; what runs goes on when there is.",
  busy: "Somebody else holds the store; what runs goes on when they let go.",
};

export async function findTrouble({ failure, state, store }: Seen): Promise<readonly string[]> {
  if (failure !== null) return [failure.message];
  const told = state === null ? undefined : states[state];
  const silent = await findSilence(store);
  return [told, silent].filter((reason) => reason !== undefined);
}

async function findSilence(store: Seen["store"]): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(() => resolve(`${store.name} does not answer.`), answerWithinMs);
  try {
    return await Promise.race([promise, store.lastCommit().then(() => undefined)]);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    clearTimeout(timer);
  }
}

/** With less room than this somebody should look after the disk. */
const roomBytesMin = 512 * 1024 * 1024;

type Asked = {
  readonly seat: { readonly isOwner: boolean; readonly findTrouble: () => Promise<readonly string[]> };
  readonly store: Pick<Store, "name" | "durability">;
  readonly breakers: { readonly list: () => Promise<readonly BreakerView[]> };
};

export async function tellHealth({ seat, store: { name: store, durability }, breakers }: Asked): Promise<Health> {
  const reasons = await seat.findTrouble();
  const { isOwner } = seat;
  const status = reasons.length === 0 ? "ok" : "degraded";
  const open = isOwner && status === "ok" ? await breakers.list().catch(() => []) : [];
  return { status, reasons, warnings: await findWarnings(store, open), isOwner, store, durability };
}

/** What is anybody's to hear: which tools, only those are told who may see them. */
async function findWarnings(store: string, breakers: readonly BreakerView[]): Promise<readonly string[]> {
  const open = breakers.filter(({ state }) => state !== "closed").length;
  const told = open === 0 ? undefined : `${open === 1 ? "A breaker is" : `${open} breakers are`} open: tools fail.`;
  return [told, await findNarrowness(store)].filter((warning) => warning !== undefined);
}

/** Of a server's disk only the server knows; of a store in memory there is none. */
async function findNarrowness(store: string): Promise<string | undefined> {
  if (isServerAddress(store) || store === ":memory:") return undefined;
  try {
    const { bavail, bsize } = await statfs(dirname(store));
    const room = bavail * bsize;
    return room < roomBytesMin
      ? `Only ${Math.floor(room / 1_000_000)} MB are left on the disk of the store.`
      : undefined;
  } catch {
    // Whether the store can be used is told elsewhere.
    return undefined;
  }
}
