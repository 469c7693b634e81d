// What a run waits for that a person can answer: the same for a model that reads it as words, and for a host that shows
// it as a form. Pure.

import { isObject, own, type Json, type JsonObject } from "../../flow/json.ts";
import type { Plan, PlanStep } from "../../flow/plan.ts";
import type { RunRow } from "../../run/model.ts";
import type { BriefRow } from "../../store/brief.ts";
import { compileToolSchema } from "../../tool/schema.ts";
import { listWaiting, type Answer, type WaitingItem } from "../waiting.ts";

export type OpenQuestion = {
  /** Of the step, as a text; of the run as a whole its own. Unique for the life of the run. */
  readonly key: string;
  readonly kind: WaitingItem["kind"];
  readonly title: string;
  readonly message: string | null;
  /** Who may answer, as the flow names them (`user:ann`, `group:law`); null: whoever may answer at all. */
  readonly approvers: readonly string[] | null;
  /** Whoever has started the run may not. */
  readonly isForOthers: boolean;
  /** What can be answered, in words. */
  readonly choices: readonly string[];
  /** JSON Schema of what goes with a yes; null: nothing need. */
  readonly form: JsonObject | null;
  readonly row: BriefRow | null;
  readonly answers: readonly Answer[];
};

export type Asked = { readonly run: RunRow; readonly rows: readonly BriefRow[]; readonly plan: Plan | null };

export function listQuestions({ run, rows, plan }: Asked): readonly OpenQuestion[] {
  return listWaiting(run, rows, plan).map((item) => {
    const { kind, row, title, answers } = item;
    const gate = kind === "gate" ? gateOf(row, plan) : undefined;
    return {
      key: String(row?.id ?? run.id),
      kind,
      title,
      message: row?.gate?.message ?? null,
      choices: answers.flatMap((answer) => wordsOf(answer, plan)),
      approvers: gate?.approvers ?? null,
      isForOthers: gate?.selfApproval === false,
      form: gate !== undefined && isObject(gate.form) ? gate.form : null,
      row,
      answers,
    };
  });
}

/** `choose` takes any step of the flow. */
function wordsOf(answer: Answer, plan: Plan | null): readonly string[] {
  const word = wordOf(answer);
  return answer.verb === "choose" && word === "STEP" ? Object.keys(plan?.steps ?? {}) : [word];
}

function wordOf({ verb, word }: Answer): string {
  switch (verb) {
    case "approve":
      return "approved";
    case "reject":
      return "rejected";
    case "answer":
    case "resolve":
    case "choose":
    case "fire":
    case "skip":
    case "resume":
    case "cancel":
      return word ?? verb;
  }
}

/** The answer that this word stands for. */
export function findAnswer({ answers, choices }: OpenQuestion, word: string): Answer | undefined {
  const exact = answers.find((answer) => wordOf(answer) === word);
  if (exact !== undefined) return exact;
  const any = answers.find((answer) => answer.verb === "choose" && answer.word === "STEP");
  return any !== undefined && choices.includes(word) ? { ...any, word } : undefined;
}

function gateOf(row: BriefRow | null, plan: Plan | null): Extract<PlanStep, { readonly kind: "gate" }> | undefined {
  const step = row === null || plan === null ? undefined : own(plan.steps, row.step);
  return step?.kind === "gate" ? step : undefined;
}

/** What a host asks its user, as `elicitation/create`. */
export function toElicitation(question: OpenQuestion): JsonObject {
  const { choices, form } = question;
  const requestedSchema = form === null ? choiceSchema(choices) : formSchema(form);
  return { method: "elicitation/create", params: { mode: "form", message: wordingOf(question), requestedSchema } };
}

export function wordingOf({ title, message }: OpenQuestion): string {
  return message === null ? title : `${title}\n\n${message}`;
}

export function formSchema(form: JsonObject): JsonObject {
  return isFlat(form) ? toFlat(form) : wholeSchema(form);
}

export function choiceSchema(choices: readonly string[]): JsonObject {
  return {
    type: "object",
    properties: {
      choice: { type: "string", title: "Answer", enum: choices },
      comment: { type: "string", title: "Comment" },
    },
    required: ["choice"],
  };
}

const simple: ReadonlySet<Json | undefined> = new Set(["string", "number", "integer", "boolean"]);

/** Hosts draw forms of one level alone. */
function isFlat(form: JsonObject): boolean {
  const properties = own(form, "properties");
  if (properties === undefined || !isObject(properties)) return false;
  return Object.values(properties).every((each) => isObject(each) && simple.has(own(each, "type")));
}

function toFlat(form: JsonObject): JsonObject {
  const properties = own(form, "properties");
  const fields = properties !== undefined && isObject(properties) ? Object.entries(properties) : [];
  return {
    type: "object",
    properties: Object.fromEntries(fields.map(([name, field]) => [name, isObject(field) ? toField(field) : {}])),
    required: own(form, "required") ?? [],
  };
}

const fieldKeys: Readonly<Record<string, readonly string[]>> = {
  string: ["type", "title", "description", "minLength", "maxLength", "format", "enum", "enumNames", "default"],
  number: ["type", "title", "description", "minimum", "maximum", "default"],
  integer: ["type", "title", "description", "minimum", "maximum", "default"],
  boolean: ["type", "title", "description", "default"],
};

const formats: ReadonlySet<Json> = new Set(["email", "uri", "date", "date-time"]);

/** Only what the protocol knows of a field: hosts refuse a whole question by one word that they do not. The rest of it is
 *  checked when the answer comes. */
function toField(field: JsonObject): JsonObject {
  const type = own(field, "type");
  const keys = typeof type === "string" ? (fieldKeys[type] ?? []) : [];
  const known = keys.flatMap((key) => {
    const value = own(field, key);
    return value === undefined || (key === "format" && !formats.has(value)) ? [] : [[key, value] as const];
  });
  return Object.fromEntries(known);
}

/** What is deeper is asked for as a text. */
function wholeSchema(form: JsonObject): JsonObject {
  const about = `JSON that fits: ${JSON.stringify(form)}`;
  return {
    type: "object",
    properties: { data: { type: "string", title: "Answer, as JSON", description: about } },
    required: ["data"],
  };
}

export type Decided =
  | { readonly kind: "answer"; readonly answer: Answer; readonly data: Json | null; readonly comment: string | null }
  /** Nobody has decided: it stays open. */
  | { readonly kind: "open" }
  | { readonly kind: "unclear"; readonly message: string };

/** What somebody has said to it: `{ action: "accept", content }`, `decline` or `cancel`. */
export function readResponse(question: OpenQuestion, response: unknown): Decided {
  const action = isObject(response) ? own(response, "action") : undefined;
  const content = isObject(response) ? own(response, "content") : undefined;
  if (action === "cancel") return { kind: "open" };
  if (action === "decline") return decide(question, "rejected", { data: null, comment: null });
  if (action !== "accept") return unclear(`"action" is accept, decline or cancel`);
  const given = content !== undefined && isObject(content) ? content : {};
  if (question.form !== null) return readForm(question, question.form, given);
  const [choice, comment] = [own(given, "choice"), own(given, "comment")];
  if (typeof choice !== "string") return unclear(`"choice" is one of ${question.choices.join(", ")}`);
  return decide(question, choice, { data: null, comment: typeof comment === "string" ? comment : null });
}

export function readForm(question: OpenQuestion, form: JsonObject, given: JsonObject): Decided {
  if (isFlat(form)) return checkForm(question, form, given);
  const whole = own(given, "data");
  try {
    return checkForm(question, form, typeof whole === "string" ? (JSON.parse(whole) as Json) : (whole ?? null));
  } catch {
    return unclear(`"data" is no JSON`);
  }
}

/** It comes from another program, which may have shown the form or not. */
function checkForm(question: OpenQuestion, form: JsonObject, data: Json): Decided {
  const compiled = compileToolSchema(form);
  const checked = compiled.ok ? compiled.check(data) : undefined;
  const [problem] = checked?.kind === "checked" ? checked.errors : [];
  if (problem === undefined) return decide(question, "approved", { data, comment: null });
  const place = problem.instancePath === "" ? "it" : `"${problem.instancePath.slice(1)}"`;
  return unclear(`${place} ${problem.message ?? "does not fit the form"}`);
}

export function decide(
  question: OpenQuestion,
  word: string,
  rest: { readonly data: Json | null; readonly comment: string | null },
): Decided {
  const answer = findAnswer(question, word);
  if (answer !== undefined) return { kind: "answer", answer, ...rest };
  // A state of a machine cannot be declined: it rests until somebody moves it.
  if (word === "rejected") return { kind: "open" };
  return unclear(`"${word}" is none of ${question.choices.join(", ")}`);
}

export function unclear(message: string): Decided {
  return { kind: "unclear", message };
}
