// The keys that a retry keeps: of every visit that it does not take over and that was not undone. What was undone gets a
// new one, or the tool would say that it has done this already.

import type { Plan } from "../flow/plan.ts";
import type { Keys, Row, RowId, RunRow } from "./model.ts";
import { placeOfItem } from "./place.ts";
import type { Visit, Visits } from "./visits.ts";

/** They stand in the run itself, which is to stay small; whatever is beyond them has new keys. */
const knownMax = 1000;

type Asked = {
  readonly plan: Plan;
  readonly run: RunRow;
  readonly visits: Visits;
  /** Rows that are taken over. */
  readonly taken: ReadonlySet<RowId>;
};

export function keysKept(asked: Asked): Keys {
  const { run, visits } = asked;
  // What an earlier retry knew and this one never came to is still known.
  const known = new Map(Object.entries(run.keys?.known ?? {}));
  const fresh = new Set(run.keys?.fresh);
  const called = visits.all.flatMap((visit) => callsOf(asked, visit));
  for (const { place, key, isGiven, isUndone } of called) {
    known.delete(place);
    if (isUndone && isGiven) fresh.add(place);
    // The author's own key is computed again, unless it had to be another one.
    else if (!isUndone && (!isGiven || fresh.has(place))) known.set(place, key);
  }
  return { known: Object.fromEntries([...known].slice(0, knownMax)), fresh: [...fresh].slice(0, knownMax) };
}

type Called = {
  readonly place: string;
  readonly key: string;
  /** By the author. */
  readonly isGiven: boolean;
  readonly isUndone: boolean;
};

function callsOf({ plan, visits, taken }: Asked, { place, last, tries, items }: Visit): readonly Called[] {
  // What is fired again is another event, and its action another call.
  if (taken.has(last.id) || last.firing !== null) return [];
  const step = plan.steps[last.step];
  const isGiven = step?.kind === "tool" && step.idempotencyKey !== null;
  const toCalled = (row: Row, where: string): readonly Called[] => {
    const key = row.key?.replace(/:fallback$/, "") ?? null;
    const isUndone = visits.isUndone(row);
    return key === null ? [] : [{ place: where, key, isGiven, isUndone }];
  };
  if (items === null) return tries.slice(-1).flatMap((row) => toCalled(row, place));
  const called = items.last.flatMap((row) => toCalled(row, placeOfItem(row)));
  const prefix = isGiven ? undefined : commonPrefix(items.last, called);
  // Else what was known of all of them is true no more.
  const parent = { place, key: prefix ?? "", isGiven: false, isUndone: prefix === undefined };
  return prefix === undefined ? [parent, ...called] : [parent];
}

/** One entry stands for all items, if all their keys begin alike and none was undone. */
function commonPrefix(rows: readonly Row[], called: readonly Called[]): string | undefined {
  const prefixes = new Set(rows.map(({ key }) => key?.replace(/:fallback$/, "").replace(/:\d+$/, "")));
  const [prefix] = prefixes;
  return prefixes.size === 1 && !called.some(({ isUndone }) => isUndone) ? prefix : undefined;
}
