import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../engine/clock.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Json, JsonObject } from "../../flow/json.ts";
import { createWorld, type World } from "../../testing/engine.ts";
import { openWire, tasks, type Wire, type WireWish } from "../../testing/mcp-wire.ts";

let world: World;
let engine: Engine;
let release: () => void = () => {};

const tools = {
  /** Until the test lets it go. */
  hold: (_: unknown, { signal }: { signal: AbortSignal }): Promise<string> =>
    new Promise((resolve, reject) => {
      release = () => resolve("done at last");
      signal.addEventListener("abort", () => reject(new Error("cut off")));
    }),
  fail: () => {
    throw new Error("out of order");
  },
};

const flows: Readonly<Record<string, Json>> = {
  slow: { steps: { start: { tool: "hold", done: true } } },
  bad: { steps: { start: { tool: "fail", retry: { attempts: 1 }, done: true } } },
  gated: {
    steps: {
      start: { gate: { title: "Go on?", message: "It costs 5" }, routes: { later: "wait" }, next: "end" },
      wait: { set: {}, done: { output: "later" } },
      end: { set: {}, done: { output: "went on" } },
    },
  },
  form: {
    steps: {
      start: {
        gate: { title: "Who?", form: { type: "object", properties: { name: { type: "string" } }, required: ["name"] } },
        next: "end",
      },
      end: { set: {}, done: { output: "{{ steps.start.result.name }}" } },
    },
  },
  stubborn: { cancel: "never", steps: { start: { tool: "hold", done: true } } },
  machine: {
    states: { draft: { initial: true }, out: { terminal: "success" }, gone: { terminal: "cancel" } },
    transitions: [
      { name: "publish", from: "draft", to: "out" },
      { name: "drop", from: "draft", to: "gone" },
    ],
  },
  three: { steps: { start: { set: {}, next: "two" }, two: { set: {}, next: "ask" }, ask: { tool: null, done: true } } },
};

beforeAll(async () => {
  world = createWorld("memory");
  ({ engine } = await world.open({ tools, clock: systemClock }));
  for (const [name, flow] of Object.entries(flows)) await engine.save(flow, { name });
});

afterAll(() => world[Symbol.asyncDispose]());

const quick = { quickMs: 5, waitMs: 20 };

function openModern(wish: WireWish = {}): Promise<Wire> {
  return openWire(engine, { ...quick, capabilities: tasks, grants: ["read", "run", "approve"], ...wish });
}

function openLegacy(wish: WireWish = {}): Promise<Wire> {
  return openWire(engine, { ...quick, era: "legacy", grants: ["read", "run", "approve"], ...wish });
}

async function begin(wire: Wire, workflow: string): Promise<string> {
  const { taskId } = await wire.call(`workflow_${workflow}`);
  return taskId as string;
}

async function beginLegacy(wire: Wire, workflow: string): Promise<string> {
  const { task } = await wire.call(`workflow_${workflow}`, {}, { task: {} });
  return (task as { readonly taskId: string }).taskId;
}

async function see(wire: Wire, taskId: string): Promise<JsonObject> {
  return (await wire.ask("tasks/get", { taskId })).result;
}

/** Of the task that this one is, to its end. */
async function endOf(taskId: string): Promise<void> {
  const [run = 0] = (await engine.overview.find(taskId)).runs;
  await engine.result(run);
}

describe("a task of 2026-07-28", () => {
  test("SB-25, SB-26: is the run: its id is the run's, and it tells how the run is, with its kind", async () => {
    await using wire = await openModern();
    const handle = await wire.call("workflow_slow");
    const { taskId } = handle as { readonly taskId: string };
    expect(handle).toMatchObject({ resultType: "task", status: "working", ttlMs: null, pollIntervalMs: 500 });
    expect((await engine.list({ status: "live" })).map(({ run }) => run.uid)).toContain(taskId);
    expect(await see(wire, taskId)).toMatchObject({ status: "working", _meta: { "stepwell/terminal_kind": null } });
    release();
    await endOf(taskId);
    expect(await see(wire, taskId)).toMatchObject({
      status: "completed",
      _meta: { "stepwell/terminal_kind": "success" },
      result: {
        resultType: "complete",
        content: [{ text: "done at last" }, {}],
        structuredContent: { run_id: taskId, output: "done at last" },
      },
    });
  });

  test("what is quick is answered at once, as if there were no tasks", async () => {
    await using wire = await openModern({ quickMs: 10_000 });
    expect(await wire.call("workflow_bad")).toMatchObject({
      resultType: "complete",
      isError: true,
      _meta: { "stepwell/terminal_kind": "failure" },
    });
  });

  test("asks with one question for each gate, under the step's id, and goes on with the answer", async () => {
    await using wire = await openModern();
    for (const [choice, output] of [
      ["approved", "went on"],
      ["later", "later"],
    ] as const) {
      const taskId = await begin(wire, "gated");
      const { status, inputRequests } = await see(wire, taskId);
      expect(status).toBe("input_required");
      const [[key, question] = ["", null]] = Object.entries(inputRequests as JsonObject);
      const [run = 0] = (await engine.overview.find(taskId)).runs;
      expect(Number(key)).toBe((await engine.get(run)).steps[0]?.id);
      expect(question).toMatchObject({
        method: "elicitation/create",
        params: {
          message: "Go on?\n\nIt costs 5",
          requestedSchema: {
            properties: { choice: { enum: ["approved", "rejected", "later"] }, comment: {} },
            required: ["choice"],
          },
        },
      });
      const answers = {
        [key]: { action: "accept", content: { choice, comment: "ok" } },
        unknown: { action: "accept" },
      };
      const { result } = await wire.ask("tasks/update", { taskId, inputResponses: answers });
      expect(result).toMatchObject({ resultType: "complete" });
      await endOf(taskId);
      expect(await see(wire, taskId)).toMatchObject({ status: "completed", result: { structuredContent: { output } } });
      const answered = (await engine.get(run)).steps[0]?.gate?.answers;
      expect(answered).toMatchObject([{ by: "ann", outcome: choice, comment: "ok" }]);
    }
  });

  test("a gate with a form asks for it; declined is rejected, dismissed stays open, and what does not fit is told", async () => {
    await using wire = await openModern();
    const taskId = await begin(wire, "form");
    const [key = ""] = Object.keys((await see(wire, taskId))["inputRequests"] as JsonObject);
    const say = (response: Json): ReturnType<Wire["ask"]> =>
      wire.ask("tasks/update", { taskId, inputResponses: { [key]: response } });
    expect((await say({ action: "cancel" })).error).toBeNull();
    expect(await see(wire, taskId)).toMatchObject({ status: "input_required" });
    expect((await say({ action: "perhaps" })).error).toMatchObject({ code: -32602 });
    expect((await say({ action: "accept", content: {} })).error).toMatchObject({ code: -32602 });
    expect((await say({ action: "accept", content: { name: "Ada" } })).error).toBeNull();
    await endOf(taskId);
    expect(await see(wire, taskId)).toMatchObject({ result: { structuredContent: { output: "Ada" } } });
    const other = await begin(wire, "form");
    const [gate = ""] = Object.keys((await see(wire, other))["inputRequests"] as JsonObject);
    await wire.ask("tasks/update", { taskId: other, inputResponses: { [gate]: { action: "decline" } } });
    await endOf(other);
    expect(await see(wire, other)).toMatchObject({ status: "completed", result: { isError: true } });
  });

  test("a state of a machine asks which way to go", async () => {
    await using wire = await openModern();
    const taskId = await begin(wire, "machine");
    const { inputRequests } = await see(wire, taskId);
    const [[key, question] = ["", null]] = Object.entries(inputRequests as JsonObject);
    expect(question).toMatchObject({
      params: { requestedSchema: { properties: { choice: { enum: ["publish", "drop"] } } } },
    });
    const answer = { action: "accept", content: { choice: "drop" } };
    await wire.ask("tasks/update", { taskId, inputResponses: { [key]: answer } });
    await endOf(taskId);
    expect(await see(wire, taskId)).toMatchObject({
      status: "cancelled",
      _meta: { "stepwell/terminal_kind": "cancel" },
    });
  });

  test("whoever may not answer is not asked, and is refused with what would help", async () => {
    await using wire = await openModern({ grants: ["read", "run"] });
    const taskId = await begin(wire, "gated");
    expect(await see(wire, taskId)).toMatchObject({
      status: "working",
      statusMessage: expect.stringContaining("a person answers it"),
    });
    expect((await wire.ask("tasks/update", { taskId, inputResponses: {} })).error).toMatchObject({
      code: 403,
      data: { code: "NOT_ALLOWED", hint: expect.stringContaining("--approve") },
    });
  });

  test("SB-29: a cancel that is refused is acknowledged, and stands in the status", async () => {
    await using wire = await openModern();
    const taskId = await begin(wire, "stubborn");
    expect((await wire.ask("tasks/cancel", { taskId })).result).toMatchObject({ resultType: "complete" });
    expect(await see(wire, taskId)).toMatchObject({
      status: "working",
      statusMessage: expect.stringContaining("A cancel was refused: never"),
    });
    expect(await wire.call("run_cancel", { run_id: taskId })).toMatchObject({
      isError: true,
      structuredContent: { error: { code: "REFUSED", details: { code: "never" } } },
    });
    release();
    await endOf(taskId);
    expect((await wire.ask("tasks/cancel", { taskId })).error).toBeNull();
    expect(await see(wire, taskId)).toMatchObject({ status: "completed" });
  });

  test("SB-28, SB-32: another's is as if it were not there, and so is what is no id", async () => {
    await using wire = await openModern();
    const taskId = await begin(wire, "gated");
    const [run = 0] = (await engine.overview.find(taskId)).runs;
    await using other = await openModern({ user: "bob" });
    for (const id of [taskId, "1-nothing", String(run), "", "constructor"])
      for (const method of ["tasks/get", "tasks/cancel", "tasks/update"])
        expect((await other.ask(method, { taskId: id, inputResponses: {} })).error).toMatchObject({ code: -32602 });
    expect((await wire.ask("tasks/get", {})).error).toMatchObject({ code: -32602 });
    expect((await engine.get(run)).status).toBe("running");
  });

  test("without the extension there are no tasks: a call waits, and tells how to come back", async () => {
    await using wire = await openModern({ capabilities: {} });
    const result = await wire.call("workflow_slow");
    const { run_id: taskId } = result["structuredContent"] as { readonly run_id: string };
    expect(result).toMatchObject({
      resultType: "complete",
      content: [{ text: expect.stringContaining("run_get") }],
      structuredContent: { status: "running", terminal_kind: null },
    });
    expect((await wire.ask("tasks/get", { taskId })).error).toMatchObject({ code: -32021 });
    expect(await wire.call("run_get", { run_id: taskId })).toMatchObject({ structuredContent: { status: "running" } });
    release();
    await endOf(taskId);
    expect(await wire.call("run_get", { run_id: taskId })).toMatchObject({
      structuredContent: { status: "completed", output: "done at last" },
    });
  });
});

describe("a task of 2025-11-25", () => {
  test("SB-27, SB-32: begins as working, is completed in the end, and its result is that of the plain call", async () => {
    await using wire = await openLegacy();
    const { task } = await wire.call("workflow_slow", {}, { task: { ttl: 60_000 } });
    expect(task).toMatchObject({
      status: "working",
      ttl: null,
      pollInterval: 500,
      createdAt: expect.stringMatching(/^\d{4}-/),
      lastUpdatedAt: expect.stringMatching(/^\d{4}-/),
    });
    const { taskId } = task as { readonly taskId: string };
    const result = wire.ask("tasks/result", { taskId });
    expect((await wire.ask("tasks/get", { taskId })).result).toMatchObject({ status: "working" });
    release();
    expect((await result).result).toMatchObject({
      content: [{ text: "done at last" }, {}],
      structuredContent: { run_id: taskId, terminal_kind: "success" },
      _meta: { "io.modelcontextprotocol/related-task": { taskId }, "stepwell/terminal_kind": "success" },
    });
    expect((await wire.ask("tasks/get", { taskId })).result).toMatchObject({ status: "completed" });
    expect((await wire.ask("tasks/cancel", { taskId })).error).toMatchObject({ code: -32602 });
  });

  test("SB-27, SB-28: a failure is failed, and its result says why; a cancel stays cancelled, with a result as well", async () => {
    await using wire = await openLegacy();
    const bad = await beginLegacy(wire, "bad");
    const { result } = await wire.ask("tasks/result", { taskId: bad });
    expect(result).toMatchObject({ isError: true, structuredContent: { terminal_kind: "failure" } });
    expect((await wire.ask("tasks/get", { taskId: bad })).result).toMatchObject({ status: "failed" });
    const slow = await beginLegacy(wire, "slow");
    expect((await wire.ask("tasks/cancel", { taskId: slow })).result).toMatchObject({ status: "cancelled" });
    release();
    await endOf(slow);
    expect((await wire.ask("tasks/get", { taskId: slow })).result).toMatchObject({ status: "cancelled" });
    expect((await wire.ask("tasks/result", { taskId: slow })).result).toMatchObject({
      content: [{ text: expect.stringContaining("was cancelled") }],
      structuredContent: { terminal_kind: "cancel" },
    });
  });

  test("SB-32: where a cancel is not declared it is -32602, with the reason", async () => {
    await using wire = await openLegacy();
    const taskId = await beginLegacy(wire, "stubborn");
    expect((await wire.ask("tasks/cancel", { taskId })).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining("may not be cancelled"),
    });
    release();
  });

  test("SB-30, SB-32: are listed page by page, only one's own, all or those that go on", async () => {
    await using wire = await openLegacy({ user: "eve" });
    for (let each = 0; each < 51; each++) await engine.start({ start: { set: {}, done: true } }, { as: "eve" });
    const live = await beginLegacy(wire, "gated");
    const first = (await wire.ask("tasks/list")).result;
    const second = (await wire.ask("tasks/list", { cursor: first["nextCursor"] ?? "" })).result;
    const all = [first, second].flatMap((page) => page["tasks"] as readonly { readonly taskId: string }[]);
    expect(all).toHaveLength(52);
    expect(all[0]?.taskId).toBe(live);
    const active = (await wire.ask("tasks/list", { _meta: { "stepwell/active_only": true } })).result;
    expect(active).toMatchObject({
      // This client shows no questions: it is told who answers, and how.
      tasks: [{ taskId: live, status: "working", statusMessage: expect.stringMatching(/Go on\?.*run_respond/) }],
      _meta: { "stepwell/total": 1 },
    });
    await using other = await openLegacy({ user: "nobody" });
    expect((await other.ask("tasks/list")).result).toMatchObject({ tasks: [] });
    expect((await wire.ask("tasks/list", { cursor: "x" })).error).toMatchObject({ code: -32602 });
  });

  test("whoever leaves a blocking question ends the wait and not the run", async () => {
    await using wire = await openLegacy();
    const taskId = await beginLegacy(wire, "slow");
    void wire.ask("tasks/result", { taskId });
    wire.notify("notifications/cancelled", { requestId: wire.lastId() });
    expect((await wire.ask("tasks/get", { taskId })).result).toMatchObject({ status: "working" });
    release();
    await endOf(taskId);
    expect((await wire.ask("tasks/get", { taskId })).result).toMatchObject({ status: "completed" });
  });
});

describe("a call", () => {
  test("SB-31: with a progress token is told at once that the run has started, then of each step", async () => {
    await using wire = await openModern({ capabilities: {} });
    const call = wire.call("workflow_three", {}, { _meta: { progressToken: "p" } });
    expect(await wire.heard("notifications/progress")).toMatchObject({
      progressToken: "p",
      progress: 0,
      message: expect.stringContaining("has started"),
    });
    expect(await call).toMatchObject({ structuredContent: { status: "running", terminal_kind: null } });
  });

  test("under a key happens once, and gives the same run again", async () => {
    await using wire = await openModern();
    const meta = { _meta: { "stepwell/idempotency_key": "k1" } };
    const one = await wire.call("workflow_gated", {}, meta);
    const two = await wire.call("workflow_gated", {}, meta);
    expect(two["taskId"]).toBe(one["taskId"]);
    expect(await wire.call("workflow_gated", {}, { _meta: { "stepwell/idempotency_key": "" } })).toMatchObject({
      protocolError: { code: -32602 },
    });
  });

  test("that meets a gate comes back at once with the choices, and run_respond answers it", async () => {
    await using wire = await openModern({ capabilities: {}, waitMs: 60_000 });
    const result = await wire.call("workflow_gated");
    const { run_id: run, waiting } = result["structuredContent"] as {
      readonly run_id: string;
      readonly waiting: readonly JsonObject[];
    };
    expect(waiting).toMatchObject([{ title: "Go on?", choices: ["approved", "rejected", "later"] }]);
    expect(await wire.call("run_respond", { run_id: run, answer: "maybe" })).toMatchObject({
      isError: true,
      structuredContent: { error: { details: { choices: ["approved", "rejected", "later"] } } },
    });
    const answered = await wire.call("run_respond", { run_id: run, answer: "approved", comment: "fine" });
    expect(answered).not.toHaveProperty("protocolError");
    await endOf(run);
    expect(await wire.call("run_get", { run_id: run })).toMatchObject({ structuredContent: { output: "went on" } });
    expect(await wire.call("run_history", { run_id: run })).toMatchObject({
      structuredContent: {
        entries: expect.arrayContaining([expect.objectContaining({ event: "gate_answered" })]),
        next: null,
      },
    });
    expect(await wire.call("run_respond", { run_id: run, answer: "approved" })).toMatchObject({ isError: true });
  });

  test("workflow_validate tells what is wrong, with the patch that mends it", async () => {
    await using wire = await openModern();
    const flow = { start: { tool: "hold", next: "ned" }, end: { set: {}, done: true } };
    expect(await wire.call("workflow_validate", { flow })).toMatchObject({
      structuredContent: {
        is_valid: false,
        findings: expect.arrayContaining([
          expect.objectContaining({ patch: [{ op: "replace", path: "/start/next", value: "end" }] }),
        ]),
      },
    });
  });
});
