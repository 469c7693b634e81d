// `stepwell choose`: where a step goes on for which no branch or route was found.

import { StepwellError } from "../../error.ts";
import { actOnStep, stepFlags, stepOperand } from "../act-on-step.ts";
import { defineCommand, type Command } from "../command.ts";
import { isAtCrossroads } from "../../engine/doing.ts";

export const command: Command = defineCommand({
  operands: [stepOperand, { name: "<next step>|end", completes: ["end"] }],
  flags: stepFlags,
  details: "end: the path ends here, and what the step gave is its output.",
  examples: ["choose 1774093092894 publish", "choose 1774093092894 end"],
  act(call) {
    const [, next] = call.operands;
    if (next === undefined)
      throw new StepwellError("USAGE", "Say where it goes on: the name of a step, or end.", { hint: call.usage });
    return actOnStep(call, {
      fits: isAtCrossroads,
      what: "step that waits for somebody to choose",
      act: (engine, step, by) => engine.choose(step, { by, step: next === "end" ? null : next }),
      done: `chosen (${next})`,
    });
  },
});
