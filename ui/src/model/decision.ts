// What a person can decide about something that waits: each request with the words of its button.

import { isObject, type Json } from "./json.ts";
import type { InboxAction, InboxItem } from "./run.ts";
import { missingIn } from "./schema-form.ts";

export type Decision = {
  readonly action: InboxAction;
  readonly label: string;
  /** What follows from it. */
  readonly about: string | null;
  readonly isDanger: boolean;
  /** A value may be given along: what the step would have answered. */
  readonly takesResult: boolean;
  /** What a gate's form says goes along: always, if it was filled in, never. */
  readonly takesForm: "always" | "filled" | "never";
};

export type FilledForm = { readonly missing: ReadonlyMap<string, string>; readonly data: Json | undefined };

export const nothingMissing: ReadonlyMap<string, string> = new Map();

/** What of a form goes along with a decision, and what has to be filled in before. */
export function formFor({ takesForm }: Decision, { gate }: InboxItem, data: Json): FilledForm {
  if (gate === null || gate.form === null || takesForm === "never") return { missing: nothingMissing, data: undefined };
  const missing = missingIn(gate.form, data);
  if (missing.size === 0) return { missing, data };
  return { missing: takesForm === "always" ? missing : nothingMissing, data: undefined };
}

/** The last word of the request's address. */
function verbOf({ method, path }: InboxAction): string {
  return method === "DELETE" ? "cancel" : (path.split("/").at(-1) ?? "");
}

function wordOf({ body }: InboxAction, name: string): string | null {
  const word = isObject(body) ? body[name] : null;
  return typeof word === "string" ? word : null;
}

export function decisionsOf(item: InboxItem): readonly Decision[] {
  const decisions = item.actions.flatMap((action) =>
    isForAnyStep(action) ? chooseSteps(action, item) : [toDecision(action, item)],
  );
  // Nobody expects to do again first what has been done.
  return decisions.toSorted((one, other) => Number(isAgain(one, item)) - Number(isAgain(other, item)));
}

function isAgain({ action }: Decision, item: InboxItem): boolean {
  return (
    verbOf(action) === "choose" && item.stepName !== null && nameOf(item, wordOf(action, "step")) === item.stepName
  );
}

function goOn(action: InboxAction, { stepName }: InboxItem, name: string): Decision {
  if (name === stepName)
    return plain(action, `Do ${name} again`, `${name} runs once more, and its way on is looked for anew.`);
  return plain(action, `Go on with ${name}`, `The run goes on with ${name}.`);
}

/** `STEP` stands for the key of any step. */
function isForAnyStep(action: InboxAction): boolean {
  return verbOf(action) === "choose" && wordOf(action, "step") === "STEP";
}

function chooseSteps(action: InboxAction, item: InboxItem): readonly Decision[] {
  return (item.crossroads?.steps ?? []).map(({ key, name }) => goOn({ ...action, body: { step: key } }, item, name));
}

function plain(action: InboxAction, label: string, about: string | null = null): Decision {
  return { action, label, about, isDanger: false, takesResult: false, takesForm: "never" };
}

function toDecision(action: InboxAction, item: InboxItem): Decision {
  const verb = verbOf(action);
  switch (verb) {
    case "approve":
      return { ...answered(action, item, "approved"), takesForm: "always" };
    case "reject":
      return { ...answered(action, item, "rejected"), isDanger: true };
    case "answer":
      return { ...answered(action, item, wordOf(action, "outcome") ?? ""), takesForm: "filled" };
    case "resolve":
      return resolved(action, item);
    case "choose":
      return wordOf(action, "step") === null
        ? plain(action, "End this path", "Nothing follows: the run goes on elsewhere, or ends.")
        : goOn(action, item, nameOf(item, wordOf(action, "step")));
    case "skip":
      return plain(action, "Let it go by", "Its path goes on as if it had been skipped.");
    case "resume":
      return plain(action, "Resume the run");
    case "fire":
      return plain(action, wordOf(action, "transition") ?? "Fire");
    case "cancel":
      return { ...plain(action, "Cancel the run"), isDanger: true };
    default:
      return plain(action, verb.replaceAll("_", " "));
  }
}

function nameOf(item: InboxItem, key: string | null): string {
  return item.crossroads?.steps.find((step) => step.key === key)?.name ?? key ?? "";
}

const outcomeWords: { readonly [outcome: string]: string } = { approved: "Approve", rejected: "Reject" };
const doing: { readonly [outcome: string]: string } = { approved: "Approving", rejected: "Rejecting" };

/** What ends with an answer behind which nothing runs. */
const ends: { readonly [end in "completed" | "failed" | "cancelled" | "path"]: string } = {
  completed: "ends the run: completed.",
  failed: "ends the run as failed.",
  cancelled: "ends the run: cancelled.",
  path: "ends this path; others go on.",
};

function answered(action: InboxAction, { gate }: InboxItem, outcome: string): Decision {
  const choice = gate?.choices.find((each) => each.outcome === outcome);
  const label =
    choice === undefined || choice.label === outcome ? (outcomeWords[outcome] ?? capital(outcome)) : choice.label;
  const tool = choice?.tool === null || choice?.tool === undefined ? "" : ` -> ${choice.tool}`;
  const leads = choice?.leadsTo ?? null;
  const does = doing[outcome] ?? `"${label}"`;
  const end = choice?.endsAs ?? null;
  const about = leads !== null ? `${does} runs ${leads}${tool}` : end === null ? null : `${does} ${ends[end]}`;
  return plain(action, label, about);
}

function resolved(action: InboxAction, item: InboxItem): Decision {
  switch (wordOf(action, "how") ?? "") {
    case "retry":
      return plain(
        action,
        "Try it again",
        `${item.call?.tool ?? "The step"} is called once more. If it did happen, it happens twice.`,
      );
    case "done":
      return { ...plain(action, "It happened", "The run goes on behind it."), takesResult: true };
    case "failed":
      return { ...plain(action, "It did not happen", "The step counts as failed."), isDanger: true };
    default:
      return plain(action, "Resolve");
  }
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1).replaceAll("_", " ");
}
