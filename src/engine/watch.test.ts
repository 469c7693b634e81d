import { describe, expect, test } from "vitest";
import { createDesk, createWorld } from "../testing/engine.ts";
import { createGate } from "../testing/faulty-store.ts";
import type { ToolContext } from "../tool/function.ts";
import type { RunChange } from "./feed.ts";

const twoSteps = { start: { tool: "work", next: "then" }, then: { tool: "work", done: true } };

/** Reads a stream in the background; what has come so far, in short, and when it is over. */
function follow(stream: AsyncIterable<RunChange>): { readonly seen: string[]; readonly over: Promise<void> } {
  const seen: string[] = [];
  const over = (async () => {
    for await (const { step, name, status } of stream) seen.push(`${step === null ? "run" : name} ${status}`);
  })();
  return { seen, over };
}

describe("watching a run", () => {
  test("tells the steps as they are, then every change once and in order, and ends with the run", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine } = await world.open({ tools: { work: desk.call } });
    const { id } = await engine.start(twoSteps);
    await world.settle();
    const { seen, over } = follow(engine.watch(id));
    await world.settle();
    expect(seen).toEqual(["start running", "run running"]);
    // Of another run nothing is told.
    await engine.start(twoSteps);
    await engine.pause(id);
    await world.settle();
    desk.calls[0]?.done();
    await world.settle();
    expect(seen.splice(2)).toEqual(["run paused", "start done", "then ready"]);
    await engine.resume(id);
    await world.settle();
    desk.last().done();
    await over;
    // What one commit changes is told in no order of its own.
    expect(seen.slice(2, 4).toSorted()).toEqual(["run running", "then running"]);
    expect(seen.slice(4).toSorted()).toEqual(["run completed", "then done"]);
  });

  test("of a run that is over tells how it ended", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools: { work: () => null } });
    const { id } = await engine.start(twoSteps);
    await engine.result(id);
    const { seen, over } = follow(engine.watch(id));
    await over;
    expect(seen).toEqual(["start done", "then done", "run completed"]);
  });

  test("tells nothing twice and nothing out of order, though things happen while the steps are read", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine, store } = await world.open({ tools: { work: desk.call } });
    const { id } = await engine.start(twoSteps);
    await world.settle();
    const slow = createGate();
    store.faults.beforeVerb = (verb) => (verb === "listRows" ? slow.opened : undefined);
    const { seen, over } = follow(engine.watch(id));
    await world.settle();
    desk.calls[0]?.done();
    await world.settle();
    store.faults.beforeVerb = null;
    slow.open();
    await world.settle();
    expect(seen).toEqual(["start done", "then running", "run running"]);
    desk.last().done();
    await over;
    expect(seen.slice(3).toSorted()).toEqual(["run completed", "then done"]);
  });

  test("misses nothing that is committed while it looks whether there is more", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine, store } = await world.open({ tools: { work: desk.call } });
    const { id } = await engine.start(twoSteps);
    await world.settle();
    const slow = createGate();
    let looks = 0;
    store.faults.afterVerb = (verb) => (verb === "lastCommit" && ++looks === 3 ? slow.opened : undefined);
    const { seen, over } = follow(engine.watch(id));
    await world.settle();
    desk.calls[0]?.done();
    await world.settle();
    desk.calls[1]?.done();
    await world.settle();
    slow.open();
    await over;
    expect(seen).toContain("run completed");
    expect(looks).toBeGreaterThanOrEqual(3);
  });

  test("lets many watch one run, and goes on when one of them leaves", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine } = await world.open({ tools: { work: desk.call } });
    const { id } = await engine.start(twoSteps);
    await world.settle();
    const followers = [follow(engine.watch(id)), follow(engine.watch(id))];
    for await (const change of engine.watch(id)) if (change.step === null) break;
    desk.calls[0]?.done();
    await world.settle();
    desk.calls[1]?.done();
    await Promise.all(followers.map(({ over }) => over));
    // What comes quickly, one of them may see in one look and the other in two.
    for (const { seen } of followers)
      expect([seen.includes("start done"), seen.at(-1)]).toEqual([true, "run completed"]);
  });

  test("history tells of each step when it was entered, started and ended, and what people did", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine } = await world.open({ tools: { work: desk.call } });
    const { id } = await engine.start(twoSteps, { as: "ann" });
    await world.clock.advance(1000);
    await engine.cancel(id, { by: "bob", reason: "enough" });
    const history = await engine.history(id);
    expect(history.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["entered", "started", "ended", "event"]));
    expect(history.map(({ at }) => at)).toEqual(history.map(({ at }) => at).toSorted((one, other) => one - other));
    expect(JSON.stringify(history)).toContain("bob");
  });
});

describe("what a tool tells while it works", () => {
  test("its progress is seen by those who follow the run, the newest of it, and is not kept", async () => {
    await using world = createWorld("memory");
    const gate = createGate();
    const { engine } = await world.open({
      tools: {
        work: async (_input: unknown, { progress }: ToolContext) => {
          progress(0.1);
          progress(0.5, "half");
          await gate.opened;
          return null;
        },
      },
    });
    const { id } = await engine.start({ start: { tool: "work", done: true } });
    const seen: (readonly [string, unknown])[] = [];
    for await (const { status, step, progress } of engine.watch(id)) {
      if (step === null) continue;
      seen.push([status, progress]);
      if (progress !== undefined) gate.open();
    }
    expect(seen.at(-1)).toEqual(["done", undefined]);
    expect(seen).toContainEqual(["running", { fraction: 0.5, message: "half" }]);
    expect(await engine.history(id)).not.toContainEqual(expect.objectContaining({ event: "progress" }));
  });

  test("its lines are kept with the run, in their order", async () => {
    await using world = createWorld("file");
    const tools = {
      work: (_input: unknown, { log }: ToolContext) => {
        log("one");
        log("two");
        return null;
      },
    };
    const { engine } = await world.open({ tools });
    const { id } = await engine.start({ start: { tool: "work", done: true } });
    await engine.result(id);
    await world.settle();
    const lines = (await engine.history(id)).filter((entry) => entry.kind === "event" && entry.event === "log");
    expect(lines.map((entry) => ("data" in entry ? entry.data : null))).toEqual(["one", "two"]);
  });
});
