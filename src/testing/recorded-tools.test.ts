import { describe, expect, test } from "vitest";
import type { RunView } from "../engine/engine.ts";
import { outcome } from "../tool/function.ts";
import { fakeTool, throws, type FakeTool } from "./fake-tool.ts";
import { openTestEngine } from "./open-test-engine.ts";
import { recordedTools } from "./recorded-tools.ts";

const flow = {
  start: {
    tool: "look",
    args: { q: "{{ input.q }}" },
    retry: { attempts: 3, backoff: ["1s"] },
    routes: { few: "each" },
    next: "end",
  },
  each: { tool: "score", args: { n: "{{ item }}" }, each: { items: [1, 2] }, done: true },
};

async function record(): Promise<Parameters<typeof recordedTools>[0]> {
  const look = fakeTool("look", [throws("503"), () => outcome("few", ["a"])]);
  await using t = await openTestEngine({ tools: [look, fakeTool("score", ({ n }: { n: number }) => n * 10)] });
  const run = await t.start(flow, { input: { q: "tides" } });
  await t.advance("1m");
  expect((await t.result(run.id)).output).toEqual([10, 20]);
  return (await t.get(run.id)).steps;
}

describe("recorded tools", () => {
  test("answer as in the run that they were taken from, failures and outcomes included", async () => {
    const tools = recordedTools(await record());
    await using t = await openTestEngine({ tools });
    const run = await t.start(flow, { input: { q: "tides" } });
    await t.advance("1m");
    expect((await t.result(run.id)).output).toEqual([10, 20]);
    expect(tools.map(({ name, calls }) => [name, calls.length])).toEqual([
      ["look", 2],
      ["score", 2],
    ]);
  });

  test("answer whatever the secrets among the arguments are now, and only that call", async () => {
    const calls = {
      s: {
        tool: "send",
        args: { auth: "Bearer {{ secrets.TOK }}, {{ secrets.TOK }}.", to: "{{ input.to }}" },
        done: true,
      },
    };
    const playWith = async (tools: readonly FakeTool[], token: string, to: string): Promise<RunView> => {
      await using t = await openTestEngine({ tools });
      await t.secrets.set("TOK", token);
      const { id } = await t.start(calls, { input: { to } });
      await t.settle();
      return await t.get(id);
    };
    const { steps } = await playWith([fakeTool("send", { sent: true })], "canary-1234567", "ann");
    const again = await playWith(recordedTools(steps), "canary-other", "ann");
    expect([again.status, again.output]).toEqual(["completed", { sent: true }]);
    const other = await playWith(recordedTools(steps), "canary-1234567", "bob");
    expect(other.error).toMatchObject({ code: "not_recorded" });
  });

  test("do not take what only looks like a secret for one", async () => {
    const looks = "{{ secrets.TOK }}";
    const calls = { s: { tool: "send", args: { auth: "{{ input.auth }}" }, done: true } };
    const playWith = async (tools: readonly FakeTool[], auth: string): Promise<RunView> => {
      await using t = await openTestEngine({ tools });
      const { id } = await t.start(calls, { input: { auth } });
      await t.settle();
      return await t.get(id);
    };
    const { steps } = await playWith([fakeTool("send")], looks);
    expect((await playWith(recordedTools(steps), looks)).status).toBe("completed");
    expect((await playWith(recordedTools(steps), "anything")).error).toMatchObject({ code: "not_recorded" });
  });

  test("say so when a call was never made", async () => {
    await using t = await openTestEngine({ tools: recordedTools(await record()) });
    const run = await t.start(flow, { input: { q: "boats" } });
    await t.settle();
    expect((await t.get(run.id)).steps[0]?.error).toEqual({
      code: "not_recorded",
      message: 'The recorded run never called "look" with {"q":"boats"}.',
    });
  });

  test("say so when a call was made less often", async () => {
    await using t = await openTestEngine({ tools: recordedTools(await record()) });
    const more = {
      start: { tool: "score", args: { n: 1 }, each: { items: [1, 2] }, retry: { attempts: 1 }, done: true },
    };
    const run = await t.start(more);
    await t.settle();
    const told = (await t.get(run.id)).steps.flatMap(({ error }) => error?.message ?? []);
    expect(told).toContain('The recorded run called "score" less often with {"n":1}.');
  });
});
