// Runs, for clients that know nothing of tasks: how one is, what it waits for, and what can be said to it.

import { z } from "zod";
import type { UserEngine } from "../../engine/engine.ts";
import { StepwellError } from "../../error.ts";
import type { Json, JsonObject } from "../../flow/json.ts";
import { hasEnded, type RunId } from "../../run/model.ts";
import { toHistoryDocument, toRunDocument } from "../document/run.ts";
import type { Answer } from "../waiting.ts";
import { answerable, tellUnanswerable } from "./caller.ts";
import { decides, reads } from "./hints.ts";
import { countFitting } from "./fit.ts";
import { lookAt } from "./house.ts";
import { findAnswer, type OpenQuestion } from "./questions.ts";
import { toEndResult, toPendingResult } from "./run-answer.ts";
import { cursorShape, listShape, pageShape, toStatuses } from "./seed-tools.ts";
import { defineDoorTool, findRun, flowShape, runShape, tell, type DoorTool } from "./tool.ts";

const get = defineDoorTool({
  name: "run_get",
  title: "See how a run is",
  description:
    "How a run is: what it gave if it has ended, what it waits for and with which answers it goes on if not.",
  right: "read",
  annotations: reads,
  args: z.strictObject({ run_id: runShape }),
  call: async ({ run_id: id }, { engine, house, caller }) => {
    const { run, questions } = await lookAt(house, caller, await findRun(engine, id));
    if (!hasEnded(run)) return toPendingResult(run, answerable(questions, caller), tellUnanswerable(questions, caller));
    // The question was answered well, however the run has ended.
    const { isError: _, ...result } = toEndResult(run);
    return result;
  },
});

const list = defineDoorTool({
  name: "run_list",
  title: "List runs",
  description: "Runs, newest first, by status and workflow; cancelled ones only when asked for.",
  right: "read",
  annotations: reads,
  args: z.strictObject({
    status: listShape,
    workflow: z.string().max(200).optional().describe("Only runs of this name"),
    limit: pageShape,
    cursor: cursorShape,
  }),
  call: async ({ status, workflow, limit, cursor }, { engine }) => {
    const { runs, next } = await engine.overview.search({
      ...toStatuses(status),
      limitMax: limit,
      ...(workflow === undefined ? {} : { name: workflow }),
      ...(cursor === undefined ? {} : { before: cursor }),
    });
    return tell({ runs: runs.map(toShort), next });
  },
});

function toShort(stored: Parameters<typeof toRunDocument>[0]): JsonObject {
  const { uid, name, status, terminalKind, error, createdAt, completedAt } = stored.run;
  const times = { created_at: createdAt, completed_at: completedAt };
  return { run_id: uid, name, status, terminal_kind: terminalKind, error, ...times };
}

const cancel = defineDoorTool({
  name: "run_cancel",
  title: "Cancel a run",
  description: "Cancel a run, where its flow allows it; what it has done may be undone.",
  right: "cancel",
  annotations: decides,
  args: z.strictObject({ run_id: runShape, reason: z.string().max(1000).optional() }),
  call: async ({ run_id: id, reason }, { engine }) => {
    const run = await findRun(engine, id);
    await engine.cancel(run, reason === undefined ? {} : { reason });
    const { uid, status, terminalKind } = await engine.get(run);
    return tell({ run_id: uid, status, terminal_kind: terminalKind });
  },
});

const respond = defineDoorTool({
  name: "run_respond",
  title: "Answer what a run waits for",
  description:
    "Answer what a run waits for, in the name of the person who has decided it: run_get lists each step that waits, " +
    "with the answers that it takes.",
  right: "answer",
  annotations: decides,
  args: z.strictObject({
    run_id: runShape,
    step_id: z
      .union([z.string().max(20), z.int()])
      .optional()
      .describe("Which of them; need not be given where just one waits"),
    answer: z.string().min(1).max(200).describe("One of the choices that run_get lists"),
    data: z.unknown().optional().describe("What the form of the step asks for, or the result of a step that was done"),
    comment: z.string().max(10_000).optional(),
  }),
  call: async (args, { engine, house, caller }) => {
    const id = await findRun(engine, args.run_id);
    const { questions } = await lookAt(house, caller, id);
    const question = pick(questions, args.step_id, id);
    const answer = findAnswer(question, args.answer);
    if (answer === undefined)
      throw new StepwellError("INPUT_INVALID", `Step ${question.key} does not take the answer "${args.answer}".`, {
        hint: `It takes ${question.choices.join(", ")}.`,
        details: { choices: question.choices },
      });
    await give(engine, answer, { data: (args.data ?? null) as Json, comment: args.comment ?? null });
    const seen = await lookAt(house, caller, id);
    if (hasEnded(seen.run)) return toEndResult(seen.run);
    return toPendingResult(seen.run, seen.questions, tellUnanswerable(seen.questions, caller));
  },
});

function pick(questions: readonly OpenQuestion[], step: string | number | undefined, run: RunId): OpenQuestion {
  const meant = step === undefined ? questions : questions.filter(({ key }) => key === String(step));
  const [one, other] = meant;
  if (one !== undefined && other === undefined) return one;
  const waiting = questions.map(({ key, title, choices }) => `step ${key} (${title}): ${choices.join(", ")}`);
  throw new StepwellError(
    "INPUT_INVALID",
    one === undefined
      ? `Nothing ${step === undefined ? `in run ${run}` : `at step ${step}`} waits for an answer.`
      : "Several steps wait: say which one is meant with step_id.",
    { ...(waiting.length === 0 ? {} : { hint: waiting.join("; ") }), details: { waiting } },
  );
}

export type Given = { readonly data: Json | null; readonly comment: string | null };

/** Says it to the engine, which checks it like any other. */
export async function give(engine: UserEngine, { verb, id, word }: Answer, { data, comment }: Given): Promise<void> {
  const said = { ...(data === null ? {} : { data }), ...(comment === null ? {} : { comment }) };
  switch (verb) {
    case "approve":
      return engine.answer(id, { ...said, outcome: "approved" });
    case "reject":
      return engine.answer(id, { ...said, outcome: "rejected" });
    case "answer":
      return engine.answer(id, { ...said, outcome: word ?? "" });
    case "resolve":
      return engine.resolve(id, { how: word === "done" || word === "failed" ? word : "retry", result: data });
    case "choose":
      return engine.choose(id, { step: word === "end" ? null : word });
    case "skip":
      return engine.skip(id);
    case "fire":
      return engine.fire(id, {
        transition: word ?? "",
        ...(comment === null ? {} : { reason: comment }),
        ...(typeof data === "object" && data !== null && !Array.isArray(data) ? { data: data as JsonObject } : {}),
      });
    case "resume":
      return engine.resume(id);
    case "cancel":
      return engine.cancel(id, comment === null ? {} : { reason: comment });
  }
}

/** So much of a history is told at once. */
const entriesMax = 200;

const history = defineDoorTool({
  name: "run_history",
  title: "What happened in a run",
  description: "What happened in a run, in order.",
  right: "read",
  annotations: reads,
  args: z.strictObject({
    run_id: runShape,
    from: z.int().min(0).default(0).describe("Go on from here: what `next` of the answer before says"),
  }),
  call: async ({ run_id: id, from }, { engine }) => {
    const entries = await engine.history(await findRun(engine, id));
    const page = entries.slice(from, from + entriesMax).map(toHistoryDocument);
    const told = page.slice(0, countFitting(page));
    const next = from + told.length < entries.length ? from + told.length : null;
    return tell({ entries: told, total: entries.length, next });
  },
});

const validate = defineDoorTool({
  name: "workflow_validate",
  title: "Check a flow",
  description:
    "What is wrong with a flow, each with its place, and where one cures it with a JSON Patch (RFC 6902) to apply. " +
    "Nothing is saved or started.",
  right: "read",
  annotations: reads,
  args: z.strictObject({ flow: flowShape }),
  call: async ({ flow }, { engine }) => {
    const { findings, ok } = await engine.validate(flow as Json);
    return tell({ is_valid: ok, findings: findings.map((finding) => ({ ...finding })) });
  },
});

export const runTools: readonly DoorTool[] = [list, get, respond, cancel, history, validate];
