// `stepwell answer`: a gate may have more ways out than yes and no.

import { StepwellError } from "../../error.ts";
import { stepOperand } from "../act-on-step.ts";
import { answerFlags, answerGate } from "../answer-gate.ts";
import { defineCommand, type Command } from "../command.ts";

export const command: Command = defineCommand({
  operands: [stepOperand, { name: "<outcome>", completes: ["approved", "rejected"] }],
  flags: answerFlags,
  examples: ["answer 1774093092894 later --comment 'ask again on Monday'"],
  act(call) {
    const [, outcome] = call.operands;
    if (outcome === undefined)
      throw new StepwellError("USAGE", "Say which answer: approved, rejected, or a route of the gate.", {
        hint: call.usage,
      });
    return answerGate(call, outcome);
  },
});
