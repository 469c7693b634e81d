// A random machine: a chain of states from the initial one to an end, and around it more ends, ways back, shortcuts and
// transitions that stay where they are.

import { objectFrom, type JsonObject } from "../../flow/json.ts";
import type { Random } from "../random.ts";
import { randomCondition, type Vocabulary } from "./random-expression.ts";
import { randomArgs, randomTemplate } from "./random-template.ts";
import { randomDuration, randomTools, writeCall } from "./write-action.ts";
import { randomRetry } from "./write-policies.ts";
import { maybe } from "./writing.ts";

const stateWords: readonly string[] = "draft review approved shipped paid on-hold archived billed".split(" ");
const verbs: readonly string[] = "submit accept pay ship reopen remind hold bill resume escalate".split(" ");

const vocabulary: Vocabulary = { steps: [], roots: ["data", "event"] };

type Ends = readonly { readonly name: string; readonly kind: "success" | "failure" | "cancel" }[];

/** `states` and `transitions`, and sometimes `initial`. */
export function randomMachine(random: Random, statesMax: number): JsonObject {
  const count = 1 + random.integer(Math.max(1, Math.min(stateWords.length, statesMax - 1)));
  const chain = random.shuffle(stateWords).slice(0, count);
  const ends = randomEnds(random);
  const isNamedAtTop = random.chance(0.2);
  const states = [
    ...chain.map((name, index) => [name, writeState(random, index === 0 && !isNamedAtTop)] as const),
    ...ends.map(({ name, kind }) => [name, writeEnd(random, kind)] as const),
  ];
  const first = chain[0] ?? "draft";
  return {
    ...(isNamedAtTop ? { initial: first } : {}),
    states: objectFrom(random.shuffle(states)),
    transitions: [...writeTransitions(random, chain, ends)],
  };
}

function randomEnds(random: Random): Ends {
  const all: Ends = [
    { name: "finished", kind: "success" },
    { name: "failed", kind: "failure" },
    { name: "withdrawn", kind: "cancel" },
  ];
  return random.shuffle(all).slice(0, 1 + random.integer(3));
}

function writeState(random: Random, isInitial: boolean): JsonObject {
  return {
    ...(isInitial ? { initial: true } : {}),
    ...maybe(random, 0.2, () => ({ label: "A state of things" })),
    ...maybe(random, 0.1, () => ({ description: "Where it waits" })),
  };
}

function writeEnd(random: Random, kind: string): JsonObject {
  return random.chance(0.8) ? { terminal: kind } : { terminal: true, [random.pick(["kind", "terminal_kind"])]: kind };
}

function writeTransitions(random: Random, chain: readonly string[], ends: Ends): readonly JsonObject[] {
  const names = newNames(random);
  const last = chain.at(-1) ?? "draft";
  // Transitions of one name may leave several states: each state knows which one is meant.
  const isOneName = random.chance(0.3);
  const steps = chain.slice(1).map((to, index) => {
    return { name: isOneName ? "advance" : names(), from: chain[index] ?? last, to };
  });
  const closing = ends.map((end) => ({ name: names(), from: random.chance(0.3) ? chain : last, to: end.name }));
  const extra = Array.from({ length: random.integer(3) }, () => {
    return { name: names(), from: random.pick(chain), to: random.pick(chain) };
  });
  return [...steps, ...closing, ...extra].map((place) => ({ ...place, ...writeDetails(random, chain, ends) }));
}

function newNames(random: Random): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `${random.pick(verbs)}_${count}`;
  };
}

function writeDetails(random: Random, chain: readonly string[], ends: Ends): JsonObject {
  return {
    ...maybe(random, 0.3, () => ({ guard: randomCondition(random, vocabulary) })),
    ...maybe(random, 0.3, () => writeMachineAction(random, chain, ends)),
    ...maybe(random, 0.2, () => ({ set: { pages: randomTemplate(random, vocabulary, 1) } })),
    ...maybe(random, 0.2, () => ({ after: randomDuration(random) })),
    ...maybe(random, 0.2, () => ({ requires_reason: random.chance(0.7) })),
  };
}

function writeMachineAction(random: Random, chain: readonly string[], ends: Ends): JsonObject {
  const action = { tool: random.pick(randomTools), args: randomArgs(random, vocabulary, true) };
  const states = [...chain, ...ends.map(({ name }) => name)];
  return {
    action: { ...action, ...maybe(random, 0.2, () => ({ retry: randomRetry(random) })) },
    ...maybe(random, 0.3, () => ({ compensate: writeCall(random, vocabulary) })),
    ...maybe(random, 0.3, () => ({ on_error: random.pick(states) })),
  };
}
