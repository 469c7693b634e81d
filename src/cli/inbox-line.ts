// What waits for a person, from the document that every door gives: who asks, and what to type. Pure.

import { isObject, own, type Json } from "../flow/json.ts";
import type { ActionDocument, InboxItemDocument } from "../server/contract/inbox.ts";
import type { InboxLine } from "../server/inbox.ts";
import type { Answer } from "../server/waiting.ts";

export function toInboxLine(document: InboxItemDocument): InboxLine {
  const { kind, hash, title, message, step_id: id, step, since, actions } = document;
  const gate = hash === null ? null : { title, message, hash, reminders: 0, answers: [] };
  return {
    run: { id: document.workflow_id ?? 0, name: document.workflow ?? "", createdBy: document.created_by ?? "" },
    item: {
      kind,
      row: id === null ? null : { id, name: step ?? "", gate },
      since,
      title,
      answers: actions.flatMap(toAnswer),
    },
  };
}

/** `{ method: "POST", path: "/api/workflow/12/resolve", body: { how: "retry" } }` is `resolve 12 retry`. */
function toAnswer({ path, body }: ActionDocument): readonly Answer[] {
  const [, id, verb = "cancel"] = /^\/api\/workflow\/(\d+)(?:\/(\w+))?$/u.exec(path) ?? [];
  if (id === undefined || !isVerb(verb)) return [];
  const given = isObject(body) ? body : {};
  const word = ["outcome", "how", "step", "transition"]
    .map((name): Json | undefined => own(given, name))
    .find((said) => said !== undefined);
  return [{ verb, id: Number(id), word: word === null ? "end" : typeof word === "string" ? word : null }];
}

const verbs: readonly string[] = [
  "approve",
  "reject",
  "answer",
  "resolve",
  "choose",
  "skip",
  "fire",
  "resume",
  "cancel",
] satisfies readonly Answer["verb"][];

function isVerb(text: string): text is Answer["verb"] {
  return verbs.includes(text);
}
