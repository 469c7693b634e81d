// `stepwell fire`: fires a transition of a machine.

import { StepwellError } from "../../error.ts";
import { actOnRuns } from "../act-on-runs.ts";
import { defineCommand, type Command } from "../command.ts";

export const command: Command = defineCommand({
  operands: [
    { name: "<run>", completes: "run" },
    { name: "<transition>" },
    { name: "[key=value …]", isRepeated: true },
  ],
  flags: {
    reason: { value: "TEXT", about: "why; some transitions ask for it" },
    data: { value: "JSON|@file|-", about: "the data as a whole; key=value goes over it" },
  },
  examples: ["fire 1774093092891 approve --reason 'all there'"],
  async act(call) {
    const { values, usage } = call;
    const [run, transition, ...pairs] = call.operands;
    if (run === undefined || transition === undefined)
      throw new StepwellError("USAGE", "Say which transition of which run.", { hint: usage });
    const { readInput } = await import("../input.ts");
    const data = readInput({ whole: values.data, pairs, schema: null });
    const reason = values.reason === undefined ? {} : { reason: values.reason };
    return await actOnRuns(
      { ...call, operands: [run] },
      {
        act: ({ engine, user }, id) => engine.fire(id, { by: user, transition, data, ...reason }),
        done: `fired (${transition})`,
      },
    );
  },
});
