// Tools to try flows with: no network, no key, nothing that harms. The same input in the same try gives the same answer,
// so that a run that is taken up after a crash goes on as it began.

import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Json, JsonObject } from "../../flow/json.ts";
import { defineTool, outcome, ToolError, type ToolContext } from "../function.ts";
import type { Tool } from "../tool.ts";
import { badArguments, readBoolean, readCount, readTextOr } from "./arguments.ts";
import { demoPage } from "./demo-page.ts";
import { toText } from "./plain-text.ts";
import { closed, listOf, open, optional, text, whole, yesOrNo } from "./schema.ts";

export function createDemoTools(): readonly Tool[] {
  return [echoTool, sleepTool, flakyTool, failTool, createCounter(), randomTool, feedTool, pageTool, scoreTool];
}

const echoTool: Tool = defineTool({
  name: "demo.echo",
  description: "Answers with its text, or else with all it is given",
  effect: "read",
  input: open({ text: { description: "What to answer" } }),
  call: (input) => input["text"] ?? input,
});

/** A demo that seems to hang shows nothing. */
const sleepMsMax = 60_000;
/** How often it says how far it is. */
const sleepParts = 10;

const sleepTool: Tool = defineTool({
  name: "demo.sleep",
  description: "Takes its time, and says how far it is",
  effect: "read",
  input: optional({ ms: whole("1000 unless given", { minimum: 0, maximum: sleepMsMax }) }),
  output: closed({ slept_ms: { type: "integer" } }, ["slept_ms"]),
  call: async (input, { signal, progress }: ToolContext): Promise<Json> => {
    const ms = readCount(input, "ms", { min: 0, max: sleepMsMax, otherwise: 1000 });
    for (let part = 1; part <= sleepParts; part += 1) {
      await sleep(ms / sleepParts, undefined, { signal });
      progress(part / sleepParts);
    }
    return { slept_ms: ms };
  },
});

const flakyTool: Tool = defineTool({
  name: "demo.flaky",
  description: "Fails the first tries of every step, then answers",
  effect: "read",
  input: optional({ fail_first: whole("How many tries fail; 2 unless given", { minimum: 0, maximum: 100 }) }),
  output: closed({ attempt: { type: "integer" }, text: { type: "string" } }, ["attempt", "text"]),
  call: (input, { attempt }: ToolContext): Json => {
    const failures = readCount(input, "fail_first", { min: 0, max: 100, otherwise: 2 });
    if (attempt > failures) return { attempt, text: "Here you are." };
    throw new ToolError({ code: "demo_down", message: `The source is down (try ${attempt})` });
  },
});

const failTool: Tool = defineTool({
  name: "demo.fail",
  description: "Always fails, as it is told",
  effect: "read",
  input: optional({
    message: text("What it says"),
    code: text("demo_failed unless given"),
    final: yesOrNo("No more tries"),
  }),
  call: (input): never => {
    const code = readTextOr(input, "code", "demo_failed");
    const message = readTextOr(input, "message", "This tool always fails");
    throw new ToolError({ code, message, isFinal: readBoolean(input, "final") });
  },
});

/** Keys that a counter knows again; older ones would be counted twice. */
const keysMax = 10_000;

function createCounter(): Tool {
  let calls = 0;
  const seen = new Map<string, number>();
  return defineTool({
    name: "demo.counter",
    description: "Counts the steps that called it since the program started, each once however often it is tried",
    effect: "idempotent",
    input: open({}),
    output: { type: "integer", minimum: 1 },
    call: (_, { idempotencyKey }: ToolContext) => {
      const known = seen.get(idempotencyKey);
      if (known !== undefined) return known;
      calls += 1;
      seen.set(idempotencyKey, calls);
      const [oldest] = seen.keys();
      if (seen.size > keysMax && oldest !== undefined) seen.delete(oldest);
      return calls;
    },
  });
}

const randomTool: Tool = defineTool({
  name: "demo.random",
  description: "A whole number that looks random; the same for the same seed, and over all tries of a step",
  effect: "read",
  input: optional({
    seed: text("The step's own key unless given"),
    min: { type: "integer", description: "0 unless given" },
    max: { type: "integer", description: "99 unless given" },
  }),
  output: { type: "integer" },
  call: (input, { idempotencyKey }: ToolContext) => {
    const bounds = { min: -1_000_000_000, max: 1_000_000_000 };
    const min = readCount(input, "min", { ...bounds, otherwise: 0 });
    const max = readCount(input, "max", { ...bounds, otherwise: 99 });
    if (min > max) throw badArguments('"min" must not be more than "max".');
    return min + (hashOf(readTextOr(input, "seed", idempotencyKey)) % (max - min + 1));
  },
});

/** 48 bits of it: far more than the widest range asks for. */
function hashOf(seed: string): number {
  return createHash("sha256").update(seed).digest().readUIntBE(0, 6);
}

const item: JsonObject = closed({ title: { type: "string" } }, ["title"]);

const feedTool: Tool = defineTool({
  name: "demo.feed",
  description: 'Made-up news on a topic; none without one, and none to be had on "error"',
  effect: "read",
  input: open({ topic: { description: "What the news are about" } }),
  output: closed({ items: listOf(item, "News") }, ["items"]),
  outcomes: ["items", "empty"],
  call: (input) => {
    const topic = toText(input["topic"] ?? "");
    if (topic === "error") throw new ToolError({ code: "demo_down", message: "The feed does not answer" });
    const titles = ["Tides", "Harbours", "Lighthouses", "Pilots"].map((title) => `${title} and ${topic}`);
    if (topic === "") return outcome("empty", { items: [] });
    return outcome("items", { items: titles.map((title) => ({ title })) });
  },
});

const pageTool: Tool = defineTool({
  name: "demo.page",
  description: "A web page with text in it that a reader does not see but a model would",
  effect: "read",
  input: open({}),
  output: closed({ url: { type: "string" }, html: { type: "string" } }, ["url", "html"]),
  call: () => demoPage,
});

const scoreTool: Tool = defineTool({
  name: "demo.score",
  description: "Scores a title from 0 to 100, the same title always alike",
  effect: "read",
  input: open({ title: { description: "The title" } }),
  output: closed({ title: { type: "string" }, score: { type: "integer" } }, ["title", "score"]),
  call: (input): Json => {
    const title = toText(input["title"] ?? "");
    let sum = 0;
    for (const character of title) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 101;
    return { title, score: sum };
  },
});
