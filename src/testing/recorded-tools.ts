// Tools that answer with what a real run was given: each call gets the answer that the same call got then, so that a flow
// can be tried again, or changed, without calling anything.

import { canonicalText, isArray, isObject, own, type Json } from "../flow/json.ts";
import { pointerTo } from "../flow/pointer.ts";
import type { SecretPlace } from "../flow/template/expand.ts";
import type { Row } from "../run/model.ts";
import { outcome, type NamedResult } from "../tool/function.ts";
import { fakeTool, throws, type FakeTool, type Throws } from "./fake-tool.ts";

/** What a finished row of a run has to say of its call. */
export type RecordedStep = Pick<
  Row,
  "step" | "visit" | "index" | "attempt" | "status" | "tool" | "args" | "result" | "outcome" | "error"
> &
  // Where the values of secrets stood: rows hold placeholders.
  Partial<Pick<Row, "secrets">>;

/** `recordedTools((await engine.get(run)).steps)`: one for each tool that was called. The same arguments get the answers
 *  that they got then, in turn, whatever secrets stand among them; arguments that nobody had are a failure that says so. */
export function recordedTools(steps: readonly RecordedStep[]): readonly FakeTool[] {
  const byTool = Map.groupBy(steps.filter(isAnswered), ({ tool }) => tool ?? "");
  return [...byTool].map(([name, calls]) => {
    // Those without secrets are found by their arguments: there may be thousands.
    const plain = Map.groupBy(calls.filter(isPlain), ({ args }) => canonicalText(args ?? {}));
    const others = calls.filter((call) => !isPlain(call));
    const left = new Set(others);
    return fakeTool(name, (input) => {
      const isSame = (call: RecordedStep): boolean => isSameCall(call, input);
      const same = plain.get(canonicalText(input));
      const call = same?.shift() ?? [...left].find(isSame);
      if (call === undefined) return unrecorded(name, input, same !== undefined || others.some(isSame));
      left.delete(call);
      return answerOf(call, steps);
    });
  });
}

function isPlain({ secrets = [] }: RecordedStep): boolean {
  return secrets.length === 0;
}

/** Whether all but the values of secrets is as it was. */
function isSameCall({ args, secrets = [] }: RecordedStep, input: Json): boolean {
  const places = Map.groupBy(secrets, ({ pointer }) => pointer);
  const isSame = (was: Json, is: Json | undefined, path: readonly (string | number)[]): boolean => {
    if (is === undefined) return false;
    if (typeof was === "string") return typeof is === "string" && fits(is, around(was, places.get(pointerTo(...path))));
    if (isArray(was))
      return isArray(is) && was.length === is.length && was.every((one, at) => isSame(one, is[at], [...path, at]));
    if (!isObject(was)) return was === is;
    const keys = Object.keys(was);
    if (!isObject(is) || Object.keys(is).length !== keys.length) return false;
    return keys.every((key) => isSame(own(was, key) ?? null, own(is, key), [...path, key]));
  };
  return isSame(args ?? {}, input, []);
}

/** What stands before, between and behind the secrets of a text. */
function around(text: string, places: readonly SecretPlace[] = []): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  for (const { offset, length } of places.toSorted((one, other) => one.offset - other.offset)) {
    parts.push(text.slice(from, offset));
    from = offset + length;
  }
  return [...parts, text.slice(from)];
}

/** Whether the text consists of these parts in this order, with anything between them. */
function fits(text: string, [first = "", ...others]: readonly string[]): boolean {
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let from = first.length;
  for (const part of others) {
    const at = text.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return text.length - last.length >= from && text.endsWith(last);
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
