// What a cancel would do, asked for just before it is decided.

import { previewCancel, type CancelPreview } from "../../../run/cancel.ts";
import { hasEnded } from "../../../run/model.ts";
import { pickNeeded } from "../../../run/need.ts";
import type { Deciding } from "../process.ts";
import type { Write } from "../store.ts";

/** undefined: nobody cancels here, or not by stopping the run wherever it is. */
export function previewOf(
  { plan, message, decision }: Write,
  { frontier, env, rows }: Deciding,
): CancelPreview | undefined {
  if (message.kind !== "cancel" || decision.reply.kind !== "ok" || frontier === null) return undefined;
  const { run } = frontier;
  // Whoever stops a run stops its sub-runs, whatever a person would be told.
  const isGiven = run.ending !== null || hasEnded(run) || run.seen.includes(message.id) || run.parent !== null;
  // A machine on its way to an end of kind cancel is cancelled already.
  const isFiring = [...frontier.rows.values()].some((row) => row.firing !== null);
  if (isGiven || isFiring) return undefined;
  const undoable = [...rows.values()].filter((row) => row.isUndoable);
  const preview = previewCancel(plan, frontier, { ...env, given: (need) => pickNeeded(need, rows) }, undoable);
  return preview.transition === null ? preview : undefined;
}
