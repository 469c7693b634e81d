// Whether an engine does its work, for whoever keeps an eye on it.

import type { StepwellError } from "../error.ts";
import type { Store } from "../store/store.ts";
import type { Executor } from "./executor.ts";

export type Health = {
  readonly status: "ok" | "degraded";
  /** Why not, in sentences. */
  readonly reasons: readonly string[];
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
