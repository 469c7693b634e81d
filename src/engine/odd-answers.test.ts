import { describe, expect, test } from "vitest";
import type { Json } from "../flow/json.ts";
import { createWorld } from "../testing/engine.ts";
import { createToolBox } from "../tool/registry.ts";
import { defineTool } from "../tool/function.ts";
import type { Tool, ToolAnswer } from "../tool/tool.ts";
import { Caller, type CallAnswer } from "./caller.ts";
import { systemClock } from "./clock.ts";
import type { SecretVault } from "./secret-vault.ts";

// Whatever a tool answers or throws ends in its own step, and never in the engine.

function rudeTool(call: () => unknown): Tool {
  const described = { description: null, effect: "write", input: null, output: null, outcomes: [] } as const;
  return { name: "rude", ...described, call: call as Tool["call"] };
}

function throwBare(): never {
  throw Object.create(null);
}

function throwUnreadable(): never {
  const error = new Error("x");
  Object.defineProperty(error, "message", { get: throwBare });
  throw error;
}

function throwNumbered(): never {
  throw Object.assign(new Error("x"), { message: 5 });
}

const cases: readonly [string, Tool | (() => unknown)][] = [
  ["answers with a bare failure", rudeTool(() => ({ kind: "failed" }))],
  ["answers with a bare failure later", rudeTool(async () => ({ kind: "failed" }))],
  ["answers with an outcome that is a number", rudeTool(async () => ({ kind: "done", result: 1, outcome: 5 }))],
  ["throws what has no text", rudeTool(throwBare)],
  ["throws what has no text later", rudeTool(async () => throwBare())],
  ["throws an error that cannot be read", rudeTool(throwUnreadable)],
  ["throws an error whose message is a number", rudeTool(async () => throwNumbered())],
  ["is a function that throws what has no text", throwBare],
  ["is a function that throws what has no text later", async () => throwBare()],
  ["is a function that throws an error that cannot be read", throwUnreadable],
  ["is a function that throws an error whose message is a number", async () => throwNumbered()],
];

describe.each([false, true])("with secrets to mask: %s, a tool that", (hasSecret) => {
  test.each(cases)("%s fails its step, and others of its batch are carried out", async (_, rude) => {
    await using world = createWorld("memory");
    const { engine, problems } = await world.open({ tools: { rude, work: () => "good" } });
    if (hasSecret) await engine.secrets.set("KEY", "value of the key");
    const starts = Array.from({ length: 10 }, (_none, index) =>
      engine.start({ start: { tool: index === 3 ? "rude" : "work", retry: false, done: true } }),
    );
    const ended = await Promise.all((await Promise.all(starts)).map(({ id }) => engine.result(id)));
    expect(ended.map(({ status }) => status)).toEqual(ended.map((_none, at) => (at === 3 ? "failed" : "completed")));
    expect(["bad_result", "tool_failed"]).toContain(ended[3]?.error?.code);
    expect(problems).toEqual([]);
  });
});

test.each([
  [90_000, 90_000],
  ["90000", 5000],
  [-1, 5000],
  [Number.NaN, 5000],
])("M11: a failure that asks for %s ms of patience is tried again after %i ms", async (retryAfterMs, delayMs) => {
  await using world = createWorld("memory");
  const rude = rudeTool(() => ({ kind: "failed", code: "busy", message: "Not now.", isFinal: false, retryAfterMs }));
  const { engine, row } = await world.open({ tools: { rude } });
  const { id } = await engine.start({ start: { tool: "rude", done: true } });
  await world.settle();
  expect((await row(id, "start")).alarms).toEqual([{ kind: "retry", at: world.clock.now() + delayMs }]);
});

test.each([
  [90_000, 90_000],
  ["90000", 5000],
])(
  "M11: a read that is lost and asks for %s ms of patience is tried again after %i ms",
  async (retryAfterMs, delayMs) => {
    await using world = createWorld("memory");
    const { engine, row } = await world.open({ tools: { rude: rudeTool(() => ({ kind: "lost", retryAfterMs })) } });
    const { id } = await engine.start({ start: { tool: "rude", effect: "read", done: true } });
    await world.settle();
    expect((await row(id, "start")).alarms).toEqual([{ kind: "retry", at: world.clock.now() + delayMs }]);
  },
);

describe("a call whose secrets cannot be handled", () => {
  function ask(vault: Pick<SecretVault, "fill" | "maskAnswer" | "maskMessage">): Promise<CallAnswer> {
    const { promise, resolve } = Promise.withResolvers<CallAnswer>();
    const ignore = (): void => undefined;
    const events = { progressed: ignore, logged: ignore, settled: ignore, over: ignore, overdue: ignore };
    const longCalls = {
      alive: () => Promise.resolve(),
      question: () => Promise.resolve({ kind: "cancelled" } as const),
    };
    const caller = new Caller(
      { tools: createToolBox({ work: () => "canary" }), clock: systemClock, secrets: vault as SecretVault },
      { ...events, ...longCalls, answered: (_, message) => resolve(message) },
    );
    const secrets = [{ name: "KEY", pointer: "/key", offset: 0, length: 17 }];
    const call = {
      row: 1,
      token: "1.x",
      tool: "work",
      key: "k",
      handle: null,
      timeoutMs: null,
      effect: "read",
    } as const;
    caller.call({
      run: 1,
      attempt: 1,
      claimant: { row: 1, user: "ann", workflow: "w", tool: "work" },
      call: { ...call, args: { key: "{{ secrets.KEY }}" }, secrets },
    });
    return promise;
  }
  const usual = {
    fill: (args: Json) => ({ ok: true, args }) as const,
    maskAnswer: (answer: ToolAnswer) => answer,
    maskMessage: (text: string) => text,
  };

  test("is not made when they cannot be filled in", async () => {
    const message = await ask({ ...usual, fill: throwBare });
    expect(message).toMatchObject({ kind: "failed", isFinal: true, error: { code: "secret_unreadable" } });
  });

  test("is a bad result when its answer cannot be masked, and nothing of it is told", async () => {
    const message = await ask({ ...usual, maskAnswer: throwBare });
    expect(message).toMatchObject({ kind: "failed", isFinal: true, error: { code: "bad_result" } });
    expect(JSON.stringify(message)).not.toContain("canary");
  });
});

describe("what a result holds is not told", () => {
  const secret = `sk_live_${"0123456789abcdefghijklmnopqrstuvwxyz".repeat(2)}`;
  const standard = (messageOf: (value: unknown) => string, path: readonly string[] = []): never =>
    ({
      "~standard": {
        version: 1,
        vendor: "test",
        validate: (value: unknown) => ({ issues: [{ message: messageOf(value), path }] }),
      },
    }) as never;
  const tellAll = (value: unknown): string => `${"x".repeat(250)} got ${JSON.stringify(value)}`;

  test.each<[string, Tool]>([
    [
      "by its name",
      defineTool({
        name: "t",
        output: { type: "object", additionalProperties: false },
        call: ({ key }: { key: string }) => ({ [key.repeat(6)]: 1 }),
      }),
    ],
    [
      "by the names around it",
      defineTool({
        name: "t",
        output: { additionalProperties: { additionalProperties: { type: "string" } } },
        call: ({ key }: { key: string }) => ({ ["x".repeat(230)]: { [key]: 1 } }),
      }),
    ],
    [
      "by the words of a library",
      defineTool({
        name: "t",
        output: standard(tellAll, ["text"]),
        call: ({ key }: { key: string }) => ({ text: key }),
      }),
    ],
    [
      "by a library that fails",
      defineTool({
        name: "t",
        output: standard((value) => {
          throw new Error(tellAll(value));
        }),
        call: ({ key }: { key: string }) => ({ text: key }),
      }),
    ],
    [
      "of arguments by words about others",
      defineTool({ name: "t", input: standard(tellAll, ["other"]), call: () => 1 }),
    ],
  ])("%s, not even in part", async (_, tool) => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools: [tool] });
    await engine.secrets.set("KEY", secret);
    const { id } = await engine.start({
      start: { tool: "t", args: { key: "{{ secrets.KEY }}", other: 1 }, retry: false, done: true },
    });
    const { error } = await engine.result(id);
    expect(error?.code).toMatch(/^bad_(?:result|args)$/);
    for (let from = 0; from + 6 <= secret.length; from += 1)
      expect(error?.message).not.toContain(secret.slice(from, from + 6));
  });
});
