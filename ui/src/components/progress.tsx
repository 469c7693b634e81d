// How far a call is: a thin bar, and what its tool says. Only what is shown of it is drawn anew, however often it is told.

import { useSyncExternalStore } from "react";
import { percentOf, sayProgress, type Progress } from "../model/progress.ts";
import type { Step } from "../model/run.ts";
import { useLiveDesk } from "./live.tsx";

/** null: nothing is known of it, or the step is not under way. */
export function useProgress(step: Step | null): Progress | null {
  const desk = useLiveDesk();
  const told = useSyncExternalStore(desk.subscribeProgress, () =>
    step === null ? undefined : desk.progress().get(step.id),
  );
  return step?.status === "running" ? (told ?? step.progress) : null;
}

export function ProgressBar({ progress, label }: { readonly progress: Progress; readonly label: string }) {
  const percent = percentOf(progress);
  return (
    <span
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent ?? undefined}
      aria-valuetext={sayProgress(progress)}
      data-token="running"
      data-testid="progress"
      className="block h-[3px] w-full overflow-hidden rounded-full bg-sunken"
    >
      <span
        className={`status-solid block h-full rounded-full ${percent === null ? "progress-unknown w-1/3" : ""}`}
        style={percent === null ? undefined : { width: `${percent}%` }}
      />
    </span>
  );
}
