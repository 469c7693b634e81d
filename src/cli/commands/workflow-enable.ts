// `stepwell workflow enable`: lets a workflow be started again.

import { changeWorkflow, expectFlags, nameOf, readExpected, workflowOperand } from "../change-workflow.ts";
import { defineCommand, type Command } from "../command.ts";

export const command: Command = defineCommand({
  operands: [workflowOperand],
  flags: expectFlags,
  details: "NAME is all of it, NAME@3 one version.",
  examples: ["workflow enable digest"],
  act(call) {
    const name = nameOf(call);
    const expected = readExpected(call);
    return changeWorkflow(call, {
      act: (workflows, by) => workflows.enable(name, { by, ...expected }),
      done: () => "enabled",
    });
  },
});
