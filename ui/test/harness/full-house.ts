// A house in which there is one of everything: runs that are done, failed, waiting, uncertain, astray, held and scheduled,
// a machine, an each, saved workflows in several versions, a tool that has changed, users' questions.

import { fileURLToPath } from "node:url";
import type { Engine } from "../../../src/engine/engine.ts";
import type { Json, JsonObject } from "../../../src/flow/json.ts";
import { openHouse, type House } from "./house.ts";

export type FullHouse = House & {
  readonly runs: {
    readonly done: number;
    readonly failed: number;
    readonly waiting: number;
    readonly each: number;
    readonly machine: number;
    readonly later: number;
    /** Nobody knows whether it happened. */
    readonly uncertain: number;
    /** No branch matches. */
    readonly astray: number;
    /** What it calls is not what was agreed on. */
    readonly held: number;
    /** Of a workflow that has been saved again since. */
    readonly older: number;
  };
};

const done: Json = {
  format: "stepwell/v1",
  start: "fetch",
  steps: {
    fetch: {
      tool: "say",
      args: { text: "{{ input.topic }}" },
      branch: [{ if: "input.topic == ''", then: "none" }],
      else: "rate",
    },
    rate: { tool: "say", args: { text: "rated" }, parallel: ["left", "right"], join: "publish" },
    left: { tool: "say", args: { text: "left" } },
    right: { tool: "say", args: { text: "right" } },
    publish: { tool: "say", args: { text: "{{ steps.fetch.result.text }}" }, done: true },
    none: { done: true },
  },
};
const failed: Json = {
  format: "stepwell/v1",
  start: "fetch",
  steps: {
    fetch: { tool: "say", args: { text: "a" }, next: "send" },
    send: {
      tool: "fail",
      args: { text: "The source answered 503." },
      retry: { attempts: 2, backoff: ["1ms"] },
      done: true,
    },
  },
};
const waiting: Json = {
  format: "stepwell/v1",
  start: "write",
  steps: {
    write: { tool: "say", args: { text: "All about {{ input.topic }}" }, next: "review" },
    review: {
      gate: {
        title: "Publish {{ input.topic }}?",
        message: "It goes to everybody.",
        form: { type: "object", properties: { channel: { enum: ["mail", "chat"], title: "Channel" } } },
        expires_after: "2d",
      },
      routes: { approved: "publish", rejected: "drop", expired: "drop" },
    },
    publish: { tool: "say", args: { text: "published" }, done: true },
    drop: { terminal: "cancel" },
  },
};
const each: Json = {
  format: "stepwell/v1",
  start: "rate",
  steps: {
    rate: {
      tool: "say",
      args: { text: "{{ item }}" },
      each: { items: "{{ input.items }}", concurrency: 4 },
      done: true,
    },
  },
};
const machine: Json = {
  format: "stepwell/v1",
  states: { draft: { initial: true }, review: {}, published: { terminal: "success" } },
  transitions: [
    { name: "submit", from: "draft", to: "review" },
    { name: "accept", from: "review", to: "published" },
    { name: "refuse", from: "review", to: "draft", requires_reason: true },
  ],
};

/** Its answer is lost. */
const uncertain: Json = { start: { tool: "pay", effect: "write", args: { to: "ann" }, timeout: "20ms", done: true } };
const astray: Json = {
  start: { tool: "say", args: { text: "neither" }, branch: [{ if: "result.text == 'this'", then: "more" }] },
  more: { tool: "say", args: { text: "more" }, done: true },
};
const held: Json = {
  start: { tool: "parrot.echo", args: { switch: "changes-description" }, next: "again" },
  again: { tool: "parrot.echo", args: { hello: "again" }, done: true },
};
const asking: JsonObject = {
  format: "stepwell/v1",
  input: {
    type: "object",
    required: ["topic"],
    properties: {
      topic: { type: "string", title: "Topic", description: "What it is about" },
      copies: { type: "integer", title: "Copies", minimum: 1 },
      isUrgent: { type: "boolean", title: "Urgent" },
      channel: { enum: ["mail", "chat"], title: "Channel" },
      on: { type: "string", format: "date", title: "On" },
      more: { type: "object", title: "More" },
    },
  },
  start: "write",
  steps: { write: { tool: "tell", args: { text: "{{ input.topic }}" }, done: true } },
};

const parrot = fileURLToPath(new URL("../../../test/mcp/badtool.ts", import.meta.url));

export async function openFullHouse(): Promise<FullHouse> {
  const house = await openHouse({
    hasDemos: true,
    mcpServers: { parrot: { command: process.execPath, args: [parrot] } },
    tools: {
      say: ({ text }: { text?: string }) => ({ text }),
      tell: ({ text }: { text?: string }, { log }: { readonly log: (line: string) => void }) => {
        log(`About to tell of ${text}`);
        return { text };
      },
      pay: (_args: unknown, { signal }: { readonly signal: AbortSignal }) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("Given up.")))),
      fail: ({ text }: { text?: string }) => {
        throw new Error(text);
      },
    },
  });
  const { engine } = house;
  const start = async (flow: Json, name: string, input: Json, at?: string): Promise<number> => {
    const { id } = await engine.start(flow, { name, input: input as never, ...(at === undefined ? {} : { at }) });
    return id;
  };
  const runs = {
    done: await start(done, "digest", { topic: "tides" }),
    failed: await start(failed, "mailing", {}),
    each: await start(each, "rating", { items: ["a", "b", "c", "d", "e"] }),
    waiting: await start(waiting, "publishing", { topic: "harbours" }),
    machine: await start(machine, "article", {}),
    later: await start(done, "digest", { topic: "later" }, "tomorrow at 9am"),
    uncertain: await start(uncertain, "paying", {}),
    astray: await start(astray, "straying", {}),
    held: await start(held, "parroting", {}),
    older: await startOlder(engine),
  };
  for (const id of [runs.done, runs.failed, runs.each, runs.older]) await engine.result(id);
  await engine.workflows.save(JSON.stringify(waiting), { name: "publishing", description: "Asks before it publishes" });
  for (const id of [runs.uncertain, runs.astray, runs.held]) await waitForAttention(engine, id);
  return { ...house, runs };
}

/** Of the first of two versions. */
async function startOlder(engine: Engine): Promise<number> {
  await engine.workflows.save(JSON.stringify(asking, null, 2), { name: "asking", note: "the first" });
  const { id } = await engine.start("asking", { input: { topic: "tides" } });
  const text = JSON.stringify({ ...asking, description: "Tells of a topic" }, null, 2);
  await engine.workflows.save(text, { name: "asking", note: "with a description" });
  return id;
}

/** Until it is there to be decided. */
async function waitForAttention(engine: Engine, run: number): Promise<void> {
  for await (const _ of engine.watch(run)) if ((await engine.get(run)).attention !== null) return;
}
