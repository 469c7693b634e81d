// How a step is done: retries, limits, what happens when the outcome is unknown, how it is undone.

import type { Json, JsonObject } from "../../flow/json.ts";
import type { Random } from "../random.ts";
import type { Vocabulary } from "./random-expression.ts";
import { randomText } from "./random-template.ts";
import { randomDuration, randomTools, withItem, writeCall } from "./write-action.ts";
import { maybe, vocabularyOf, type Writing } from "./writing.ts";

/** The policies that fit the action that was written. */
export function writePolicies(writing: Writing, action: JsonObject): JsonObject {
  const { random, draft } = writing;
  const isCall = typeof action["tool"] === "string";
  const vocabulary = Object.hasOwn(action, "each") ? withItem(vocabularyOf(writing)) : vocabularyOf(writing);
  const hasTimeout = draft.place.failure?.outcome === "timeout";
  return {
    ...writeCancel(writing),
    ...writeInputFrom(writing),
    ...(draft.place.action === "set"
      ? {}
      : maybe(random, hasTimeout ? 1 : 0.1, () => ({ timeout: randomDuration(random) }))),
    ...(isCall || Object.hasOwn(action, "flow") ? writeUndo(random, vocabulary) : {}),
    ...(isCall ? writeCallPolicies(random, vocabulary) : {}),
    ...maybe(random, 0.03, () => ({ "x-note": { colour: "red" } })),
    ...maybe(random, 0.03, () => ({ attempt: 1 })),
  };
}

/** A gate's side path is its escalation; that of other steps their clean-up. */
function writeCancel({ random, draft, names }: Writing): JsonObject {
  const { beside, action } = draft.place;
  if (beside !== null && action !== "gate") return { cancel: names.sideTarget(beside.key) };
  return maybe(random, 0.1, () => ({ cancel: random.chance(0.5) }));
}

function writeInputFrom({ random, draft, names }: Writing): JsonObject {
  const { certain } = draft.scope;
  if (certain.length === 0) return {};
  return maybe(random, 0.1, () => ({ input_from: names.target(random.pick(certain).key) }));
}

function writeUndo(random: Random, vocabulary: Vocabulary): JsonObject {
  const undo: Vocabulary = { ...vocabulary, roots: [...vocabulary.roots, "result"] };
  return {
    ...maybe(random, 0.2, () => ({ retry: randomRetry(random) })),
    ...maybe(random, 0.15, () => ({ compensate: writeCall(random, undo) })),
  };
}

function writeCallPolicies(random: Random, vocabulary: Vocabulary): JsonObject {
  return {
    ...maybe(random, 0.15, () => ({ effect: random.pick(["read", "idempotent", "write"]) })),
    ...maybe(random, 0.1, () => ({ on_unknown: random.pick(["ask", "retry", "fail"]) })),
    ...maybe(random, 0.1, () => ({ probe: writeCall(random, vocabulary) })),
    ...maybe(random, 0.1, () => ({ idempotency_key: randomText(random, vocabulary) })),
    ...maybe(random, 0.1, () => writeCircuit(random)),
    ...maybe(random, 0.1, () => ({
      [random.pick(["on_missing_tool", "on_missing_skill"])]: random.pick(["halt", "skip"]),
    })),
    ...maybe(random, 0.1, () => ({ sanitize: random.pick(["flag", "strip", "block", "off"]) })),
  };
}

function writeCircuit(random: Random): JsonObject {
  const choice = random.pick(["halt", "skip", "fallback"]);
  if (choice !== "fallback") return { on_circuit_open: choice };
  return { on_circuit_open: choice, [random.pick(["fallback", "fallback_skill"])]: random.pick(randomTools) };
}

export function randomRetry(random: Random): Json {
  return random.pick<Json>([
    false,
    "classic",
    { attempts: 2 },
    { attempts: 5, backoff: ["1s", "10s"], jitter: 0.1 },
    { attempts: 4, backoff: { base: "1s", factor: 2, max: "5m" } },
    { backoff: ["5s"] },
  ]);
}
