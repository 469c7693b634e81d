// Gives each step of a skeleton its key, its name and its kind of work.

import type { Random } from "../random.ts";
import type { ActionKind, Failure, Place } from "./blocks.ts";

export interface Places {
  /** Any action, perhaps with a failure route and a side path. */
  step(): Place;
  /** Any action, nothing around it. */
  plain(): Place;
  /** A wait or a gate. */
  pause(): Place;
  /** A step whose result or outcome decides what comes next. */
  chooser(): Place;
  /** A step that forks: whoever handles its failure must not lead into the join from outside. */
  forking(): Place;
  /** The one step that all failures may share; always the same. */
  alert(): Place;
  count(): number;
}

const words: readonly string[] = [
  ..."look ask check score fetch notify refund approve charge publish review collect greet count summarize archive".split(
    " ",
  ),
  ..."ship translate rank merge-results send_mail read-feed open_ticket price verify".split(" "),
];

const actions: readonly ActionKind[] = ["tool", "tool", "tool", "tool", "each", "gate", "wait", "flow", "set"];

export function createPlaces(random: Random): Places {
  const used = new Set<string>();
  const newKey = (): string => {
    const word = random.pick(words);
    const key = used.has(word) ? `${word}_${used.size}` : word;
    used.add(key);
    return key;
  };
  const bare = (action: ActionKind): Place => {
    const key = newKey();
    return { key, alias: random.chance(0.15) ? nameFor(random, key) : null, action, failure: null, beside: null };
  };
  const plain = (): Place => bare(random.pick(actions));
  const dressed = (action: ActionKind, mayGoOn: boolean): Place => ({
    ...bare(action),
    failure: random.chance(0.25) ? failureOf(random, { action, plain, mayGoOn }) : null,
    beside: random.chance(0.1) ? plain() : null,
  });
  const alert: Place = { key: "alert", alias: null, action: "tool", failure: null, beside: null };
  used.add("alert");
  return {
    step: () => dressed(random.pick(actions), true),
    plain,
    pause: () => bare(random.pick(["wait", "gate"])),
    chooser: () => dressed(random.pick(["tool", "tool", "gate", "flow", "set", "each"]), true),
    forking: () => dressed(random.pick(["tool", "set", "each", "gate", "flow"]), false),
    alert: () => alert,
    count: () => used.size,
  };
}

/** Another name for the step: sometimes one that an expression can write after a dot, sometimes a title. */
function nameFor(random: Random, key: string): string {
  return random.pick([`${key}_step`, `${key} it`, `The ${key} of the day`]);
}

const failuresOf: { readonly [action in ActionKind]: readonly Failure["outcome"][] } = {
  tool: ["error", "error", "timeout"],
  each: ["error"],
  set: ["error"],
  flow: ["error", "timeout", "cancelled"],
  wait: ["timeout", "error"],
  gate: ["rejected", "expired", "timeout"],
};

type FailureChoice = { readonly action: ActionKind; readonly plain: () => Place; readonly mayGoOn: boolean };

function failureOf(random: Random, { action, plain, mayGoOn }: FailureChoice): Failure {
  const handler = random.chance(0.5) ? plain() : null;
  const goesOn = handler !== null && mayGoOn && random.chance(0.5);
  return { outcome: random.pick(failuresOf[action]), handler, goesOn };
}
