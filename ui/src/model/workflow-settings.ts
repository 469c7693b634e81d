// What a workflow's own definition says about how its runs are governed: when they may be cancelled, how long they and their
// calls may take, how often a step is tried, how much at a time, and who answers. In words, with what holds where it says
// nothing.

import { isObject, type Json, type JsonObject } from "./json.ts";

export type Setting = {
  readonly term: string;
  readonly value: string;
  /** Steps for which something else holds. */
  readonly steps: readonly { readonly name: string; readonly value: string }[];
};

type NamedStep = { readonly name: string; readonly step: JsonObject };

export function settingsOf(flow: Json): readonly Setting[] {
  const own = isObject(flow) ? flow : {};
  const defaults = isObject(own["defaults"]) ? own["defaults"] : {};
  const steps = stepsOf(own);
  const isMachine = isObject(own["states"]);
  const isFlow = isObject(own["steps"]) || (own["steps"] === undefined && !isMachine);
  const all: readonly Setting[] = [
    {
      term: "Cancelling",
      value: sayCancel(own["cancel"] ?? (isMachine ? "declared" : "anywhere")),
      steps: told(steps, ({ cancel }) =>
        cancel === false ? "not while it is under way" : typeof cancel === "string" ? `then ${cancel} cleans up` : null,
      ),
    },
    { term: "A run may take", value: text(own["timeout"]) ?? "as long as it takes", steps: [] },
    {
      term: "A call may take",
      value: text(defaults["timeout"]) ?? "120s",
      steps: told(steps, ({ timeout }) => text(timeout)),
    },
    {
      term: "Tries of a step",
      value: sayRetry(defaults["retry"]) ?? (isFlow ? "3, after 5s, 30s and 60s" : "1"),
      steps: told(steps, ({ retry }) => sayRetry(retry)),
    },
    {
      term: "A value that is missing",
      value: own["strict"] === true ? "is an error" : "is an empty text",
      steps: [],
    },
  ];
  return [
    ...all,
    ...whereThereAre("Items at a time", steps, sayItems),
    ...whereThereAre("Who answers", steps, sayGate),
  ];
}

function stepsOf(flow: JsonObject): readonly NamedStep[] {
  const { steps, transitions } = flow;
  const list = Array.isArray(steps) ? steps : Array.isArray(transitions) ? transitions : null;
  if (list !== null)
    return (list as readonly Json[]).flatMap((step, at) => {
      if (!isObject(step)) return [];
      const action = isObject(step["action"]) ? { ...step, ...step["action"] } : step;
      return [{ name: text(step["name"]) ?? `step_${text(step["position"]) ?? at + 1}`, step: action }];
    });
  const map = isObject(steps) ? steps : steps === undefined && flow["states"] === undefined ? flow : {};
  return Object.entries(map).flatMap(([key, step]) =>
    isObject(step) ? [{ name: text(step["name"]) ?? key, step }] : [],
  );
}

function text(value: Json | undefined): string | null {
  if (typeof value === "string" && value !== "") return value;
  return typeof value === "number" ? String(value) : null;
}

function told(steps: readonly NamedStep[], say: (step: JsonObject) => string | null): Setting["steps"] {
  return steps.flatMap(({ name, step }) => {
    const value = say(step);
    return value === null ? [] : [{ name, value }];
  });
}

function whereThereAre(
  term: string,
  steps: readonly NamedStep[],
  say: (step: JsonObject) => string | null,
): readonly Setting[] {
  const found = told(steps, say);
  return found.length === 0 ? [] : [{ term, value: "", steps: found }];
}

function sayCancel(cancel: Json): string {
  if (cancel === "never") return "never";
  return cancel === "declared" ? "where one move leads to an end of kind cancel" : "anywhere";
}

/** null: it says nothing. */
function sayRetry(retry: Json | undefined): string | null {
  if (retry === undefined || retry === null) return null;
  if (retry === false) return "1";
  if (typeof retry === "number") return String(retry);
  if (!isObject(retry)) return null;
  const { attempts, backoff } = retry;
  const rests = Array.isArray(backoff) ? (backoff as readonly Json[]).flatMap((rest) => text(rest) ?? []) : [];
  const after = rests.length === 0 ? "" : `, after ${listed(rests)}`;
  return `${text(attempts) ?? "3"}${after}`;
}

function sayItems({ each }: JsonObject): string | null {
  if (each === undefined) return null;
  return (isObject(each) ? text(each["concurrency"]) : null) ?? "4";
}

function sayGate({ gate }: JsonObject): string | null {
  if (!isObject(gate)) return null;
  const { approvers, need, self_approval: own } = gate;
  const names = Array.isArray(approvers) ? (approvers as readonly Json[]).flatMap((name) => text(name) ?? []) : [];
  const who = names.length === 0 ? "whoever may approve" : listed(names.map((name) => name.replace(/^user:/, "")));
  const count = typeof need === "number" && need > 1 ? `, ${need} of them` : "";
  return `${who}${count}${own === false ? ", not who started the run" : ""}`;
}

/** `a`, `a and b`, `a, b and c`. */
function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`;
}
