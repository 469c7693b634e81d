// `stepwell workflow delete`: no longer listed or started.

import { changeWorkflow, expectFlags, nameOf, readExpected, workflowOperand } from "../change-workflow.ts";
import { defineCommand, type Command } from "../command.ts";

export const command: Command = defineCommand({
  operands: [workflowOperand],
  flags: expectFlags,
  details: "Its versions stay: saving or restoring it brings it back. Runs under way go on.",
  examples: ["workflow delete digest"],
  act(call) {
    const name = nameOf(call);
    const expected = readExpected(call);
    return changeWorkflow(call, {
      act: (workflows, by) => workflows.delete(name, { by, ...expected }),
      done: () => "deleted",
    });
  },
});
