import { describe, expect, test } from "vitest";
import type { Json } from "../json.ts";
import type { PlanStep, ToolStep } from "../plan.ts";
import { compile } from "../validate/compile.ts";

function step(input: Json, key: string): PlanStep {
  const found = compile(input).steps[key];
  if (found === undefined) throw new Error(`no step ${key}`);
  return found;
}

function tool(spec: { readonly [key: string]: Json }, more: { readonly [key: string]: Json } = {}): ToolStep {
  const found = step(
    { format: "stepwell/v1", start: "a", steps: { a: { tool: "x", done: true, ...spec } }, ...more },
    "a",
  );
  if (found.kind !== "tool") throw new Error("no tool");
  return found;
}

describe("defaults", () => {
  test("E3-41: a flow's tool has three attempts after 5, 30 and 60 seconds, and 120 seconds each", () => {
    expect(tool({})).toMatchObject({
      timeoutMs: 120_000,
      retry: { attempts: 3, backoff: { kind: "list", delaysMs: [5000, 30_000, 60_000] }, jitter: 0 },
      effect: null,
      onUnknown: null,
      onCircuitOpen: "halt",
      onMissingTool: "halt",
      each: null,
    });
  });

  test("E0-30: classic waits 30 seconds, 2 minutes, 5 minutes", () => {
    expect(tool({ retry: "classic" }).retry).toEqual({
      attempts: 3,
      backoff: { kind: "list", delaysMs: [30_000, 120_000, 300_000] },
      jitter: 0,
    });
  });

  test("retry takes what is given and leaves the rest", () => {
    expect(tool({ retry: false }).retry.attempts).toBe(1);
    expect(tool({ retry: { attempts: 7 } }).retry).toMatchObject({
      attempts: 7,
      backoff: { delaysMs: [5000, 30_000, 60_000] },
    });
    expect(tool({ retry: { backoff: ["1s"], jitter: 0.1 } }).retry).toEqual({
      attempts: 3,
      backoff: { kind: "list", delaysMs: [1000] },
      jitter: 0.1,
    });
    expect(tool({ retry: { backoff: { base: "1s" } } }).retry.backoff).toEqual({
      kind: "exponential",
      baseMs: 1000,
      factor: 2,
      maxMs: 3_600_000,
    });
    expect(tool({ retry: { backoff: { base: "1s", factor: 3, max: "1m" } } }).retry.backoff).toMatchObject({
      factor: 3,
      maxMs: 60_000,
    });
  });

  test("the document's defaults change only tool calls' timeouts and all retries", () => {
    const defaults = { defaults: { timeout: "10s", retry: { attempts: 2 } } };
    expect(tool({}, defaults)).toMatchObject({ timeoutMs: 10_000, retry: { attempts: 2 } });
    expect(tool({ timeout: "1m", retry: { attempts: 4 } }, defaults)).toMatchObject({
      timeoutMs: 60_000,
      retry: { attempts: 4 },
    });
    expect(tool({ retry: { backoff: ["2s"] } }, defaults).retry).toMatchObject({
      attempts: 2,
      backoff: { delaysMs: [2000] },
    });
    const gate = step({ format: "stepwell/v1", steps: { a: { gate: {}, done: true } }, ...defaults }, "a");
    expect(gate.timeoutMs).toBeNull();
  });

  test.each<[Json, number]>([
    [{ attempts: 1 }, 1],
    [{ attempts: 2 }, 2],
    [{ jitter: 0.1 }, 3],
    [false, 3],
  ])("a back-off in a pipeline whose defaults are %j means %i attempts", (retry, attempts) => {
    const document = { defaults: { retry }, steps: [{ name: "a", tool: "x", retry: { backoff: ["2s"] } }] };
    expect(step(document, "a")).toMatchObject({ retry: { attempts } });
  });

  test("pipelines and machines try once", () => {
    expect(step({ steps: [{ name: "a", tool: "x" }] }, "a")).toMatchObject({ retry: { attempts: 1 } });
    expect(step({ steps: [{ name: "a", tool: "x", retry: { backoff: ["1s"] } }] }, "a")).toMatchObject({
      retry: { attempts: 3 },
    });
  });

  test("the document's own settings come with the plan", () => {
    const document = { format: "stepwell/v1", name: "n", description: "d", steps: { a: { tool: "x", done: true } } };
    expect(compile(document)).toMatchObject({
      name: "n",
      description: "d",
      cancel: "anywhere",
      timeoutMs: null,
      strict: false,
      start: "a",
    });
    expect(
      compile({
        ...document,
        cancel: "never",
        timeout: "30d",
        strict: true,
        input: true,
        defaults: { input: { a: 1 } },
        resources: { f: { url: "u" } },
      }),
    ).toMatchObject({
      cancel: "never",
      timeoutMs: 2_592_000_000,
      strict: true,
      input: { schema: true, defaults: { a: 1 } },
      resources: { f: { url: "u" } },
    });
  });
});

describe("actions", () => {
  test("each, policies and calls of a tool", () => {
    const compiled = tool({
      args: { v: "{{ item }}" },
      each: { items: "{{ input.list }}" },
      effect: "write",
      on_unknown: "ask",
      probe: { tool: "p", args: { i: "{{ index }}" } },
      idempotency_key: "k-{{ item }}",
      fallback: "y",
      on_circuit_open: "fallback",
      compensate: { tool: "u", args: { r: "{{ result.id }}" } },
    });
    expect(compiled.each).toMatchObject({ concurrency: 4, onItemError: "fail", result: "list" });
    expect(compiled).toMatchObject({ effect: "write", onUnknown: "ask", fallback: "y", onCircuitOpen: "fallback" });
    expect(compiled.probe?.tool).toBe("p");
    expect(compiled.compensate?.tool).toBe("u");
    expect(compiled.idempotencyKey?.kind).toBe("text");
  });

  test("waits sleep, wait for an instant, or for an event", () => {
    const wait = (spec: Json): PlanStep => step({ start: { wait: spec, done: true } }, "start");
    expect(wait("30m")).toMatchObject({ kind: "wait", wait: { kind: "sleep", ms: 1_800_000 } });
    expect(wait({ until: "{{ input.due }}", zone: "Europe/Berlin" })).toMatchObject({
      wait: { kind: "until", zone: "Europe/Berlin" },
    });
    expect(wait({ until: "tomorrow at 9am" })).toMatchObject({
      wait: { kind: "until", zone: null, until: { kind: "value" } },
    });
    expect(wait({ event: "paid", match: "event.order == input.order" })).toMatchObject({
      wait: { kind: "event", event: "paid" },
    });
    expect(wait({ event: "paid" })).toMatchObject({ wait: { match: null } });
  });

  test("sub-flows name a workflow, with or without a version", () => {
    const flow = (name: string, more: object = {}): PlanStep =>
      step({ start: { flow: name, done: true, ...more } }, "start");
    expect(flow("refund")).toMatchObject({ kind: "flow", workflow: "refund", version: null });
    expect(flow("refund@3", { input: { o: "{{ item }}" }, each: { items: [1, 2] } })).toMatchObject({
      workflow: "refund",
      version: 3,
    });
    expect(flow("refund", { compensate: { tool: "u" } })).toMatchObject({ compensate: { tool: "u" } });
  });

  test("gates apply their defaults", () => {
    expect(step({ start: { tool: null, next: "end" } }, "start")).toMatchObject({
      kind: "gate",
      title: null,
      form: null,
      approvers: null,
      need: 1,
      selfApproval: true,
      notify: null,
      remindAfterMs: null,
      expiresAfterMs: null,
      onExpire: "expired",
    });
    const gate = {
      title: "Go?",
      message: "m",
      form: { type: "object" },
      approvers: ["user:ann", "group:ops"],
      need: 2,
      self_approval: false,
      notify: { tool: "n" },
      remind_after: "4h",
      escalate_after: "24h",
      escalate_to: "e",
      expires_after: "2d",
      on_expire: "rejected",
    };
    expect(step({ start: { gate, done: true }, e: { tool: "x", done: true } }, "start")).toMatchObject({
      need: 2,
      selfApproval: false,
      escalateTo: "e",
      escalateAfterMs: 86_400_000,
      onExpire: "rejected",
    });
  });

  test("cancel is allowed, refused, or cleaned up after", () => {
    expect(tool({}).cancel).toEqual({ kind: "allowed" });
    expect(tool({ cancel: true }).cancel).toEqual({ kind: "allowed" });
    expect(tool({ cancel: false }).cancel).toEqual({ kind: "refused" });
    expect(step({ start: { tool: "x", cancel: "tidy", done: true }, tidy: { tool: "y" } }, "start").cancel).toEqual({
      kind: "cleanup",
      step: "tidy",
    });
  });

  test("the results a step can mention are named by key", () => {
    const plan = compile({
      start: { name: "search", tool: "x", next: "b" },
      b: { tool: "y", args: { q: "{{ steps.search.result }} {{ steps.start.outcome }}" }, done: true },
    });
    expect(plan.steps["b"]?.mentions).toEqual(["start"]);
  });
});

describe("transitions", () => {
  test("an end says how and with what", () => {
    expect(tool({ done: { kind: "failure", output: "{{ result.x }}", message: "no" } }).transition).toMatchObject({
      kind: "end",
      terminal: "failure",
      output: { kind: "expression" },
      message: { kind: "value" },
    });
    expect(step({ start: { tool: "x", next: "e" }, e: { terminal: "cancel" } }, "e")).toMatchObject({
      kind: "end",
      transition: { kind: "end", terminal: "cancel", output: null },
    });
    expect(step({ start: { tool: "x" } }, "start").transition).toMatchObject({ kind: "end", terminal: "success" });
  });

  test("routes for failures alone are no transition of their own", () => {
    expect(step({ start: { tool: "x", on_error: "b" }, b: { tool: "y" } }, "start").transition).toMatchObject({
      kind: "end",
    });
    expect(
      step({ start: { tool: "x", routes: { items: "b", default: "end" } }, b: { tool: "y" } }, "start").transition,
    ).toEqual({ kind: "routes" });
  });

  test("a step called end wins over the word", () => {
    expect(step({ start: { tool: "x", next: "end" } }, "start").transition).toEqual({
      kind: "next",
      to: { kind: "end" },
    });
    expect(step({ start: { tool: "x", next: "end" }, end: { tool: "y" } }, "start").transition).toEqual({
      kind: "next",
      to: { kind: "step", step: "end" },
    });
  });

  test("a pipeline falls through to the next position, also past routes", () => {
    const plan = compile({
      steps: [
        { name: "a", tool: "x", routes: { items: "c", error: "c" } },
        { name: "b", tool: "y" },
        { name: "c", tool: "z" },
      ],
    });
    expect(plan.steps["a"]?.transition).toEqual({ kind: "next", to: { kind: "step", step: "b" } });
    expect(plan.steps["c"]?.transition).toMatchObject({ kind: "end", terminal: "success" });
    expect(plan.steps["b"]).toMatchObject({ position: 2, args: { kind: "map" } });
  });
});

test("a flow with errors does not compile, and the error carries every finding", () => {
  expect(() => compile({ start: { tool: "x", next: "b" } })).toThrow(
    expect.objectContaining({
      code: "FLOW_INVALID",
      details: { findings: [expect.objectContaining({ code: "dangling_name" })] },
    }),
  );
  expect(() => compile({ start: { tool: "x", next: "b", args: { v: "{{ 1 + }}" } } })).toThrow(/and 1 more/);
});

test("a text that cannot be read is another error than a flow that is wrong", () => {
  expect(() => compile('{"start": ')).toThrow(expect.objectContaining({ code: "FLOW_UNREADABLE" }));
});
