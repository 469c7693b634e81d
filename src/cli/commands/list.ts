// `stepwell list`: runs, newest first.

import { defineCommand, type Command } from "../command.ts";
import { listFlags, tellRuns } from "../list-runs.ts";

export const command: Command = defineCommand({
  operands: [],
  flags: {
    status: {
      value: "s,…",
      about: "only these: running, failed, live, all …; else all but cancelled",
      completes: statuses(),
    },
    ...listFlags,
  },
  examples: [
    "list --status failed --since 2h",
    "list --text timeout --field order.no=17",
    "list --json --fields id,status",
  ],
  act: (call) => tellRuns(call, call.values.status ?? null),
});

function statuses(): readonly string[] {
  return ["scheduled", "running", "paused", "completed", "failed", "cancelled", "live", "all"];
}
