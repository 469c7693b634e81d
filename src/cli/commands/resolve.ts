// `stepwell resolve`: what became of a call that was cut off.

import { StepwellError } from "../../error.ts";
import type { Json } from "../../flow/json.ts";
import { nearest } from "../../flow/suggest.ts";
import { actOnStep, stepFlags, stepOperand } from "../act-on-step.ts";
import { defineCommand, type Command, type Flags } from "../command.ts";
import { isUndecided } from "../../engine/doing.ts";

const hows = ["retry", "done", "failed"] as const;
const flags = {
  data: { value: "JSON|@file|-", about: "with done: what the call has given" },
  ...stepFlags,
} as const satisfies Flags;

export const command: Command = defineCommand({
  operands: [stepOperand, { name: "retry|done|failed", completes: hows }],
  flags,
  details: "done: it happened, and this is its result; failed: it did not, and the step fails; retry: try it again.",
  examples: ["resolve 1774093092894 retry", "resolve 1774093092894 done --data '{\"paid\": true}'"],
  async act(call) {
    const { values, operands, usage } = call;
    const how = readHow(operands[1], usage);
    const { readValue } = await import("../input.ts");
    const result: Json = values.data === undefined ? null : readValue(values.data);
    return await actOnStep(call, {
      fits: isUndecided,
      what: "step that a person must resolve",
      act: (engine, step, by) => engine.resolve(step, { by, how, result }),
      done: `resolved (${how})`,
    });
  },
});

function readHow(text: string | undefined, usage: string): (typeof hows)[number] {
  const how = hows.find((each) => each === text);
  if (how !== undefined) return how;
  const near = text === undefined ? undefined : nearest(text, hows);
  const suggestion = near === undefined ? "" : ` Did you mean "${near}"?`;
  throw new StepwellError("USAGE", `Say what became of it: retry, done or failed.${suggestion}`, { hint: usage });
}
