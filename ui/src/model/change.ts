// What the server tells of a run or a step that has another status now.

import type { RunStatus, StepStatus } from "./status.ts";

export type Change = {
  readonly run: number;
  /** null: the run itself. */
  readonly step: number | null;
  readonly name: string;
  readonly stepName: string | null;
  /** `removed`: the run is not there any more. */
  readonly status: RunStatus | StepStatus | "removed";
  readonly at: number;
};

/** What is kept beside the runs, of which it is told only that it has changed. */
export type Beside = "workflows" | "tools" | "servers" | "lock";

/** What is read anew when it has, by the first word of its key. A workflow that is saved or switched off may be scheduled;
 *  a flow is held to the tools that there are. */
export const readsOf: { readonly [what in Beside]: readonly string[] } = {
  workflows: ["workflows", "workflow", "schedules", "alarms"],
  tools: ["tools", "validation"],
  servers: ["servers"],
  lock: ["lock", "inbox"],
};

/** Told while somebody listens, and never afterwards: whoever was away reads it anew. */
export const notRepeated: readonly Beside[] = ["tools", "servers", "lock"];
