// `stepwell retry`: what failed, was cut off or undone runs again, in a new run.

import { defineCommand, type Command } from "../command.ts";
import { followFlags } from "../follow-flags.ts";
import { startAgain } from "../start-again.ts";

export const command: Command = defineCommand({
  operands: [{ name: "<run>", completes: "run" }],
  flags: followFlags,
  examples: ["retry 1774093092891"],
  act: (call) => startAgain(call, ({ engine }, { run }) => engine.retry(run.id)),
});
