import { describe, expect, test } from "vitest";
import type { Json } from "../flow/json.ts";
import { createDemoTools } from "./demo.ts";
import { createToolBox } from "./registry.ts";
import type { ToolAnswer } from "./tool.ts";

const said: string[] = [];
const box = createToolBox(createDemoTools((text) => void said.push(text)));

function call(name: string, input: Json = {}, attempt = 1): ToolAnswer | Promise<ToolAnswer> | undefined {
  const { signal } = new AbortController();
  return box.find(name)?.call({ input, user: "ada", run: 1, step: 2, attempt, idempotencyKey: "k", signal });
}

describe("the demo tools", () => {
  test.each([
    ["demo.echo", { text: "hi" }, "hi"],
    ["demo.echo", { a: 1 }, { a: 1 }],
    ["demo.feed", { topic: "x" }, { items: expect.arrayContaining([{ title: "Tides and x" }]) as unknown }],
    ["text.summarize", { text: "one two" }, "one two"],
    ["log", { message: { text: "in" } }, "in"],
  ])("%s of %j", (name, input, result) => {
    expect(call(name, input)).toMatchObject({ kind: "done", result });
  });

  test("demo.flaky fails the first tries and then answers, in every run alike", () => {
    const answers = [1, 2, 3].map((attempt) => call("demo.flaky", { fail_first: 2 }, attempt));
    expect(answers).toMatchObject([{ kind: "failed", isFinal: false }, { kind: "failed" }, { kind: "done" }]);
  });

  test("demo.fail fails as it is told", () => {
    const failure = { code: "no_paper", message: "No paper", final: true };
    expect(call("demo.fail", failure)).toEqual({
      kind: "failed",
      code: "no_paper",
      message: "No paper",
      isFinal: true,
    });
  });

  test("demo.counter counts", () => {
    expect([call("demo.counter"), call("demo.counter")]).toMatchObject([{ result: 1 }, { result: 2 }]);
  });

  test("demo.feed names its outcome when there is nothing", () => {
    expect(call("demo.feed")).toMatchObject({ outcome: "empty", result: { items: [] } });
  });

  test("demo.score is the same for the same title", () => {
    expect(call("demo.score", { title: "Tides" })).toEqual(call("demo.score", { title: "Tides" }));
  });

  test("demo.sleep takes its time, and stops when it is told to", async () => {
    expect(await call("demo.sleep", { ms: 1 })).toMatchObject({ result: { slept_ms: 1 } });
    const signal = AbortSignal.abort();
    const aborted = box
      .find("demo.sleep")
      ?.call({ input: {}, user: "", run: 1, step: 2, attempt: 1, idempotencyKey: "", signal });
    expect(await aborted).toMatchObject({ kind: "failed" });
  });

  test("log and notify.inbox say what they are given", async () => {
    await call("log", { message: "one" });
    await call("notify.inbox", { message: "two" });
    expect(said.slice(-2)).toEqual(["one", "two"]);
  });
});
