// What a task of 2026-07-28 asks, and what people have answered: asked once, and brought to the server until it asks no more.
// An answer that the server refuses it has not taken: its question is still open, and people are asked again. One that it fails
// at is no worse for that: the same is brought again, later and later, and a few times only.

import { isObject, own, type Json, type JsonObject } from "../../flow/json.ts";
import { messageOfThrown } from "../thrown.ts";
import type { ToolAnswer } from "../tool.ts";
import { askPeople, paramsOfQuestion, plainKey, type Asking, type ElicitAnswer } from "./elicitation.ts";
import { failed, isRefusedAnswer, isReply, isUnknownTask, wordsOf } from "./failure.ts";
import { withoutInvisible } from "./shown-text.ts";

/** So often are people asked the same thing when the server does not take what they say. */
const triesMax = 3;
/** So often is the same answer brought to a server that fails at it: half a minute in all, in which one that begins anew,
 *  or has too much to do, has come round. */
const failuresMax = 6;
const againMs = 1000;

type TaskAnswersParts = {
  readonly task: string;
  readonly asking: Asking;
  /** People have answered. */
  readonly onAnswer: () => void;
};

/** Brings answers to the server. */
type Update = (params: JsonObject) => Promise<unknown>;

type Given = readonly [key: string, answer: ElicitAnswer];

/** `isOver`: people could say nothing else that would be taken. */
type Refusal = { readonly why: string; readonly isOver: boolean };

/** `againAt`: before then it is not brought again, by the clock of the link. */
type Failure = { readonly why: string; readonly count: number; readonly againAt: number };

export class TaskAnswers {
  readonly #parts: TaskAnswersParts;
  /** null: people have not answered yet. */
  readonly #answers = new Map<string, ElicitAnswer | null>();
  readonly #delivered = new Set<string>();
  /** What the server said no to; whether it does not want the answer, or does not know the task, it tells when asked next. */
  readonly #refused = new Map<string, Refusal>();
  readonly #tries = new Map<string, number>();
  /** What the server has failed at since it has last taken it. */
  readonly #failures = new Map<string, Failure>();
  #isNews = false;

  constructor(parts: TaskAnswersParts) {
    this.#parts = parts;
  }

  /** Something was brought to the server since this was asked last: it may go on at once. */
  takeNews(): boolean {
    const isNews = this.#isNews;
    this.#isNews = false;
    return isNews;
  }

  /** `requests`: what it asks now. null: it goes on; else the server takes no answer, and the call has failed by that. */
  async bring(requests: Json | undefined, update: Update): Promise<ToolAnswer | null> {
    const open = Object.entries(isObject(requests) ? requests : {});
    for (const [key, request] of open) {
      const problem = this.#look(key, request);
      if (problem !== null) return problem;
    }
    this.#refused.clear();
    const ready = open.flatMap(([key]): readonly Given[] => {
      const answer = this.#answers.get(key) ?? null;
      return answer === null || this.#isTooSoon(key) ? [] : [[key, answer]];
    });
    if (ready.length > 0) await this.#deliver(ready, update);
    return null;
  }

  #isTooSoon(key: string): boolean {
    const failure = this.#failures.get(key);
    return failure !== undefined && this.#parts.asking.clock.elapsed() < failure.againAt;
  }

  #look(key: string, request: Json): ToolAnswer | null {
    const failure = this.#failures.get(key);
    if (failure !== undefined && failure.count >= failuresMax)
      return this.#fail(`it has failed at it ${failure.count} times, the last time with ${failure.why}`);
    const refusal = this.#refused.get(key);
    if (refusal === undefined) {
      if (!this.#answers.has(key)) this.#ask(key, request, null);
      return null;
    }
    const tries = (this.#tries.get(key) ?? 0) + 1;
    this.#tries.set(key, tries);
    const { why, isOver } = refusal;
    if (isOver || tries >= triesMax) return this.#fail(why);
    this.#delivered.delete(key);
    this.#ask(key, request, `The answer before was not taken: ${why}`);
    return null;
  }

  #fail(why: string): ToolAnswer {
    const said = this.#parts.asking.hide(withoutInvisible(why));
    return failed("answer_refused", `The server did not take the answer to its question: ${said}`, true);
  }

  /** All at once; where that is refused, each by itself: one that is wrong takes no other with it. */
  async #deliver(ready: readonly Given[], update: Update): Promise<void> {
    const inputResponses: Json = Object.fromEntries(ready.map(([key, answer]) => [key, { ...answer }]));
    const isNews = ready.some(([key]) => !this.#delivered.has(key));
    try {
      await update({ taskId: this.#parts.task, inputResponses });
    } catch (error) {
      const isRefused = isUnknownTask(error);
      // On the way to it or back: whoever follows the task sees to the connection.
      if (!isRefused && !isReply(error)) throw error;
      this.#isNews ||= isRefused;
      const [only, ...others] = ready;
      if (others.length > 0) for (const one of ready) await this.#deliver([one], update);
      else if (only !== undefined && isRefused) this.#note(only, error);
      else if (only !== undefined) this.#noteFailure(only, error);
      return;
    }
    for (const [key] of ready) {
      this.#delivered.add(key);
      this.#failures.delete(key);
    }
    this.#isNews ||= isNews;
  }

  #note([key, { action }]: Given, error: unknown): void {
    const isOver = action !== "accept" || !isRefusedAnswer(error);
    this.#refused.set(key, { why: messageOfThrown(error), isOver });
    // It was looked at: whatever comes next is another one.
    this.#failures.delete(key);
  }

  #noteFailure([key]: Given, error: unknown): void {
    const { context, clock, hide } = this.#parts.asking;
    const count = (this.#failures.get(key)?.count ?? 0) + 1;
    const why = wordsOf(error);
    this.#failures.set(key, { why, count, againAt: clock.elapsed() + againMs * 2 ** (count - 1) });
    context.log(`The server failed at the answer to its question: ${hide(withoutInvisible(why))}`);
  }

  /** In the meantime it is asked after as before: somebody else may end it. */
  #ask(key: string, request: Json, remark: string | null): void {
    const { asking, task, onAnswer } = this.#parts;
    this.#answers.set(key, null);
    const answered = (answer: ElicitAnswer): void => {
      this.#answers.set(key, answer);
      onAnswer();
    };
    Promise.resolve()
      .then(() => askPeople(asking, plainKey(task, key), withRemark(paramsOfQuestion(request), remark)))
      // What is not offered, or nobody could be asked.
      .then(answered, () => {
        if (!asking.context.signal.aborted) answered({ action: "decline" });
      });
  }
}

function withRemark(params: JsonObject, remark: string | null): JsonObject {
  const message = own(params, "message");
  return remark === null
    ? params
    : { ...params, message: `${typeof message === "string" ? message : ""}\n\n${remark}` };
}
