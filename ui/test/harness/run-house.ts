// A house whose tools do what a test tells them while a run goes on: they are held until they are let go, fail until they
// are mended, answer with a lot.

import { once } from "node:events";
import type { Json, JsonObject } from "../../../src/flow/json.ts";
import { openHouse, type House } from "./house.ts";

export type RunHouse = House & {
  /** Starts a run, under a name by which the page knows it. */
  readonly start: (flow: JsonObject, input?: JsonObject) => Promise<number>;
  /** Starts a run, and waits until it has ended. */
  readonly finish: (flow: JsonObject, input?: JsonObject) => Promise<number>;
  /** Lets go what `hold` was called with under this key. */
  readonly letGo: (key: string) => void;
  /** From now on what failed under this key works. */
  readonly mend: (key: string) => void;
};

export async function openRunHouse(): Promise<RunHouse> {
  const holds = new Map<string, PromiseWithResolvers<void>>();
  const mended = new Set<string>();
  const holdOf = (key: string): PromiseWithResolvers<void> => {
    const found = holds.get(key) ?? Promise.withResolvers<void>();
    holds.set(key, found);
    return found;
  };
  const house = await openHouse({
    tools: {
      say: ({ text }: { text?: Json }) => ({ text }),
      hold: async ({ key }: { key: string }, { signal }: { readonly signal: AbortSignal }) => {
        await Promise.race([holdOf(key).promise, once(signal, "abort")]);
        return { key };
      },
      mail: ({ key }: { key: string }) => {
        if (!mended.has(key)) throw new Error("The post office answered 503.");
        return "sent";
      },
      rant: () => {
        throw new Error(`${"It went wrong, ".repeat(100)}the end of it.`);
      },
      rave: () => {
        throw new Error(`${"It went wrong, ".repeat(250)}the end of it.`);
      },
      much: () => ({
        items: Array.from({ length: 4000 }, (_, n) => ({ n, text: `${n} `.padEnd(1000, "many words ") })),
      }),
      tell: async (_args: JsonObject, { log }: { readonly log: (line: string) => void }) => {
        await holdOf("tell").promise;
        log("The first of the lines");
        await holdOf("told").promise;
        return "told";
      },
    },
  });
  const { engine } = house;
  const start = async (flow: JsonObject, input: JsonObject = {}): Promise<number> => {
    const { id } = await engine.start({ format: "stepwell/v1", ...flow }, { name: "errand", input });
    return id;
  };
  return {
    ...house,
    start,
    finish: async (flow, input) => {
      const id = await start(flow, input);
      await engine.result(id);
      return id;
    },
    letGo: (key) => holdOf(key).resolve(),
    mend: (key) => void mended.add(key),
    [Symbol.asyncDispose]: async () => {
      for (const { resolve } of holds.values()) resolve();
      await house[Symbol.asyncDispose]();
    },
  };
}

/** Held once, under the key that it is given. */
export const held: JsonObject = {
  start: "first",
  steps: {
    first: { tool: "hold", args: { key: "{{ input.key }}" }, next: "second" },
    second: { tool: "say", args: { text: "second" }, done: true },
  },
};

/** Two ways side by side. */
export const forked: JsonObject = {
  start: "fetch",
  steps: {
    fetch: { tool: "say", args: { text: "{{ input.topic }}" }, parallel: ["left", "right"], join: "publish" },
    left: { tool: "say", args: { text: "left" } },
    right: { tool: "say", args: { text: "right" } },
    publish: { tool: "say", args: { text: "{{ steps.fetch.result.text }}" }, done: true },
  },
};

export const mailing: JsonObject = {
  start: "write",
  steps: {
    write: { tool: "say", args: { text: "a letter" }, next: "send" },
    send: { tool: "mail", args: { key: "{{ input.key }}" }, retry: { attempts: 1 }, next: "note" },
    note: { tool: "say", args: { text: "noted" }, done: true },
  },
};

/** What is under way while a person is asked. */
export const asking: JsonObject = {
  start: "begin",
  steps: {
    begin: { tool: "say", args: { text: "begun" }, parallel: ["work", "review"], join: "publish" },
    work: { tool: "hold", args: { key: "{{ input.key }}" } },
    review: { gate: { title: "Publish it?" } },
    publish: { tool: "say", args: { text: "published" }, done: true },
  },
};

export const gated: JsonObject = {
  start: "review",
  steps: {
    review: { gate: { title: "Publish the letter?" }, routes: { approved: "publish", rejected: "drop" } },
    publish: { tool: "say", args: { text: "published" }, done: true },
    drop: { terminal: "cancel" },
  },
};

export const rating: JsonObject = {
  start: "rate",
  steps: {
    rate: {
      tool: "say",
      args: { text: "{{ item }}" },
      each: { items: "{{ input.items }}", concurrency: 50 },
      done: true,
    },
  },
};

export const much: JsonObject = { start: "load", steps: { load: { tool: "much", args: {}, done: true } } };

export const telling: JsonObject = { start: "speak", steps: { speak: { tool: "tell", args: {}, done: true } } };

export const article: JsonObject = {
  states: { draft: { initial: true }, review: {}, published: { terminal: "success" } },
  transitions: [
    { name: "submit", from: "draft", to: "review" },
    { name: "accept", from: "review", to: "published" },
    { name: "refuse", from: "review", to: "draft", requires_reason: true },
  ],
};

/** One step after the other. */
export function chain(length: number): JsonObject {
  const names = Array.from({ length }, (_, at) => `step-${String(at).padStart(3, "0")}`);
  const steps = names.map((name, at): [string, Json] => {
    const next = names[at + 1];
    return [name, { tool: "say", args: { text: "on" }, ...(next === undefined ? { done: true } : { next }) }];
  });
  return { start: "step-000", steps: Object.fromEntries(steps) };
}
