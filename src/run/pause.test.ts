import { describe, expect, it } from "vitest";
import { codeOf, startKernel, type Kernel } from "../testing/kernel.ts";

const minute = 60_000;
const pause = (kernel: Kernel): void => void kernel.send({ kind: "pause", by: "ann" });
const resume = (kernel: Kernel): void => void kernel.send({ kind: "resume", by: "bob" });

describe("a pause", () => {
  it("lets calls finish and records them; what follows stays ready until the run goes on", () => {
    const kernel = startKernel({ start: { tool: "work", next: "after" }, after: { tool: "log" } });
    kernel.admitAll();
    pause(kernel);
    kernel.finish("start", 1);
    expect(kernel.row("start")).toMatchObject({ status: "done", result: 1 });
    kernel.admitAll();
    expect(kernel.row("after").status).toBe("ready");
    expect(kernel.calls).toHaveLength(1);
    resume(kernel);
    kernel.admitAll();
    expect(kernel.row("after").status).toBe("running");
    expect(kernel.events).toMatchObject([
      { kind: "paused", by: "ann" },
      { kind: "resumed", by: "bob" },
    ]);
  });

  it.each([
    ["sets", { set: { n: 1 }, done: true }, "completed"],
    ["ends", { terminal: "success" }, "completed"],
    ["gates", { gate: {} }, "running"],
    ["sub-flows", { flow: "child" }, "running"],
  ])("keeps %s from beginning", (_, after, status) => {
    const kernel = startKernel({ start: { tool: "work", next: "after" }, after });
    kernel.admitAll();
    pause(kernel);
    kernel.finish("start", 1);
    expect(kernel.row("after")).toMatchObject({ status: "ready", startedAt: null });
    kernel.admitAll();
    expect(kernel.sends).toEqual([]);
    resume(kernel);
    expect(kernel.row("after").status).not.toBe("ready");
    expect(kernel.run().status).toBe(status);
  });

  it("takes answers and signals", () => {
    const kernel = startKernel({
      start: { set: {}, parallel: ["ask", "hold"], join: "meet" },
      ask: { gate: {} },
      hold: { wait: { event: "paid" } },
      meet: { terminal: "success" },
    });
    pause(kernel);
    expect(kernel.answer("ask").kind).toBe("ok");
    kernel.send({ kind: "signal", name: "paid", data: 5 });
    expect([kernel.row("ask").status, kernel.row("hold").status, kernel.row("meet").status]).toEqual([
      "done",
      "done",
      "ready",
    ]);
    resume(kernel);
    expect(kernel.run()).toMatchObject({ status: "completed", output: { ask: "approved", hold: 5 } });
  });

  it("lets alarms that come due fire when it ends", () => {
    const kernel = startKernel({
      start: { tool: "work", next: "nap" },
      nap: { wait: "5m", next: "after" },
      after: { tool: "log" },
    });
    kernel.admitAll();
    kernel.fail("start");
    pause(kernel);
    kernel.advance(10 * minute);
    expect(kernel.row("start")).toMatchObject({ status: "pending", attempt: 2 });
    resume(kernel);
    expect(kernel.row("start").status).toBe("ready");
    kernel.admitAll();
    kernel.finish("start");
    pause(kernel);
    kernel.advance(5 * minute);
    expect(kernel.row("nap").status).toBe("pending");
    resume(kernel);
    expect(kernel.row("after").status).toBe("ready");
  });

  it("keeps what failed meanwhile from being undone before the run goes on", () => {
    const kernel = startKernel({
      start: { tool: "work", compensate: { tool: "unwork" }, next: "after" },
      after: { tool: "log", retry: false },
    });
    kernel.admitAll();
    kernel.finish("start");
    kernel.admitAll();
    pause(kernel);
    kernel.fail("after");
    kernel.admitAll();
    expect(kernel.run()).toMatchObject({ status: "paused", ending: { kind: "failure" } });
    expect(kernel.calls).toHaveLength(2);
    resume(kernel);
    kernel.admitAll();
    expect(kernel.calls.at(-1)?.tool).toBe("unwork");
    kernel.finish("start");
    expect(kernel.run().status).toBe("failed");
  });

  it("may find nothing left to do: the run then ends when it goes on", () => {
    const kernel = startKernel({ start: { tool: "work", done: true } });
    kernel.admitAll();
    pause(kernel);
    kernel.finish("start", 1);
    expect(kernel.run()).toMatchObject({ status: "paused", live: 0 });
    resume(kernel);
    expect(kernel.run()).toMatchObject({ status: "completed", output: 1 });
  });

  it("is refused twice, before the start and after the end, and so is going on", () => {
    const kernel = startKernel({ start: { tool: "work", done: true } });
    expect(codeOf(kernel.send({ kind: "resume", by: "ann" }))).toBe("not_paused");
    pause(kernel);
    expect(codeOf(kernel.send({ kind: "pause", by: "ann" }))).toBe("already_paused");
    resume(kernel);
    kernel.admitAll();
    kernel.finish("start");
    expect(codeOf(kernel.send({ kind: "pause", by: "ann" }))).toBe("already_ended");
    expect(codeOf(kernel.send({ kind: "resume", by: "ann" }))).toBe("already_ended");
    const scheduled = startKernel({ start: { tool: "work", done: true } }, { at: 9e15 });
    expect(codeOf(scheduled.send({ kind: "pause", by: "ann" }))).toBe("not_running");
  });
});
