// Questions of a server to people: a form becomes a gate of the run, and what people answer goes back.

import { hash } from "node:crypto";
import { canonicalText, isObject, own, type Json, type JsonObject } from "../../flow/json.ts";
import type { CallContext, Question, QuestionAnswer } from "../tool.ts";
import { unlessAborted, type LinkClock } from "./link-clock.ts";
import { LinkProblem } from "./link-problem.ts";
import { showSchema, withoutInvisible, type Hide } from "./shown-text.ts";

export type ElicitAnswer = {
  readonly action: "accept" | "decline" | "cancel";
  readonly content?: { [key: string]: string | number | boolean | string[] };
};

/** While people think the call is alive, and says so this often. */
const aliveMs = 1000;
const keyLengthMax = 100;

export type Asking = {
  readonly context: CallContext;
  readonly clock: LinkClock;
  readonly count: QuestionCount;
  /** Keeps what was filled in out of the question: it is kept as the input of a run. */
  readonly hide: Hide;
};

/** Which of the questions with the same words it is: one yes is the answer to one of them. Each attempt, and each process
 *  that follows it, counts from the first one again, and so meets the same runs. */
export class QuestionCount {
  readonly #answered = new Map<string, number>();
  #asked = new Map<string, number>();

  /** The key of the next one, and what is called when it has its answer. */
  next(words: string): { readonly key: string; readonly answered: () => void } {
    const asked = this.#asked;
    const before = asked.get(words) ?? 0;
    asked.set(words, before + 1);
    const answered = (): void => {
      if (asked === this.#asked) this.#answered.set(words, (this.#answered.get(words) ?? 0) + 1);
    };
    return { key: before === 0 ? words : plainKey(words, String(before)), answered };
  }

  /** On another connection what has no answer yet is asked once more, and is no other question for that. */
  renew(): void {
    this.#asked = new Map(this.#answered);
  }
}

/** Declines where nobody could be asked, and what is no form. Throws a `LinkProblem` when nobody waits any more. */
export async function askPeople(
  { context, clock, count, hide }: Asking,
  words: string,
  params: JsonObject,
): Promise<ElicitAnswer> {
  const { key, answered } = count.next(words);
  const question = toQuestion(key, params, hide);
  if (context.ask === undefined || question === null) return { action: "decline" };
  const answer = toElicitAnswer(await whileAlive({ context, clock }, context.ask(question)));
  answered();
  return answer;
}

/** Waits for it, and says meanwhile that the call is alive. Throws a `LinkProblem` when nobody waits any more. */
async function whileAlive<T>({ context, clock }: Pick<Asking, "context" | "clock">, awaited: Promise<T>): Promise<T> {
  const { extend, signal } = context;
  const live = (): { cancel(): void } => {
    extend?.();
    return clock.after(aliveMs, () => void (timer = live()), "duty");
  };
  let timer = live();
  try {
    return await unlessAborted(awaited, signal);
  } finally {
    timer.cancel();
  }
}

/** Only questions to people are answered; models and folders are not offered. */
export function paramsOfQuestion(request: Json): JsonObject {
  const method = isObject(request) ? own(request, "method") : undefined;
  const params = isObject(request) ? own(request, "params") : undefined;
  if (method !== "elicitation/create") throw new LinkProblem("bad_result", "It asks for what is not offered here.");
  return isObject(params) ? params : {};
}

/** null: it wants people to go somewhere else, and that is not offered. */
function toQuestion(key: string, params: JsonObject, hide: Hide): Question | null {
  const mode = own(params, "mode");
  if (mode !== undefined && mode !== "form") return null;
  const message = own(params, "message");
  const form = own(params, "requestedSchema");
  const properties = isObject(form) ? own(form, "properties") : undefined;
  const show = (text: string): string => hide(withoutInvisible(text));
  const hasFields = isObject(properties) && Object.keys(properties).length > 0;
  return {
    key,
    message: show(typeof message === "string" ? message : ""),
    form: hasFields && isObject(form) ? showSchema(form, show) : null,
  };
}

function toElicitAnswer(answer: QuestionAnswer): ElicitAnswer {
  switch (answer.kind) {
    case "accepted":
      return { action: "accept", content: contentOf(answer.content) };
    case "declined":
      return { action: "decline" };
    case "cancelled":
      return { action: "cancel" };
  }
}

/** Forms are flat: texts, numbers, yes or no, lists of texts. */
function contentOf(content: Json): { [key: string]: string | number | boolean | string[] } {
  const flat: { [key: string]: string | number | boolean | string[] } = {};
  if (!isObject(content)) return flat;
  for (const [key, value] of Object.entries(content)) {
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") flat[key] = value;
    else if (Array.isArray(value)) flat[key] = value.map(String);
  }
  return flat;
}

/** The same for the same words: a server that asks anew after a restart need not bother anybody again. */
export function keyOfQuestion(params: JsonObject): string {
  const { _meta, ...asked } = params;
  return `question-${shortHash(canonicalText(asked))}`;
}

/** Keys of servers, which may be anything. */
export function plainKey(...parts: readonly string[]): string {
  const key = parts.join(":");
  return key.length <= keyLengthMax && /^[\w.:-]+$/.test(key) ? key : shortHash(key);
}

function shortHash(text: string): string {
  return hash("sha256", text, "hex").slice(0, 32);
}
