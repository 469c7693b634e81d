// `stepwell workflow clone`: the same once more, under another name.

import { changeWorkflow, nameOf, workflowOperand } from "../change-workflow.ts";
import { defineCommand, type Command } from "../command.ts";

export const command: Command = defineCommand({
  operands: [workflowOperand],
  flags: {},
  details: "It is called NAME (copy), is disabled, and has nothing that starts it by itself.",
  examples: ["workflow clone digest"],
  act(call) {
    const name = nameOf(call);
    return changeWorkflow(call, {
      act: (workflows, by) => workflows.clone(name, { by }),
      done: () => "copied, disabled",
    });
  },
});
