// `stepwell workflow disable`: what is disabled is not started any more.

import { changeWorkflow, expectFlags, nameOf, readExpected, workflowOperand } from "../change-workflow.ts";
import { defineCommand, type Command } from "../command.ts";

export const command: Command = defineCommand({
  operands: [workflowOperand],
  flags: expectFlags,
  details: "NAME is all of it, NAME@3 one version. Runs under way go on.",
  examples: ["workflow disable digest"],
  act(call) {
    const name = nameOf(call);
    const expected = readExpected(call);
    return changeWorkflow(call, {
      act: (workflows, by) => workflows.disable(name, { by, ...expected }),
      done: () => "disabled",
    });
  },
});
