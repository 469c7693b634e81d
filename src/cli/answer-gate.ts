// Answers a gate.

import type { Call, Values } from "./command.ts";
import { actOnStep } from "./act-on-step.ts";
import { isOpenGate } from "../engine/doing.ts";

export const answerFlags = {
  comment: { value: "TEXT", about: "why; kept with the answer" },
  data: { value: "JSON|@file|-", about: "what the gate's form asks for" },
  step: { value: "NAME", about: "which gate, when several of the run wait", completes: "step-name" },
} as const;

type AnswerCall = Call & { readonly values: Values<typeof answerFlags> };

export async function answerGate(call: AnswerCall, outcome: string): Promise<number> {
  const { comment, data } = call.values;
  const { readInput } = await import("./input.ts");
  const given = data === undefined ? {} : { data: readInput({ whole: data, pairs: [], schema: null }) };
  return await actOnStep(call, {
    fits: isOpenGate,
    what: "gate that waits for an answer",
    act: (engine, step, by) =>
      engine.answer(step, { by, outcome, ...given, ...(comment === undefined ? {} : { comment }) }),
    done: outcome,
  });
}
