// When runs are due. The instants are in the rows; a timer in memory is only a hint, and is set anew from the rows.

import { isPoisoned } from "../../run/attention.ts";
import { hasEnded, type Frontier } from "../../run/model.ts";

/** The next instant at which something of the run is due; a pause holds all but the run's own, poison that too. */
export function nextAlarm({ run, rows }: Pick<Frontier, "run" | "rows">): number | undefined {
  if (hasEnded(run) || isPoisoned(run)) return undefined;
  let next: number | undefined;
  for (const { at } of run.alarms) next = Math.min(next ?? at, at);
  if (run.status !== "running") return next;
  for (const { alarms } of rows.values()) for (const { at } of alarms) next = Math.min(next ?? at, at);
  return next;
}
