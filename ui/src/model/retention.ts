// How long ended runs are kept, in words.

import { showBytes, showDuration } from "./time.ts";

/** null: without this bound. */
export type Retention = {
  readonly ageMs: number | null;
  readonly runsMax: number | null;
  readonly bytesMax: number | null;
};

/** null: another process does the work, and it alone knows. */
export function sayRetention(retention: Retention | null): string {
  if (retention === null) return "Another process keeps the store, and knows how long ended runs are kept.";
  const { ageMs, runsMax, bytesMax } = retention;
  const parts = [
    ...(ageMs === null ? [] : [`for ${showDuration(ageMs)}`]),
    ...(runsMax === null ? [] : [`the newest ${runsMax.toLocaleString("en")} of them`]),
    ...(bytesMax === null ? [] : [`as many as fit into ${showBytes(bytesMax)}`]),
  ];
  if (parts.length === 0) return "Ended runs are kept for ever.";
  const all = parts.length === 1 ? "" : ", whichever is least";
  return `Ended runs are kept ${parts.join("; ")}${all}.`;
}
