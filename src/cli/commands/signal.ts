// `stepwell signal`: a signal for one run; a wait that comes later takes it, too.

import { StepwellError } from "../../error.ts";
import { actOnRuns } from "../act-on-runs.ts";
import { defineCommand, type Command } from "../command.ts";

export const command: Command = defineCommand({
  operands: [{ name: "<run>", completes: "run" }, { name: "<name>" }, { name: "[key=value …]", isRepeated: true }],
  flags: { data: { value: "JSON|@file|-", about: "the data as a whole; key=value goes over it" } },
  examples: ["signal 1774093092891 paid amount=12"],
  async act(call) {
    const { values, usage } = call;
    const [run, name, ...pairs] = call.operands;
    if (run === undefined || name === undefined)
      throw new StepwellError("USAGE", "Say which run, and the name of the signal.", { hint: usage });
    const { readInput } = await import("../input.ts");
    const data = readInput({ whole: values.data, pairs, schema: null });
    return await actOnRuns(
      { ...call, operands: [run] },
      {
        act: ({ engine }, id) => engine.signal(id, name, data),
        done: `sent (${name})`,
      },
    );
  },
});
