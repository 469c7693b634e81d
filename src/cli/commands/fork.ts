// `stepwell fork`: a new run from a step on, with another input.

import { StepwellError } from "../../error.ts";
import { defineCommand, type Command } from "../command.ts";
import { followFlags } from "../follow-flags.ts";
import { readFrom, startAgain } from "../start-again.ts";

export const command: Command = defineCommand({
  operands: [
    { name: "<run>", completes: "run" },
    { name: "[key=value …]", isRepeated: true },
  ],
  flags: {
    from: { value: "STEP", about: "a step's name or id; all before it is taken over", completes: "step-name" },
    input: { value: "JSON|@file|-", about: "the new input; key=value changes single values of the old one" },
    ...followFlags,
  },
  examples: ["fork 1774093092891 --from publish topic=harbours"],
  async act(call) {
    const { values, usage } = call;
    const [, ...pairs] = call.operands;
    if (values.from === undefined)
      throw new StepwellError("USAGE", "Say from which step: --from STEP.", { hint: usage });
    const { readInput } = await import("../input.ts");
    return await startAgain(call, ({ engine }, { run, plan }) => {
      const given = readInput({ whole: values.input, pairs, schema: plan?.input.schema ?? null });
      const isSame = values.input === undefined && pairs.length === 0;
      const input = isSame ? {} : { input: values.input === undefined ? { ...run.input, ...given } : given };
      return engine.fork(run.id, { ...readFrom(values.from), ...input });
    });
  },
});
