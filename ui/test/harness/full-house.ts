// A house in which there is one of everything: runs that are done, failed, waiting, uncertain and scheduled, a machine, an
// each, saved workflows, users' questions.

import type { Json } from "../../../src/flow/json.ts";
import { openHouse, type House } from "./house.ts";

export type FullHouse = House & {
  readonly runs: {
    readonly done: number;
    readonly failed: number;
    readonly waiting: number;
    readonly each: number;
    readonly machine: number;
    readonly later: number;
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

export async function openFullHouse(): Promise<FullHouse> {
  const house = await openHouse({
    hasDemos: true,
    tools: {
      say: ({ text }: { text?: string }) => ({ text }),
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
  };
  for (const id of [runs.done, runs.failed, runs.each]) await engine.result(id);
  await engine.workflows.save(JSON.stringify(waiting), { name: "publishing", description: "Asks before it publishes" });
  return { ...house, runs };
}
