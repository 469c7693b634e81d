import { describe, expect, it } from "vitest";
import type { JsonObject } from "../flow/json.ts";
import { startKernel } from "../testing/kernel.ts";

const tool = (next: JsonObject = {}): JsonObject => ({ tool: "work", retry: false, ...next });

describe("what branches see", () => {
  it("is the newest visit in their own branch or around it; siblings become visible with the join", () => {
    const kernel = startKernel(
      {
        start: { set: { n: 0 }, parallel: ["a", "b"] },
        a: tool({ next: "look" }),
        look: {
          set: {
            b: "{{ steps[input.which].result ?? 'unseen' }}",
            start: "{{ steps.start.result.n }}",
            a: "{{ steps.a.result }}",
          },
          join: "meet",
        },
        b: tool({ join: "meet" }),
        meet: {
          set: { a: "{{ steps.a.result }}", b: "{{ steps.b.result }}", look: "{{ steps.look.result }}" },
          done: true,
        },
      },
      { input: { which: "b" } },
    );
    kernel.admitAll();
    kernel.finish("b", "B");
    kernel.finish("a", "A");
    expect(kernel.run().output).toEqual({ a: "A", b: "B", look: { b: "unseen", start: 0, a: "A" } });
    expect([...kernel.frontier.scopes.keys()]).toEqual([""]);
  });

  it("of a step shared by branches is the visit of their own", () => {
    const kernel = startKernel({
      start: { set: {}, parallel: ["a", "b"] },
      a: { set: { n: 1 }, next: "alert" },
      b: { set: { n: 2 }, next: "alert" },
      alert: tool({ args: { n: "{{ previous.n }}" }, next: "after" }),
      after: { set: { mine: "{{ steps.alert.result }}" }, done: true },
    });
    kernel.admitAll();
    const [one, two] = kernel.rows("alert");
    kernel.send({ kind: "done", row: two?.id ?? 0, token: two?.token ?? "", result: "two", outcome: null });
    kernel.send({ kind: "done", row: one?.id ?? 0, token: one?.token ?? "", result: "one", outcome: null });
    expect(kernel.run().output).toEqual({ after: [{ mine: "two" }, { mine: "one" }] });
  });

  it("from beside the flow is what the row sees, also when its fork closes at that very instant", () => {
    const kernel = startKernel({
      start: { set: {}, parallel: ["a", "b"], join: "meet" },
      a: { set: { n: 1 }, next: "ask" },
      ask: {
        gate: { escalate_after: "1m", escalate_to: "nap" },
        timeout: "2m",
        routes: { timeout: "meet" },
        next: "end",
      },
      nap: { wait: "1m", next: "look" },
      look: { set: { seen: "{{ steps.a.result.n }}" } },
      b: { set: {} },
      meet: { terminal: "success" },
    });
    kernel.advance(120_000);
    expect(kernel.row("look")).toMatchObject({ side: "escalation", result: { seen: 1 } });
    expect(kernel.run().status).toBe("completed");
  });

  it("after a fork whose inner branches were given up is still what had been done there", () => {
    const kernel = startKernel({
      start: { set: {}, parallel: ["a", "b"], join: "meet", on_branch_error: "collect" },
      a: { set: {}, parallel: ["x", "y"], join: "inner" },
      x: { set: { n: 1 }, next: "x2" },
      x2: tool(),
      y: tool(),
      inner: tool(),
      b: { set: {} },
      meet: { set: { x: "{{ steps.x.result.n }}" }, done: true },
    });
    kernel.admitAll();
    kernel.fail("y");
    expect(kernel.run().output).toEqual({ x: 1 });
    expect([...kernel.frontier.scopes.keys()]).toEqual([""]);
  });
});

describe("previous", () => {
  it("is asked for when its row has ended long ago", () => {
    const kernel = startKernel({
      start: tool({ next: "middle" }),
      middle: tool({ on_error: "last" }),
      last: tool({
        done: { kind: "success", output: { error: "{{ previous.error.code }}", first: "{{ steps.start.result }}" } },
      }),
    });
    kernel.admitAll();
    kernel.finish("start", "S");
    kernel.admitAll();
    kernel.fail("middle");
    kernel.admitAll();
    kernel.finish("last");
    expect(kernel.run().output).toEqual({ error: "broken", first: "S" });
    const named = startKernel({
      start: tool({ next: "middle" }),
      middle: tool({ next: "last" }),
      last: tool({ input_from: "start", args: { got: "{{ previous }}" } }),
    });
    named.admitAll();
    named.finish("start", "S");
    named.admitAll();
    named.finish("middle", "M");
    expect(named.row("last").args).toEqual({ got: "S" });
  });

  it("is what input_from names, whoever led here", () => {
    const kernel = startKernel({
      start: { set: { n: 1 }, next: "middle" },
      middle: { set: { n: 2 }, next: "last" },
      last: { set: { n: "{{ previous.n }}" }, input_from: "start", done: true },
    });
    expect(kernel.run().output).toEqual({ n: 1 });
  });

  it("of the first step is the run's input", () => {
    const kernel = startKernel({ start: { terminal: "success" } }, { input: { order: "A7" } });
    expect(kernel.run().output).toEqual({ order: "A7" });
  });

  it("E3-15: of an input that was null is an empty object", () => {
    expect(startKernel({ start: { set: { n: "{{ input.n ?? 5 }}" }, done: true } }).run().output).toEqual({ n: 5 });
  });
});

describe("what expressions see", () => {
  const look = (text: string): JsonObject => ({ start: { set: { seen: text }, done: true } });

  it.each([
    ["the input", "{{ input.order }}", "A7"],
    [
      "the run",
      "{{ [run.id, run.uid, run.name, run.created_by, run.started_at == run.now] }}",
      [1, "run-uid", "flow", "ann", true],
    ],
    ["nothing of a step that has not run", "{{ steps[input.order].result ?? 'none' }}", "none"],
  ])("is %s", (_, text, expected) => {
    expect(startKernel(look(text), { input: { order: "A7" } }).run().output).toEqual({ seen: expected });
  });

  it("is all steps where the name of the step is computed", () => {
    const kernel = startKernel(
      {
        start: { name: "first", set: { n: 1 }, next: "last" },
        last: { set: { seen: "{{ keys(steps) }}", n: "{{ steps[input.which].result.n }}" }, done: true },
      },
      { input: { which: "first" } },
    );
    expect(kernel.run().output).toMatchObject({ n: 1 });
  });

  it("is the flow's resources", () => {
    const flow = {
      format: "stepwell/v1",
      resources: { feed: { type: "rss", url: "u" } },
      start: "a",
      steps: { a: { set: { url: "{{ resources.feed.url }}" }, done: true } },
    };
    expect(startKernel(flow).run().output).toEqual({ url: "u" });
  });

  it("is null of a step that input_from names and that has not run", () => {
    const kernel = startKernel({
      start: { set: { n: 1 }, branch: [{ if: "result.n > 5", then: "other" }], else: "last" },
      other: { set: { n: 2 }, next: "last" },
      last: { set: { seen: "{{ previous ?? 'none' }}" }, input_from: "other", done: true },
    });
    expect(kernel.run().output).toEqual({ seen: "none" });
  });

  it("is an item's own value, also for its probe and when it is undone after a retry", () => {
    const kernel = startKernel({
      start: { tool: "work", args: { n: "{{ item.n }}-{{ index }}" }, each: { items: [{ n: 5 }] }, done: true },
    });
    kernel.admitAll();
    expect(kernel.calls[0]?.args).toEqual({ n: "5-0" });
  });
});
