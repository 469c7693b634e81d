// What a step does.

import type { JsonObject } from "../../flow/json.ts";
import type { Random } from "../random.ts";
import type { Failure } from "./blocks.ts";
import { randomCondition, randomList, type Vocabulary } from "./random-expression.ts";
import { randomArgs, randomTemplate, randomText } from "./random-template.ts";
import { maybe, vocabularyOf, type Writing } from "./writing.ts";

/** The tools that random flows call; a simulator answers for these. */
export const randomTools: readonly string[] = [
  "crm.find",
  "crm.update",
  "mail.send",
  "shop.charge",
  "shop.refund",
  "news.fetch",
  "log",
];

export function writeAction(writing: Writing): JsonObject {
  const { random, draft, isPipeline } = writing;
  const vocabulary = vocabularyOf(writing);
  switch (draft.place.action) {
    case "tool":
      return writeTool(random, vocabulary, isPipeline);
    case "each": {
      const each = { each: writeEach(random, vocabulary) };
      const inside = withItem(vocabulary);
      return { ...(random.chance(0.7) ? writeTool(random, inside, false) : writeSubFlow(random, inside)), ...each };
    }
    case "gate":
      return writeGate(writing, vocabulary);
    case "wait":
      return { wait: writeWait(random, vocabulary) };
    case "flow":
      return writeSubFlow(random, vocabulary);
    case "set":
      return { set: { total: randomTemplate(random, vocabulary, 2), note: randomText(random, vocabulary) } };
  }
}

/** On a step with `each`, what belongs to one item. */
export function withItem(vocabulary: Vocabulary): Vocabulary {
  return { ...vocabulary, roots: [...vocabulary.roots, "item", "index"] };
}

/** A call of a tool beside the step's own: compensation, probe, notice. */
export function writeCall(random: Random, vocabulary: Vocabulary): JsonObject {
  return {
    tool: random.pick(randomTools),
    ...maybe(random, 0.8, () => ({ args: randomArgs(random, vocabulary, true) })),
  };
}

/** A pipeline's step without `args` is called with what came before it. */
function writeTool(random: Random, vocabulary: Vocabulary, mayLackArgs: boolean): JsonObject {
  const tool = random.pick(randomTools);
  return mayLackArgs && random.chance(0.5) ? { tool } : { tool, args: randomArgs(random, vocabulary, true) };
}

function writeSubFlow(random: Random, vocabulary: Vocabulary): JsonObject {
  const flow = random.pick(["refund", "onboard", "refund@3"]);
  return { flow, ...maybe(random, 0.7, () => ({ input: randomArgs(random, vocabulary, false) })) };
}

function writeEach(random: Random, vocabulary: Vocabulary): JsonObject {
  return {
    items: `{{ ${randomList(random, vocabulary)} }}`,
    ...maybe(random, 0.4, () => ({ concurrency: 1 + random.integer(8) })),
    ...maybe(random, 0.4, () => ({ on_item_error: random.pick(["fail", "collect"]) })),
    ...maybe(random, 0.3, () => ({ result: random.pick(["list", "none"]) })),
  };
}

function writeWait(random: Random, vocabulary: Vocabulary): string | JsonObject {
  switch (random.integer(3)) {
    case 0:
      return randomDuration(random);
    case 1: {
      const until = random.pick(["2030-01-01T09:00:00Z", "tomorrow at 9am", "{{ input.due }}"]);
      return { until, ...maybe(random, 0.3, () => ({ zone: "Europe/Berlin" })) };
    }
    default: {
      const match = { ...vocabulary, roots: [...vocabulary.roots, "event" as const] };
      return { event: "paid", ...maybe(random, 0.6, () => ({ match: randomCondition(random, match) })) };
    }
  }
}

function writeGate(writing: Writing, vocabulary: Vocabulary): JsonObject {
  const { random, draft } = writing;
  const { failure, beside } = draft.place;
  if (beside === null && failure?.outcome !== "expired" && random.chance(0.3)) return { tool: null };
  return { gate: { ...writeQuestion(random, vocabulary), ...writePatience(writing, failure) } };
}

function writeQuestion(random: Random, vocabulary: Vocabulary): JsonObject {
  return {
    ...maybe(random, 0.6, () => ({ title: randomText(random, vocabulary) })),
    ...maybe(random, 0.5, () => ({ message: randomText(random, vocabulary) })),
    ...maybe(random, 0.3, () => ({
      form: { type: "object", required: ["reason"], properties: { reason: { type: "string", minLength: 1 } } },
    })),
    ...maybe(random, 0.4, () => ({ approvers: ["user:ann", "group:finance"].slice(random.integer(2)) })),
    ...maybe(random, 0.3, () => ({ need: 1 + random.integer(2) })),
    ...maybe(random, 0.3, () => ({ self_approval: random.chance(0.5) })),
    ...maybe(random, 0.3, () => ({ notify: writeCall(random, vocabulary) })),
  };
}

function writePatience({ random, draft, names }: Writing, failure: Failure | null): JsonObject {
  const { beside } = draft.place;
  const expires = failure?.outcome === "expired";
  return {
    ...maybe(random, 0.3, () => ({ remind_after: randomDuration(random) })),
    ...(beside === null ? {} : { escalate_after: randomDuration(random), escalate_to: names.sideTarget(beside.key) }),
    ...maybe(random, expires ? 1 : 0.2, () => ({ expires_after: randomDuration(random) })),
    ...maybe(random, expires ? 0 : 0.2, () => ({ on_expire: "rejected", expires_after: randomDuration(random) })),
  };
}

export function randomDuration(random: Random): string {
  return random.pick(["500ms", "5s", "30s", "2m", "90m", "4h", "1d", "2d", "1h30m"]);
}
