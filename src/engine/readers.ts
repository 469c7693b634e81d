// Who may read. Reading needs no owner, so it is checked where it is done, against what the store says at that moment.

import type { Asker, Right } from "../access/permission.ts";
import { createPolicy, extentOf, notAllowed, type Extent } from "../access/policy.ts";
import { toPrincipal } from "../access/principal.ts";
import type { RunId } from "../run/model.ts";
import type { RunQuery, Store, StoredRun } from "../store/store.ts";

/** Throws when the asker has nothing of the right. */
export async function checkRight(store: Store, asker: Asker, right: Right): Promise<Extent> {
  const entries = await store.listEntries("principal");
  const policy = createPolicy(entries.map(({ key, value }) => toPrincipal(key, value)));
  const extent = extentOf(policy, asker, right);
  if (extent === "none") throw notAllowed(asker, right);
  return extent;
}

/** For what is no run and so is nobody's own. */
export async function checkWholeRight(store: Store, asker: Asker, right: Right): Promise<void> {
  if ((await checkRight(store, asker, right)) === "own") throw notAllowed(asker, right);
}

/** Throws alike whether the run is another's or is not there at all. */
export async function checkReader(store: Store, asker: Asker, run: RunId): Promise<void> {
  if ((await checkRight(store, asker, "read")) === "all") return;
  const found = await store.findRun(run);
  if (found?.run.createdBy !== asker.user) throw notAllowed(asker, "read");
}

/** What of it this user has started; of what others have, nothing, also when it is asked for. */
export async function listOwnRuns(store: Store, user: string, query: RunQuery): Promise<readonly StoredRun[]> {
  if (query.createdBy !== undefined && query.createdBy !== user) return [];
  return store.listRuns({ ...query, createdBy: user });
}
