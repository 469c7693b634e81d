// What the seeds 000, 001 and 003 tell of their flows, as it happens in the kernel: starting, one step after the other,
// choices, several at once. Stores, doors and words of time, which they also ask for, are shown where these are.

import { describe, expect, test } from "vitest";
import type { Plan } from "../src/index.ts";
import { decide } from "../src/run/decide.ts";
import type { Message } from "../src/run/message.ts";
import { envAt, morning, startKernel, type Kernel } from "../src/testing/kernel.ts";
import { planFrom, planOf, seeds } from "./example-files.ts";
import { called, day, hour, play, rowsSeen, second, startSeed, variant } from "./seed-runs.ts";

/** The first decision of a run, by itself. */
function firstDecision(plan: Plan, at: number | null): ReturnType<typeof decide> {
  let id = 41;
  const start: Message = {
    kind: "start",
    id: "m1",
    run: 41,
    uid: "u",
    name: "notify",
    input: {},
    by: "james",
    via: null,
    at,
    parent: null,
    again: null,
  };
  return decide(plan, null, start, { ...envAt(morning), newId: () => ++id });
}

describe("starting", () => {
  test("E0-08, E3-13, E3-16: a start answers with the run's id; run and first step are made in one decision", () => {
    expect(firstDecision(planOf(`${seeds}/003-notify.json`), null)).toMatchObject({
      kind: "decision",
      reply: { kind: "ok", value: 41 },
      changes: {
        run: { id: 41, name: "notify", status: "running", createdBy: "james", startedAt: morning },
        rows: [{ id: 42, name: "send", tool: "pushover_send", status: "ready" }],
      },
    });
  });

  test("E0-10: the first step is ready now, with attempt 1; missing args are an empty object", () => {
    const plan = planFrom({ start: { name: "send", tool: "pushover_send", done: true } });
    const kernel = startKernel(plan);
    expect(kernel.row("send")).toMatchObject({ status: "ready", readyAt: morning, attempt: 1, args: {} });
    kernel.admitAll();
    expect(kernel.row("send")).toMatchObject({ status: "running", readyAt: morning, startedAt: morning });
  });

  test("E3-14: a scheduled start makes the run scheduled and its first step pending, both with their ids", () => {
    expect(firstDecision(planOf(`${seeds}/003-morning-notify.json`), morning + hour)).toMatchObject({
      reply: { kind: "ok", value: 41 },
      changes: { run: { id: 41, status: "scheduled" }, rows: [{ id: 42, status: "pending", readyAt: null }] },
      calls: [],
    });
  });

  test("E1-12, E3-39: at 8am the alarm makes the run running and its first step ready", () => {
    const kernel = startSeed("003-morning-notify", { now: morning - 14 * hour, at: morning });
    kernel.advance(14 * hour - 1);
    kernel.admitAll();
    expect([kernel.run().status, kernel.row("send").status]).toEqual(["scheduled", "pending"]);
    kernel.advance(1);
    expect(kernel.run()).toMatchObject({ status: "running", startedAt: morning, createdAt: morning - 14 * hour });
    expect(kernel.row("send")).toMatchObject({ status: "ready", readyAt: morning });
    play(kernel);
    expect(kernel.run()).toMatchObject({ status: "completed", completedAt: morning });
  });

  test("E3-39: morning-notify, asked for the evening before, says good morning at nine, once", () => {
    const nine = morning + hour;
    const kernel = startSeed("003-morning-notify", { now: morning - 13 * hour, at: nine });
    kernel.advance(3 * day);
    play(kernel);
    expect(called(kernel)).toEqual([["pushover_send", { message: "Good morning" }]]);
    expect(kernel.run()).toMatchObject({ status: "completed", startedAt: nine });
  });

  test("E3-15: a run without input completes", () => {
    const kernel = startSeed("003-notify");
    play(kernel);
    expect(kernel.run()).toMatchObject({ status: "completed", input: {} });
  });

  test("E3-37: one flow starts again with other input", () => {
    const plan = planOf(`${seeds}/003-interpolation.json`);
    const messages = ["Ann", "Bob"].map((name) => {
      const kernel = startKernel(plan, { input: { name } });
      play(kernel);
      return called(kernel)[0]?.[1];
    });
    expect(messages).toMatchObject([{ message: "Hello Ann" }, { message: "Hello Bob" }]);
  });
});

describe("examples with one step after the other", () => {
  test("E0-11, E0-14: research calls its three tools in order, and a missing doc_id becomes an empty text", () => {
    const kernel = startSeed("000-research", { input: { topic: "AI safety" } });
    play(kernel, { knowledge_search: ["a", "b"], knowledge_get: "text", pushover_send: "sent" });
    expect(called(kernel)).toEqual([
      ["knowledge_search", { query: "AI safety" }],
      ["knowledge_get", { id: "" }],
      ["pushover_send", { message: "Research complete" }],
    ]);
    expect(kernel.row("summarize").warnings).toEqual(['"input.doc_id" has no value and became an empty text.']);
    expect(kernel.run()).toMatchObject({ status: "completed", terminalKind: "success", output: "sent" });
  });

  test("E3-16: notify sends its message, and the run is over", () => {
    const kernel = startSeed("003-notify");
    play(kernel, { pushover_send: "sent" });
    expect(called(kernel)).toEqual([["pushover_send", { message: "Hello from workflow" }]]);
    expect(kernel.run()).toMatchObject({ status: "completed", output: "sent" });
  });

  test("E3-17, E0-28: greet-then-count records each result and then makes the next step", () => {
    const kernel = startSeed("003-greet-then-count");
    kernel.admitAll();
    kernel.advance(2 * second);
    expect(kernel.rows()).toHaveLength(1);
    kernel.finish("greet", "Hello!");
    expect(kernel.row("greet")).toMatchObject({ status: "done", result: "Hello!", completedAt: morning + 2 * second });
    expect(rowsSeen(kernel)).toEqual(["greet: done", "count: ready"]);
    play(kernel, { get_counter: 42 });
    expect(called(kernel)).toEqual([
      ["get_greeting", { name: "World" }],
      ["get_counter", {}],
    ]);
    expect(kernel.run()).toMatchObject({ status: "completed", output: 42 });
  });

  test("E0-33, E3-42, E3-43: placeholders in a text, a list and a map are filled in and keep their types", () => {
    const kernel = startSeed("003-interpolation", { input: { name: "Ann", to: 17 } });
    play(kernel);
    expect(called(kernel)).toEqual([
      ["pushover_send", { message: "Hello Ann", recipients: [17], config: { region: "" } }],
    ]);
    expect(kernel.run().status).toBe("completed");
  });
});

describe("choices", () => {
  const ways = [
    ["000-check-admin", true, "knowledge_add", {}],
    ["000-check-admin", "true", "knowledge_add", {}],
    ["000-check-admin", false, "get_greeting", {}],
    ["003-branch", true, "pushover_send", { message: "Approved" }],
    ["003-branch", false, "pushover_send", { message: "Rejected" }],
  ] as const;

  test.each(ways)("E0-15, E1-07, E0-32: %s with %j calls just %s with %j", (name, isAdmin, tool, args) => {
    const kernel = startSeed(name);
    play(kernel, { is_admin: isAdmin });
    expect(called(kernel)).toEqual([
      ["is_admin", {}],
      [tool, args],
    ]);
    expect(kernel.run().status).toBe("completed");
  });

  test("E3-11: the first condition that holds decides, though the second would hold, too", () => {
    const both = [
      { if: "result != nil", then: "admin_action" },
      { if: "result == true", then: "user_action" },
    ];
    const kernel = startKernel(variant("000-check-admin", "start", { branch: both }));
    play(kernel, { is_admin: true });
    expect(rowsSeen(kernel)).toEqual(["check_admin: done", "admin_action: done"]);
  });

  test("E0-16, E3-11: without a match nothing is made; the run stays running and says what it saw", () => {
    const kernel = startSeed("000-check-admin");
    play(kernel, { is_admin: "maybe" });
    expect(rowsSeen(kernel)).toEqual(["check_admin: done"]);
    expect(kernel.run()).toMatchObject({
      status: "running",
      attention: { code: "no_branch_matched", value: "maybe" },
    });
  });

  const nexts = [
    { name: "003-notify", result: null, status: "completed", made: [] },
    { name: "000-check-admin", result: "maybe", status: "running", made: [] },
    { name: "003-fan-out", result: null, status: "running", made: ["search", "count"] },
  ];

  test.each(nexts)("E0-21: after $name gave $result the run is $status and goes on with $made", (next) => {
    const kernel = startSeed(next.name);
    kernel.admitAll();
    kernel.finish("start", next.result);
    expect(kernel.run().status).toBe(next.status);
    const made = kernel.rows().slice(1);
    expect(made.map((row) => row.name)).toEqual(next.made);
  });

  test("E0-20: a result for a step that the run does not have makes nothing", () => {
    const kernel = startSeed("000-research");
    kernel.admitAll();
    kernel.send({ kind: "done", row: 999, token: "999.e1", result: "?", outcome: null });
    expect(rowsSeen(kernel)).toEqual(["search: running"]);
    expect(kernel.eventsOf("late_result")).toMatchObject([{ row: 999 }]);
  });
});

describe("several steps at once", () => {
  test("E0-17, E0-18, E1-08: fan-out makes both branches at once and the report once, after the last of them", () => {
    const kernel = startSeed("003-fan-out", { input: { topic: "tea" } });
    kernel.admitAll();
    kernel.finish("collect", "hello");
    expect(rowsSeen(kernel)).toEqual(["collect: done", "search: ready", "count: ready"]);
    kernel.admitAll();
    expect(rowsSeen(kernel)).toEqual(["collect: done", "search: running", "count: running"]);
    kernel.finish("count", 3);
    kernel.admitAll();
    expect(kernel.rows("report")).toEqual([]);
    kernel.finish("search", ["a"]);
    expect(rowsSeen(kernel)).toEqual(["collect: done", "search: done", "count: done", "report: ready"]);
    play(kernel, { pushover_send: "sent" });
    expect(kernel.rows("report")).toHaveLength(1);
    expect(kernel.run()).toMatchObject({ status: "completed", output: "sent" });
  });

  test("E0-18: a branch that is tried again keeps the report waiting", () => {
    const kernel = startSeed("003-fan-out");
    kernel.admitAll();
    kernel.finish("collect");
    kernel.admitAll();
    kernel.fail("search");
    kernel.finish("count", 3);
    expect(kernel.rows("report")).toEqual([]);
    kernel.advance(5 * second);
    play(kernel);
    expect(rowsSeen(kernel)).toEqual([
      "collect: done",
      "search: failed",
      "count: done",
      "search: done",
      "report: done",
    ]);
  });

  test("E0-43: how many branches are still out is stored with the forking step", () => {
    const kernel = startSeed("003-fan-out");
    kernel.admitAll();
    kernel.finish("collect");
    expect(kernel.row("collect").open).toEqual({ kind: "fork", open: 2, arrived: 0 });
    kernel.admitAll();
    kernel.finish("search");
    expect(kernel.row("collect").open).toEqual({ kind: "fork", open: 1, arrived: 1 });
    kernel.finish("count");
    expect(kernel.row("collect").open).toBeNull();
  });
});

describe("a life", () => {
  test("E3-06, E1-02, E1-06: a step goes from pending to ready, running and failed, and its retry on to done", () => {
    const kernel = startSeed("003-notify", { at: morning + hour });
    const seen = [kernel.row("send").status];
    const note = (): void => void seen.push(kernel.row("send").status);
    kernel.advance(hour);
    note();
    kernel.admitAll();
    note();
    kernel.fail("send");
    seen.push(...kernel.rows("send").map((row) => row.status));
    kernel.advance(5 * second);
    note();
    kernel.admitAll();
    note();
    kernel.finish("send");
    note();
    expect(seen).toEqual(["pending", "ready", "running", "failed", "pending", "ready", "running", "done"]);
  });

  const lives: readonly (readonly [string, (kernel: Kernel) => void])[] = [
    ["scheduled", () => undefined],
    ["running", (kernel) => kernel.advance(hour)],
    ["completed", (kernel) => (kernel.advance(hour), play(kernel))],
    ["cancelled", (kernel) => void kernel.send({ kind: "cancel", by: "ann", reason: null })],
    ["failed", (kernel) => (kernel.advance(hour), kernel.admitAll(), void kernel.fail("send", undefined, "final"))],
  ];

  test.each(lives)("E3-01: a run can be %s", (status, live) => {
    const kernel = startSeed("003-morning-notify", { at: morning + hour });
    live(kernel);
    expect(kernel.run().status).toBe(status);
  });

  test("E0-19: done completes the run and notes when", () => {
    const kernel = startSeed("003-notify");
    kernel.admitAll();
    kernel.advance(7 * second);
    kernel.finish("send");
    expect(kernel.run()).toMatchObject({ status: "completed", completedAt: morning + 7 * second, cancelledAt: null });
  });
});
