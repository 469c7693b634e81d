// `stepwell rerun`: a new run that takes over everything before a step; with --edit, with another input.

import { defineCommand, type Command } from "../command.ts";
import { editInput } from "../edit-input.ts";
import { followFlags } from "../follow-flags.ts";
import { readFrom, startAgain } from "../start-again.ts";

export const command: Command = defineCommand({
  operands: [{ name: "<run>", completes: "run" }],
  flags: {
    from: { value: "STEP", about: "a step's name or id; all before it is taken over", completes: "step-name" },
    edit: { about: "change the input in your editor first" },
    ...followFlags,
  },
  examples: ["rerun 1774093092891 --from publish", "rerun 1774093092891 --edit"],
  act(call) {
    const { edit, from } = call.values;
    return startAgain(call, async ({ engine }, { run }) => {
      if (!edit) return engine.rerun(run.id, readFrom(from));
      const input = await editInput(run.input, call);
      return input === null ? null : engine.fork(run.id, { ...readFrom(from), input });
    });
  },
});
