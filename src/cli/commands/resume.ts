// `stepwell resume`.

import { actOnRuns } from "../act-on-runs.ts";
import { defineCommand, type Command } from "../command.ts";

export const command: Command = defineCommand({
  operands: [{ name: "<run …>", completes: "run", isRepeated: true }],
  flags: {},
  examples: ["resume 1774093092891"],
  act: (call) => actOnRuns(call, { act: ({ engine, user }, run) => engine.resume(run, { by: user }), done: "resumed" }),
});
