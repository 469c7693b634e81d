// Who may read. Reading needs no owner, so it is checked where it is done, against what the store says at that moment.

import { rightWords, type Asker, type Right } from "../access/permission.ts";
import { createPolicy, extentOf, notAllowed, type Extent, type Policy } from "../access/policy.ts";
import { toPrincipal } from "../access/principal.ts";
import { StepwellError } from "../error.ts";
import type { RowId, RunId } from "../run/model.ts";
import type { Entry, RunQuery, Store, StoredRun } from "../store/store.ts";

/** Where principals are read. */
type Principals = { readonly listEntries: (kind: string) => Promise<readonly Entry[]> };

/** Throws when the asker has nothing of the right. */
export async function checkRight(store: Principals, asker: Asker, right: Right): Promise<Extent> {
  const extent = extentOf(await loadPolicy(store), asker, right);
  if (extent === "none") throw notAllowed(asker, right);
  return extent;
}

/** `read`, or `read.own` where it reaches no further. */
export async function listRights(store: Store, asker: Asker): Promise<readonly string[]> {
  const policy = await loadPolicy(store);
  return rightWords.flatMap((right) => {
    const extent = extentOf(policy, asker, right);
    return extent === "none" ? [] : [extent === "all" ? right : `${right}.own`];
  });
}

async function loadPolicy(store: Principals): Promise<Policy> {
  const entries = await store.listEntries("principal");
  return createPolicy(entries.map(({ key, value }) => toPrincipal(key, value)));
}

/** For what is no run and so is nobody's own. */
export async function checkWholeRight(store: Store, asker: Asker, right: Right): Promise<void> {
  if ((await checkRight(store, asker, right)) === "own") throw notAllowed(asker, right);
}

/** Throws alike whether the run is another's or is not there at all. */
export async function checkReader(store: Store, asker: Asker, run: RunId): Promise<void> {
  if ((await checkRight(store, asker, "read")) === "all") return;
  const found = await store.findRun(run);
  if (found?.run.createdBy !== asker.user) throw noSuchRun(run);
}

/** In the words in which everybody hears of a run that never was. */
export function noSuchRun(run: RunId): StepwellError {
  return new StepwellError("RUN_NOT_FOUND", `There is no run ${run}.`);
}

export function noSuchStep(row: RowId): StepwellError {
  return new StepwellError("STEP_NOT_FOUND", `There is no step ${row}.`);
}

/** What of it this user has started; of what others have, nothing, also when it is asked for. */
export async function listOwnRuns(store: Store, user: string, query: RunQuery): Promise<readonly StoredRun[]> {
  if (query.createdBy !== undefined && query.createdBy !== user) return [];
  return store.listRuns({ ...query, createdBy: user });
}
