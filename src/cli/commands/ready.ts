// `stepwell ready`: approves a gate, or lets a step that waits for its time go on now.

import { actOnStep, stepFlags, stepOperand } from "../act-on-step.ts";
import { defineCommand, type Command } from "../command.ts";

export const command: Command = defineCommand({
  operands: [stepOperand],
  flags: stepFlags,
  examples: ["ready 1774093092894"],
  act: (call) =>
    actOnStep(call, {
      fits: ({ status }) => status === "pending",
      what: "step that waits",
      act: (engine, step, by) => engine.ready(step, { by }),
      done: "ready",
    }),
});
