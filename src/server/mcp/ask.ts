// Waiting for a run, and asking the person at the client what it waits for, where the client can be asked: a question is
// pushed, and what comes back goes through the same verb as any other answer. What was answered elsewhere is withdrawn.

import { RELATED_TASK_META_KEY, type ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";
import { StepwellError } from "../../error.ts";
import type { JsonObject } from "../../flow/json.ts";
import { hasEnded, type Row, type RunId } from "../../run/model.ts";
import { messageOfThrown } from "../../tool/thrown.ts";
import { isTooLate, tellingWhoAnswered } from "../answered.ts";
import type { Caller } from "./caller.ts";
import { refuseDeep } from "./failure.ts";
import type { House, SeenRun } from "./house.ts";
import { readPushed, toPushedParams } from "./pushed-question.ts";
import type { OpenQuestion } from "./questions.ts";
import { give } from "./run-tools.ts";
import { askedOf, lookerOf } from "./task-view.ts";
import { waitFor, type Wish } from "./wait.ts";

/** Resolves with what the person has said; rejects when it was not asked, or withdrawn. */
export type Ask = (params: JsonObject, signal: AbortSignal) => Promise<unknown>;

/** As long as a timer can be: then the request within which it is asked is what ends it. */
const longestMs = 2 ** 31 - 1;

/** Within this request. `task`: what it is part of; null: of none. */
export function askWithin(
  { mcpReq }: ServerContext,
  { task, timeoutMs }: { readonly task: string | null; readonly timeoutMs: number | null },
): Ask {
  const meta = task === null ? {} : { _meta: { [RELATED_TASK_META_KEY]: { taskId: task } } };
  return (params, signal) =>
    mcpReq.send({ method: "elicitation/create", params: { ...params, ...meta } }, z.unknown(), {
      signal,
      timeout: timeoutMs ?? longestMs,
    });
}

export type Talk = Omit<Wish, "isEnough"> & {
  /** null: the client cannot be asked. */
  readonly ask: Ask | null;
  /** Whether a run that waits for other people is worth waiting for. */
  readonly isForPeople: boolean;
  /** For who asks it is over before it has ended. */
  readonly isOver?: (seen: SeenRun) => boolean;
  /** A question that was asked is still open, or was answered by somebody else first. */
  readonly onRemark?: (remark: string) => void;
};

export type Heard = {
  readonly seen: SeenRun;
  /** Why questions that were asked are still open; and which ones somebody else has answered first. */
  readonly remarks: readonly string[];
};

type Place = { readonly house: House; readonly caller: Caller };

/** Until the run has ended, waits for somebody else, or takes too long; one question after the other, each once. */
export async function waitAndAsk(place: Place, talk: Talk): Promise<Heard> {
  const { ask, isForPeople, isOver = ({ run }) => hasEnded(run), onRemark, ...wish } = talk;
  const { house, caller } = place;
  const left = new Map<string, Remark>();
  const listOpen = ({ questions }: SeenRun): readonly OpenQuestion[] =>
    ask === null ? [] : askedOf(questions, lookerOf(caller, house)).filter(({ key }) => !left.has(key));
  for (;;) {
    const isEnough = (seen: SeenRun): boolean =>
      isOver(seen) || listOpen(seen).length > 0 || (!isForPeople && seen.questions.length > 0);
    const seen = await waitFor(house, caller, { ...wish, isEnough });
    const [question] = listOpen(seen);
    if (ask === null || question === undefined || isOver(seen) || wish.signal.aborted) {
      const open = new Set(seen.questions.map(({ key }) => key));
      const told = [...left].filter(([key, remark]) => remark.isOver || open.has(key));
      return { seen, remarks: told.map(([, { words }]) => words) };
    }
    const remark = await put(place, { question, ask, run: wish.run, signal: wish.signal });
    if (remark === null) continue;
    left.set(question.key, remark);
    if (!wish.signal.aborted) onRemark?.(remark.words);
  }
}

/** Of a question that is not asked again; `isOver`: nobody can answer it any more. */
type Remark = { readonly words: string; readonly isOver: boolean };

type Put = Pick<Wish, "run" | "signal"> & { readonly question: OpenQuestion; readonly ask: Ask };

/** So often is the same thing asked of somebody whose answers do not fit. */
const triesMax = 3;

/** null: it has been answered, here or elsewhere; else why not. */
async function put(place: Place, { question, ask, run, signal }: Put): Promise<Remark | null> {
  let remark: string | null = null;
  for (let tried = 0; tried < triesMax; tried++) {
    const said = await whileOpen(place, { question, run, signal }, (until) =>
      ask(toPushedParams(question, remark), until),
    );
    if (said.kind === "gone") return null;
    if (said.kind === "failed") return tellOpen(question, `could not be asked: ${messageOfThrown(said.error)}`);
    const decided = readSafely(question, said.response);
    if (decided.kind === "open") return tellOpen(question, "was not answered");
    if (decided.kind === "answer") return answer(place, { question, run }, decided);
    remark = `The answer before did not fit: ${decided.message}.`;
  }
  return tellOpen(question, `was answered in a way that did not fit. ${remark ?? ""}`);
}

function readSafely(question: OpenQuestion, response: unknown): ReturnType<typeof readPushed> {
  try {
    refuseDeep(response as JsonObject);
    return readPushed(question, response);
  } catch (error) {
    return { kind: "unclear", message: messageOfThrown(error) };
  }
}

type Given = Extract<ReturnType<typeof readPushed>, { readonly kind: "answer" }>;

/** What the engine refuses is told: whoever has answered was shown the question, and is not the one to answer it. */
async function answer(
  { caller }: Place,
  { question, run }: Pick<Put, "question" | "run">,
  { answer: chosen, data, comment }: Given,
): Promise<Remark | null> {
  const given = give(caller.engine, chosen, { data, comment });
  try {
    await tellingWhoAnswered(given, () => findRow(caller, run, question));
    return null;
  } catch (error) {
    if (!(error instanceof StepwellError)) throw error;
    if (isTooLate(error)) return tellOver(question, error);
    return tellOpen(question, `did not take the answer: ${error.message}`);
  }
}

async function findRow({ engine }: Caller, run: RunId, { row }: OpenQuestion): Promise<Row> {
  const found = (await engine.get(run)).steps.find(({ id }) => id === row?.id);
  if (found === undefined) throw new StepwellError("STEP_NOT_FOUND", `It is no step of run ${run} any more.`);
  return found;
}

function tellOver({ title }: OpenQuestion, { details }: StepwellError): Remark {
  const by = details !== undefined && "by" in details && typeof details.by === "string" ? details.by : null;
  const what = by === null ? "was not open any more" : `had been answered by ${by}`;
  return { words: `"${title}" ${what} when this answer came.`, isOver: true };
}

function tellOpen({ title }: OpenQuestion, what: string): Remark {
  return { words: `"${title}" ${what}${what.endsWith(".") ? "" : "."} It stays open.`, isOver: false };
}

type Said =
  | { readonly kind: "said"; readonly response: unknown }
  | { readonly kind: "failed"; readonly error: unknown }
  /** Somebody else has answered it, or nobody can any more. */
  | { readonly kind: "gone" };

/** Withdraws what is asked when it is not open any more. */
async function whileOpen(
  { house, caller }: Place,
  { question: { key }, run, signal }: Omit<Put, "ask">,
  say: (until: AbortSignal) => Promise<unknown>,
): Promise<Said> {
  const [said, withdrawn] = [new AbortController(), new AbortController()];
  const isGone = ({ questions }: SeenRun): boolean =>
    !askedOf(questions, lookerOf(caller, house)).some((question) => question.key === key);
  const wish = { run, timeoutMs: null, signal: AbortSignal.any([signal, said.signal]), isEnough: isGone };
  const watching = waitFor(house, caller, wish).then(
    (seen) => (isGone(seen) ? withdrawn.abort("It has been answered elsewhere.") : undefined),
    // Who cannot see the run any more cannot answer it either.
    () => withdrawn.abort("It cannot be answered any more."),
  );
  try {
    const response = await say(AbortSignal.any([signal, withdrawn.signal]));
    return { kind: "said", response };
  } catch (error) {
    return withdrawn.signal.aborted ? { kind: "gone" } : { kind: "failed", error };
  } finally {
    said.abort();
    await watching;
  }
}
