// A run's uid is its id in base 36, a dash, and chance: nobody guesses it, and a run is found by it without an index of
// its own. A sub-run's uid is its parent's, a dot, and the id of the step that started it.

import type { RowId, RunId } from "../run/model.ts";

export function createUid(run: RunId, chance: string): string {
  return `${run.toString(36)}-${chance}`;
}

export type UidPlace = { readonly kind: "run"; readonly run: RunId } | { readonly kind: "step"; readonly row: RowId };

/** Where to look for the run of this uid; undefined: it is none. */
export function placeOfUid(uid: string): UidPlace | undefined {
  const child = /\.(\d{1,16})$/.exec(uid);
  if (child?.[1] !== undefined) return { kind: "step", row: Number(child[1]) };
  const own = /^([0-9a-z]{1,11})-/.exec(uid);
  return own?.[1] === undefined ? undefined : { kind: "run", run: Number.parseInt(own[1], 36) };
}
