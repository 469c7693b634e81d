// `stepwell pause`.

import { actOnRuns } from "../act-on-runs.ts";
import { defineCommand, type Command } from "../command.ts";

export const command: Command = defineCommand({
  operands: [{ name: "<run …>", completes: "run", isRepeated: true }],
  flags: {},
  examples: ["pause 1774093092891"],
  act: (call) => actOnRuns(call, { act: ({ engine, user }, run) => engine.pause(run, { by: user }), done: "paused" }),
});
