// `stepwell ps`: what is alive.

import { defineCommand, type Command } from "../command.ts";
import { listFlags, tellRuns } from "../list-runs.ts";

export const command: Command = defineCommand({
  operands: [],
  flags: listFlags,
  examples: ["ps", "ps -q"],
  act: (call) => tellRuns(call, "live"),
});
