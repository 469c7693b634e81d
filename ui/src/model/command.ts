// Commands as one types them: by the name of the program, or in a clone through npm.

import type { Json } from "./json.ts";
import { omittedBytes } from "./json.ts";

type Known = { readonly id: number; readonly input: Json };

/** `program`: how it is called where the server was started, perhaps with the store that is meant. */
export function commandOf(words: string, program = "stepwell"): string {
  return `${program} ${words}`;
}

export function rerunCommand({ id }: Known, program?: string): string {
  return commandOf(`rerun ${id}`, program);
}

/** The input is sent along where it is at hand, so that it can be changed. */
export function curlCommand(origin: string, { id, input }: Known): string {
  const isFork = input !== null && omittedBytes(input) === null;
  const body = isFork ? { input } : {};
  const address = `${origin}/api/workflow/${id}/${isFork ? "fork" : "rerun"}`;
  return `curl -X POST ${quoteWord(address)} -H 'content-type: application/json' -H 'x-stepwell: 1' -d ${quoteWord(JSON.stringify(body))}`;
}

type Asked = {
  readonly run: number;
  readonly step: number;
  readonly outcome: string;
  /** What is to be filled in beside the answer. */
  readonly hasForm: boolean;
};

/** By the id of the gate itself: in its run others may wait, too. */
export function answerCommand({ step, outcome, hasForm }: Asked, program?: string): string {
  const verbs: { readonly [outcome: string]: string } = { approved: "approve", rejected: "reject" };
  const verb = Object.hasOwn(verbs, outcome) ? verbs[outcome] : undefined;
  const words = verb === undefined ? `answer ${step} ${wordOf(outcome)}` : `${verb} ${step}`;
  return commandOf(`${words}${hasForm ? " --data '{}'" : ""}`, program);
}

export function answerCall({ run, step, outcome, hasForm }: Asked): string {
  const args = { run_id: String(run), step_id: String(step), answer: outcome, ...(hasForm ? { data: {} } : {}) };
  return JSON.stringify({ method: "tools/call", params: { name: "run_respond", arguments: args } }, null, 2);
}

function wordOf(text: string): string {
  return /^[\w.-]+$/.test(text) ? text : quoteWord(text);
}

/** For a POSIX shell, whatever is in it. */
function quoteWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
