// `stepwell skip`: lets a step that is held, or an undoing that failed, go by.

import { actOnStep, stepFlags, stepOperand } from "../act-on-step.ts";
import { defineCommand, type Command } from "../command.ts";
import { isUndecided } from "../../engine/doing.ts";

export const command: Command = defineCommand({
  operands: [stepOperand],
  flags: stepFlags,
  examples: ["skip 1774093092894"],
  act: (call) =>
    actOnStep(call, {
      fits: isUndecided,
      what: "step that is held",
      act: (engine, step, by) => engine.skip(step, { by }),
      done: "skipped",
    }),
});
