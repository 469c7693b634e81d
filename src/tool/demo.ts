// Tools to try flows with: no network, no key, nothing that harms. The same input in the same try gives the same answer,
// so that a run that is taken up after a crash goes on as it began.

import { setTimeout as sleep } from "node:timers/promises";
import { isArray, isObject, type Json, type JsonObject } from "../flow/json.ts";
import { defineTool, outcome, ToolError, type ToolContext } from "./function.ts";
import type { Tool } from "./tool.ts";

/** Where `log` and `notify.inbox` say what they are given. */
export type DemoVoice = (text: string) => void;

export function createDemoTools(say: DemoVoice): readonly Tool[] {
  let calls = 0;
  return [
    defineTool({
      name: "demo.echo",
      description: "Answers with its text, or else with all it is given",
      effect: "read",
      call: (input) => input["text"] ?? input,
    }),
    defineTool({ name: "demo.sleep", description: "Takes its time (ms, 1000)", effect: "read", call: takeTime }),
    defineTool({
      name: "demo.flaky",
      description: "Fails the first tries of every step (fail_first, 2), then answers",
      effect: "read",
      call: failFirst,
    }),
    defineTool({ name: "demo.fail", description: "Always fails (message, code, final)", effect: "read", call: fail }),
    defineTool({
      name: "demo.counter",
      description: "Counts how often it was called since the program started",
      effect: "idempotent",
      call: () => (calls += 1),
    }),
    defineTool({ name: "demo.feed", description: "News on a topic; none on nothing", effect: "read", call: readFeed }),
    defineTool({ name: "demo.score", description: "Scores a title from 0 to 100", effect: "read", call: score }),
    defineTool({ name: "text.summarize", description: "The first words of a text", effect: "read", call: summarize }),
    speaking("log", "Says a message", say),
    speaking("notify.inbox", "Tells somebody; until there are inboxes, whoever watches", say),
  ];
}

function speaking(name: string, description: string, say: DemoVoice): Tool {
  const call = (input: JsonObject): Json => {
    const message = textOf(input["message"] ?? input);
    say(message);
    return message;
  };
  return defineTool({ name, description, effect: "idempotent", call });
}

/** A demo that seems to hang shows nothing. */
const sleepMsMax = 60_000;

async function takeTime(input: JsonObject, { signal }: ToolContext): Promise<Json> {
  const ms = Math.min(Math.max(numberOf(input["ms"], 1000), 0), sleepMsMax);
  await sleep(ms, undefined, { signal });
  return { slept_ms: ms };
}

function failFirst(input: JsonObject, { attempt }: ToolContext): Json {
  const failures = numberOf(input["fail_first"], 2);
  if (attempt > failures) return { attempt, text: "Here you are." };
  throw new ToolError({ code: "demo_down", message: `The source is down (try ${attempt})` });
}

function fail(input: JsonObject): never {
  const { code, message } = { code: textOf(input["code"] ?? "demo_failed"), message: input["message"] };
  throw new ToolError({ code, message: textOf(message ?? "This tool always fails"), isFinal: input["final"] === true });
}

function readFeed(input: JsonObject): unknown {
  const topic = textOf(input["topic"] ?? "");
  const titles = ["Tides", "Harbours", "Lighthouses", "Pilots"].map((title) => `${title} and ${topic}`);
  return topic === "" ? outcome("empty", { items: [] }) : { items: titles.map((title) => ({ title })) };
}

function score(input: JsonObject): Json {
  const title = textOf(input["title"] ?? "");
  let sum = 0;
  for (const character of title) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 101;
  return { title, score: sum };
}

function summarize(input: JsonObject): Json {
  const words = textOf(input["text"] ?? "").split(/\s+/);
  return words.length <= 12 ? words.join(" ") : `${words.slice(0, 12).join(" ")} …`;
}

function numberOf(value: Json | undefined, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}

/** What people read: the text itself, titles of items, else JSON. */
function textOf(value: Json): string {
  if (typeof value === "string") return value;
  if (isArray(value)) return value.map(textOf).join(", ");
  const text = isObject(value) ? (value["text"] ?? value["title"]) : undefined;
  return typeof text === "string" ? text : JSON.stringify(value);
}
