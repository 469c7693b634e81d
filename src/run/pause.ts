// A pause stops what would start, not what is under way: calls finish and are recorded, answers and signals are taken,
// and what follows from them stays ready until the run goes on.

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

/** True when the run goes on; what has come due meanwhile fires now. */
export function resume(draft: Draft, { by }: MessageOf<"resume">): boolean {
  if (refuseIfEnded(draft)) return false;
  if (draft.run.status !== "paused") {
    refuse(draft, "not_paused", "The run is not paused.");
    return false;
  }
  patchRun(draft, { status: "running" });
  tell(draft, "resumed", { by });
  for (const row of liveRows(draft)) if (row.status === "ready") openReady(draft, row);
  return true;
}
