// `stepwell workflow restore`: a new version that equals an older one.

import { StepwellError } from "../../error.ts";
import {
  changeWorkflow,
  expectFlags,
  nameOf,
  readExpected,
  readVersionNumber,
  workflowOperand,
} from "../change-workflow.ts";
import { defineCommand, type Command } from "../command.ts";

export const command: Command = defineCommand({
  operands: [workflowOperand, { name: "<version>" }],
  flags: { note: { value: "TEXT", about: "why" }, ...expectFlags },
  details: "Also brings back a workflow that was deleted.",
  examples: ["workflow restore digest 3 --note 'the new one was too long'"],
  act(call) {
    const { operands, values, usage } = call;
    const name = nameOf(call);
    const [, wanted] = operands;
    if (wanted === undefined) throw new StepwellError("USAGE", "Say which version.", { hint: usage });
    const version = readVersionNumber(wanted, usage);
    const options = { ...readExpected(call), ...(values.note === undefined ? {} : { note: values.note }) };
    return changeWorkflow(call, {
      act: (workflows, by) => workflows.restore(name, version, { by, ...options }),
      done: (changed) => `restored version ${version} as ${changed.version}`,
    });
  },
});
