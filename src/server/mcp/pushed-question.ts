// What a run waits for, as it is pushed to a client of 2025-11-25, and what its user has said to it. To decline is to say
// nothing there: the gate stays open, so that each of its answers, also a no, is a choice in the form. Pure.

import { isObject, own, type JsonObject } from "../../flow/json.ts";
import {
  choiceSchema,
  decide,
  formSchema,
  readForm,
  unclear,
  wordingOf,
  type Decided,
  type OpenQuestion,
} from "./questions.ts";

/** `remark`: what was wrong with the answer before; null: there was none. */
export function toPushedParams(question: OpenQuestion, remark: string | null): JsonObject {
  const { choices, form } = question;
  const wording = wordingOf(question);
  return {
    mode: "form",
    message: remark === null ? wording : `${wording}\n\n${remark}`,
    requestedSchema: form === null ? choiceSchema(choices) : withChoice(form, choices),
  };
}

const yes = "approved";

/** Whoever does not say yes need not fill in the rest. */
function withChoice(form: JsonObject, choices: readonly string[]): JsonObject {
  const fields = fieldsOf(form);
  const key = keyBeside(fields);
  const choice = { type: "string", title: "Answer", enum: choices, ...(choices.includes(yes) ? { default: yes } : {}) };
  return { type: "object", properties: { [key]: choice, ...fields }, required: [key] };
}

function fieldsOf(form: JsonObject): JsonObject {
  const fields = own(formSchema(form), "properties");
  return fields !== undefined && isObject(fields) ? fields : {};
}

/** Of the choice, whatever the form's own fields are called. */
function keyBeside(fields: JsonObject): string {
  let key = "choice";
  while (Object.hasOwn(fields, key)) key += "_";
  return key;
}

export function readPushed(question: OpenQuestion, response: unknown): Decided {
  const action = isObject(response) ? own(response, "action") : undefined;
  if (action !== "accept") return { kind: "open" };
  const content = isObject(response) ? own(response, "content") : undefined;
  const given = content !== undefined && isObject(content) ? content : {};
  const { form, choices } = question;
  const key = form === null ? "choice" : keyBeside(fieldsOf(form));
  const { [key]: choice, ...rest } = given;
  if (typeof choice !== "string") return unclear(`"${key}" is one of ${choices.join(", ")}`);
  if (form !== null && choice === yes) return readForm(question, form, rest);
  const comment = form === null ? own(rest, "comment") : undefined;
  const isAnswer = choices.includes(choice);
  return isAnswer
    ? decide(question, choice, { data: null, comment: typeof comment === "string" ? comment : null })
    : unclear(`"${choice}" is none of ${choices.join(", ")}`);
}
