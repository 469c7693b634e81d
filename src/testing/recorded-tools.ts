// Tools that answer with what a real run was given: each call gets the answer that the same call got then, so that a flow
// can be tried again, or changed, without calling anything.

import { canonicalText, type Json } from "../flow/json.ts";
import type { Row } from "../run/model.ts";
import { outcome, type NamedResult } from "../tool/function.ts";
import { fakeTool, throws, type FakeTool, type Throws } from "./fake-tool.ts";

/** What a finished row of a run has to say of its call. */
export type RecordedStep = Pick<
  Row,
  "step" | "visit" | "index" | "attempt" | "status" | "tool" | "args" | "result" | "outcome" | "error"
>;

/** `recordedTools((await engine.get(run)).steps)`: one for each tool that was called. The same arguments get the answers
 *  that they got then, in turn; arguments that nobody had are a failure that says so. */
export function recordedTools(steps: readonly RecordedStep[]): readonly FakeTool[] {
  const byTool = Map.groupBy(steps.filter(isAnswered), ({ tool }) => tool ?? "");
  return [...byTool].map(([name, calls]) => {
    const byArgs = Map.groupBy(calls, ({ args }) => canonicalText(args ?? {}));
    return fakeTool(name, (input) => {
      const left = byArgs.get(canonicalText(input));
      const call = left?.shift();
      return call === undefined ? unrecorded(name, input, left !== undefined) : answerOf(call, steps);
    });
  });
}

function isAnswered({ tool, status, error }: RecordedStep): boolean {
  // What our own crash cut off was called again.
  return tool !== null && (status === "done" || (status === "failed" && error?.code !== "interrupted"));
}

/** Names that the engine gives by itself are no names of the tool's. */
const ownOutcomes: ReadonlySet<string> = new Set(["success", "error"]);

function answerOf(call: RecordedStep, steps: readonly RecordedStep[]): Json | NamedResult | Throws {
  if (call.status === "failed") {
    const { code, message } = call.error ?? { code: "tool_failed", message: "It failed." };
    return throws({ code, message, isFinal: !steps.some((later) => isNextTry(call, later)) });
  }
  return call.outcome === null || ownOutcomes.has(call.outcome) ? call.result : outcome(call.outcome, call.result);
}

function isNextTry(call: RecordedStep, later: RecordedStep): boolean {
  const { step, visit, index, attempt } = later;
  return step === call.step && visit === call.visit && index === call.index && attempt > call.attempt;
}

function unrecorded(name: string, input: Json, isKnown: boolean): Throws {
  const args = JSON.stringify(input).slice(0, 200);
  const message = isKnown
    ? `The recorded run called "${name}" less often with ${args}.`
    : `The recorded run never called "${name}" with ${args}.`;
  return throws({ code: "not_recorded", message, isFinal: true });
}
