// What the server tells of a run or a step that has another status now.

import type { RunStatus, StepStatus } from "./status.ts";

export type Change = {
  readonly run: number;
  /** null: the run itself. */
  readonly step: number | null;
  readonly name: string;
  readonly stepName: string | null;
  readonly status: RunStatus | StepStatus;
  readonly at: number;
};
