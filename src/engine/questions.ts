// A tool that asks people something in the middle of its work: each question is a run of its own with one gate in it, so
// that it stands in the inbox, is answered through any door, and outlives this process. The same question asked again is
// the same run.

import type { Json, JsonObject } from "../flow/json.ts";
import { isObject, own } from "../flow/json.ts";
import type { RunId } from "../run/model.ts";
import { engineStops, type Question, type QuestionAnswer } from "../tool/tool.ts";
import { program } from "./asker.ts";
import type { CallOrder } from "./call-context.ts";
import type { Request } from "./request.ts";
import type { RunResult } from "./waiters.ts";

export type QuestionsParts = {
  readonly ask: (request: Request) => Promise<Json>;
  /** How the run ended, as soon as it has. */
  readonly result: (run: RunId) => Promise<RunResult>;
};

const titleLengthMax = 200;
const messageLengthMax = 8000;

export async function askPeople(
  parts: QuestionsParts,
  order: CallOrder,
  { question, signal }: { readonly question: Question; readonly signal: AbortSignal },
): Promise<QuestionAnswer> {
  const { run, call, claimant } = order;
  const { key, form } = question;
  const about = `${call.tool} asks in run ${run}`.slice(0, titleLengthMax);
  const answer = await parts.ask({
    kind: "start",
    flow: flowFor(form),
    name: about,
    // Not in the flow itself: what a tool says is no template.
    input: { title: about, message: question.message.slice(0, messageLengthMax) },
    by: claimant.user,
    via: null,
    at: null,
    // The row stays the same when the call is taken up by another process.
    startKey: `question:${call.row}:${key}`,
    as: program,
  });
  const asked = Number(isObject(answer) ? answer["id"] : answer);
  const withdraw = (): void => {
    if (signal.reason !== engineStops) void parts.ask(withdrawal(asked)).catch(() => {});
  };
  if (signal.aborted) withdraw();
  else signal.addEventListener("abort", withdraw, { once: true });
  try {
    return toAnswer(await parts.result(asked));
  } finally {
    signal.removeEventListener("abort", withdraw);
  }
}

function flowFor(form: JsonObject | null): JsonObject {
  const gate = {
    title: "{{ input.title }}",
    message: "{{ input.message }}",
    ...(form === null ? {} : { form }),
  };
  return {
    format: "stepwell/v1",
    start: "question",
    steps: {
      question: { gate, routes: { rejected: "no" }, next: "yes" },
      yes: { set: { answer: "{{ previous }}" }, done: true },
      no: { set: { declined: true }, done: true },
    },
  };
}

function withdrawal(run: RunId): Request {
  const said = { kind: "cancel", by: program.user, reason: "The call that asked is over." } as const;
  return { kind: "say", id: `withdrawn:${run}`, run, said, as: program };
}

function toAnswer({ status, output }: RunResult): QuestionAnswer {
  if (status !== "completed" || !isObject(output)) return { kind: "cancelled" };
  return own(output, "declined") === true
    ? { kind: "declined" }
    : { kind: "accepted", content: own(output, "answer") ?? null };
}
