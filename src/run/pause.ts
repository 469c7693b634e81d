// A pause stops what would start, not what is under way: calls finish and are recorded, answers and signals are taken,
// and what follows from them stays ready until the run goes on.

import { clearPoison } from "./attention.ts";
import { liveRows, patchRun, refuse, refuseIfEnded, tell, type Draft } from "./draft.ts";
import { openReady } from "./enter.ts";
import type { MessageOf } from "./message.ts";

export function pause(draft: Draft, { by }: MessageOf<"pause">): void {
  if (refuseIfEnded(draft)) return;
  const { status } = draft.run;
  if (status === "paused") return refuse(draft, "already_paused", "The run is paused already.");
  if (status !== "running") return refuse(draft, "not_running", "The run has not started yet. Cancel it instead.");
  patchRun(draft, { status: "paused" });
  tell(draft, "paused", { by });
}

/** What a message led to cannot be written: the run stands still until a person lets it go on, or cancels it. */
export function holdPoisoned(draft: Draft, { error }: MessageOf<"poison">): void {
  if (refuseIfEnded(draft)) return;
  patchRun(draft, { status: "paused", attention: { code: "poison", row: null, value: error.message } });
  tell(draft, "poisoned", { data: { ...error } });
}

/** True when the run goes on; what has come due meanwhile fires now. */
export function resume(draft: Draft, { by }: MessageOf<"resume">): boolean {
  if (refuseIfEnded(draft)) return false;
  if (draft.run.status !== "paused") {
    refuse(draft, "not_paused", "The run is not paused.");
    return false;
  }
  // Held before it had begun: it waits for its start again.
  patchRun(draft, { status: draft.run.startedAt === null ? "scheduled" : "running" });
  clearPoison(draft);
  tell(draft, "resumed", { by });
  for (const row of liveRows(draft)) if (row.status === "ready") openReady(draft, row);
  return true;
}
