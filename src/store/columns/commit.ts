// What a row of `commits` says, as `changesOf` has written it.

import type { RowId, RunId } from "../../run/model.ts";
import type { CommitChange, CommitRecord } from "../store.ts";

type ChangeText = readonly [RunId, RowId | null, string, name?: string, createdBy?: string];

export function readChanges(text: string): Pick<CommitRecord, "changes" | "entries"> {
  const changes: CommitChange[] = [];
  const entries: string[] = [];
  for (const each of JSON.parse(text) as readonly (ChangeText | string)[])
    if (typeof each === "string") entries.push(each);
    else changes.push(toChange(each));
  return { changes, entries };
}

function toChange([run, row, status, name, createdBy]: ChangeText): CommitChange {
  if (name === undefined || createdBy === undefined) return { run, row, status };
  return { run, row, status, was: { name, createdBy } };
}
