import { describe, expect, test } from "vitest";
import type { Json } from "../flow/json.ts";
import { isObject, own } from "../flow/json.ts";
import { codeOfRejection, createDesk, createWorld } from "../testing/engine.ts";

const gate = { start: { gate: {}, next: "then" }, then: { tool: "work", done: true } };

describe("what people and programs say", () => {
  test("E0-38, E1-05: ready with a step's id and the result of its call are all that a run is told", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine, row, steps } = await world.open({ tools: { work: desk.call } });
    const { id } = await engine.start(gate);
    expect(await steps(id)).toBe("start pending");
    await engine.ready((await row(id, "start")).id, { by: "ann" });
    await world.settle();
    expect(await steps(id)).toBe("start done, then running");
    desk.last().done();
    expect((await engine.result(id)).status).toBe("completed");
  });

  test("E3-04: of two answers to what both found open one counts, with its outcome and comment, and the other is refused", async () => {
    await using world = createWorld("memory");
    const { engine, row } = await world.open({ tools: { work: createDesk().call } });
    const { id } = await engine.start({
      start: { gate: {}, routes: { approved: "yes", rejected: "no" } },
      yes: { set: {}, done: true },
      no: { set: {}, done: true },
    });
    const step = (await row(id, "start")).id;
    const both = [engine.reject(step, { by: "ann", comment: "too dear" }), engine.approve(step, { by: "bob" })];
    expect(await Promise.all(both.map(codeOfRejection))).toEqual(["none", "REFUSED"]);
    expect((await row(id, "start")).gate?.answers).toMatchObject([
      { by: "ann", outcome: "rejected", comment: "too dear" },
    ]);
    expect((await engine.get(id)).steps.map((one) => one.step)).toEqual(["start", "no"]);
  });

  test("a signal waits for its step, and an event reaches all that wait now", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    const flow = { start: { gate: {}, next: "paid" }, paid: { wait: { event: "paid" }, done: true } };
    const early = await engine.start(flow);
    await engine.signal(early.id, "paid", { sum: 1 });
    const [first] = (await engine.get(early.id)).steps;
    await engine.approve(first?.id ?? 0);
    expect((await engine.result(early.id)).output).toEqual({ sum: 1 });
    const waiting = { start: { wait: { event: "paid" }, done: true } };
    const runs = [await engine.start(waiting), await engine.start(waiting), await engine.start(flow)];
    expect(await engine.emit("paid", { sum: 2 })).toBe(2);
    const states = await Promise.all(runs.map(({ id }) => engine.get(id)));
    expect(states.map(({ status, output }) => [status, output])).toEqual([
      ["completed", { sum: 2 }],
      ["completed", { sum: 2 }],
      ["running", null],
    ]);
    expect(await engine.emit("nobody waits")).toBe(0);
  });

  test("a pause lets calls finish and starts nothing; the run goes on where it was", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine, steps } = await world.open({ tools: { work: desk.call } });
    const { id } = await engine.start({ start: { tool: "work", next: "then" }, then: { tool: "work", done: true } });
    await world.settle();
    await engine.pause(id, { by: "ann" });
    desk.last().done();
    await world.clock.advance(5000);
    expect(await steps(id)).toBe("start done, then ready");
    expect(desk.calls).toHaveLength(1);
    await engine.resume(id);
    await world.settle();
    expect(desk.calls).toHaveLength(2);
  });

  test("E3-20: a cancel does what its preview said, with who and why on record", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine } = await world.open({ tools: { work: desk.call, undo: () => null } });
    const undoable = { tool: "work", compensate: { tool: "undo" } };
    const { id } = await engine.start({
      start: { ...undoable, next: "split" },
      split: { set: {}, parallel: ["a", "b"], join: "all" },
      a: { ...undoable },
      b: { gate: {} },
      all: { set: {}, done: true },
    });
    await world.settle();
    desk.last().done("made");
    await world.settle();
    const preview = await engine.preview(id);
    await engine.cancel(id, { by: "ann", reason: "enough" });
    await world.settle();
    const run = await engine.get(id);
    expect(run).toMatchObject({ status: "cancelled" });
    const said = (field: string): readonly Json[] => {
      const list = isObject(preview) ? own(preview, field) : undefined;
      return Array.isArray(list)
        ? list.map((one) => (isObject(one) ? (own(one, "row") ?? own(one, "id") ?? null) : one))
        : [];
    };
    const cancelled = run.steps.filter(({ status }) => status === "cancelled").map((step) => step.id);
    expect(new Set(said("aborted"))).toEqual(new Set(cancelled));
    const undone = run.steps.filter(({ role }) => role === "undo").map(({ serves }) => serves);
    expect(undone).toEqual(said("undone"));
    expect(undone.length).toBeGreaterThan(0);
    expect((await engine.history(id)).some((entry) => JSON.stringify(entry).includes("enough"))).toBe(true);
  });

  test("a person settles what nobody knows, skips it, or says where to go on", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine, row } = await world.open({ tools: { work: desk.call, pick: () => "neither" } });
    const late = {
      start: { tool: "work", effect: "write", timeout: "1s", next: "then" },
      then: { set: {}, done: true },
    };
    const runs = await Promise.all([engine.start(late), engine.start(late), engine.start(late)]);
    await world.clock.advance(1000);
    const [done, failed, skipped] = await Promise.all(runs.map(async ({ id }) => (await row(id, "start")).id));
    await engine.resolve(done ?? 0, { how: "done", result: 1 });
    await engine.resolve(failed ?? 0, { how: "failed" });
    await engine.skip(skipped ?? 0, { by: "ann" });
    const ended = await Promise.all(runs.map(({ id }) => engine.result(id)));
    expect(ended.map(({ status }) => status)).toEqual(["completed", "failed", "completed"]);
    const held = await engine.start({
      start: { tool: "pick", branch: [{ if: "result == a", then: "a" }] },
      a: { set: {}, done: true },
    });
    await world.settle();
    expect((await engine.get(held.id)).attention).toMatchObject({ code: "no_branch_matched" });
    await engine.choose((await row(held.id, "start")).id, { step: "a" });
    expect((await engine.result(held.id)).status).toBe("completed");
  });

  test("a machine moves when somebody fires one of its transitions", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools: { work: () => null } });
    const { id } = await engine.start({
      states: { draft: { initial: true }, review: {}, published: { terminal: "success" } },
      transitions: [
        { name: "submit", from: "draft", to: "review" },
        { name: "publish", from: "review", to: "published", action: { tool: "work" } },
      ],
    });
    expect(await codeOfRejection(engine.fire(id, { transition: "publish" }))).toBe("REFUSED");
    await engine.fire(id, { transition: "submit", by: "ann" });
    expect((await engine.get(id)).status).toBe("running");
    await engine.fire(id, { transition: "publish", by: "bob", reason: "ready" });
    expect((await engine.result(id)).status).toBe("completed");
  });
});

describe("what can be asked", () => {
  test("E3-18: a run with all its steps, or that there is none", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools: { work: () => "done" } });
    const { id } = await engine.start({ start: { tool: "work", done: true } });
    await engine.result(id);
    const { steps, ...run } = await engine.get(id);
    expect(run).toMatchObject({
      id,
      status: "completed",
      completedAt: world.clock.now(),
      updatedAt: world.clock.now(),
    });
    expect(steps.map(({ name, status, result }) => [name, status, result])).toEqual([["start", "done", "done"]]);
    const asked = [engine.get(12), engine.history(12), engine.result(12), engine.cancel(12)];
    expect(new Set(await Promise.all(asked.map(codeOfRejection)))).toEqual(new Set(["RUN_NOT_FOUND"]));
  });

  test("E3-21, E3-22: a step by its id, each field under its name, with its status and its result or reason", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine, store } = await world.open({ tools: { work: desk.call } });
    const flow = {
      start: { tool: "work", args: { a: 1 }, retry: { attempts: 1 }, routes: { success: "ask", error: "ask" } },
      ask: { gate: {}, next: "end" },
    };
    const runs = [await engine.start(flow), await engine.start(flow)];
    await world.settle();
    const steps = async (): Promise<readonly unknown[]> => {
      const views = await Promise.all(runs.map(({ id }) => engine.get(id)));
      const found = await Promise.all(views.map(({ steps: [first] }) => store.store.findRow(first?.id ?? 0)));
      return found.map((stored) => stored?.row);
    };
    const made = {
      step: "start",
      name: "start",
      tool: "work",
      args: { a: 1 },
      attempt: 1,
      createdAt: world.clock.now(),
    };
    expect(await steps()).toMatchObject([
      { ...made, status: "running", startedAt: world.clock.now(), completedAt: null, result: null },
      { ...made, status: "running" },
    ]);
    desk.calls[0]?.done({ found: true });
    desk.calls[1]?.fail(new Error("not found"));
    await world.settle();
    expect(await steps()).toMatchObject([
      { ...made, status: "done", result: { found: true }, error: null, completedAt: world.clock.now() },
      { ...made, status: "failed", error: { code: "tool_failed", message: "not found" } },
    ]);
    expect((await engine.get(runs[0]?.id ?? 0)).steps[1]).toMatchObject({ step: "ask", tool: null, status: "pending" });
  });

  test("E3-19: a list: newest first, fifty unless said otherwise, cancelled ones when asked for", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools: { work: () => null } });
    const runs = await Promise.all(Array.from({ length: 60 }, () => engine.start(gate)));
    const ids = runs.map(({ id }) => id).toReversed();
    await engine.cancel(ids[0] ?? 0);
    const listed = async (query: Parameters<typeof engine.list>[0]): Promise<readonly number[]> =>
      (await engine.list(query)).map(({ run }) => run.id);
    expect(await listed({})).toEqual(ids.slice(1, 51));
    expect(await listed({ status: "all", limitMax: 100 })).toEqual(ids);
    expect(await listed({ status: "cancelled" })).toEqual(ids.slice(0, 1));
    expect(await listed({ before: ids[50] ?? 0 })).toEqual(ids.slice(51));
  });

  test("a result, as long as one cares to wait", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    const { id } = await engine.start({ start: { wait: "10s", done: true } });
    const impatient = codeOfRejection(engine.result(id, { timeoutMs: 5000 }));
    const patient = engine.result(id, { timeoutMs: 15_000 });
    await world.clock.advance(5000);
    expect(await impatient).toBe("WAIT_TIMED_OUT");
    await world.clock.advance(5000);
    expect((await patient).status).toBe("completed");
    expect((await engine.result(id)).status).toBe("completed");
  });

  test("is refused in the same words by owner and guest when it is nested too deep, and nothing is written", async () => {
    await using world = createWorld("file");
    const owner = await world.open({ tools: { work: () => null } });
    const guest = await world.open({ tools: { work: () => null } });
    const { id } = await owner.engine.start(gate);
    await world.settle();
    let deep: Json = 1;
    for (let level = 0; level < 1500; level++) deep = [deep];
    for (const { engine } of [owner, guest]) {
      const refusal = { code: "INPUT_INVALID", message: "What was given is nested more than 128 deep." };
      await expect(engine.signal(id, "paid", deep)).rejects.toMatchObject(refusal);
      await expect(engine.emit("paid", deep)).rejects.toMatchObject(refusal);
    }
  });
});
