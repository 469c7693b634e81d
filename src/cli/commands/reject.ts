// `stepwell reject`.

import { defineCommand, type Command } from "../command.ts";
import { answerFlags, answerGate } from "../answer-gate.ts";
import { stepOperand } from "../act-on-step.ts";

export const command: Command = defineCommand({
  operands: [stepOperand],
  flags: answerFlags,
  details: "A gate by its own id, or by that of its run when only one waits there.",
  examples: ["reject 1774093092894 --comment 'not yet'"],
  act: (call) => answerGate(call, "rejected"),
});
