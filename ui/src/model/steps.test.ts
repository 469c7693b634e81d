import { expect, test } from "vitest";
import { sampleGraph, sampleNode } from "./graph-sample.ts";
import { sampleHeld, sampleOutline, sampleRun, sampleStep } from "./run-sample.ts";
import type { Run } from "./run.ts";
import { conditionsOf, sayItems, sayStep, spanOf } from "./steps.ts";
import { openTransitions, takenLinks, walk } from "./ways.ts";

const line = sampleGraph(["a > b", "b > c"]);

test("of several tries and visits the newest one is shown, with the time of its visit", () => {
  const steps = [
    sampleStep({ id: 1, key: "a", status: "done" }),
    sampleStep({ id: 2, key: "a", visit: 2, status: "failed", startedAt: 5000, createdAt: 5000, completedAt: 5100 }),
    sampleStep({
      id: 3,
      key: "a",
      visit: 2,
      attempt: 2,
      attemptsMax: 3,
      status: "running",
      createdAt: 5100,
      startedAt: 6000,
      completedAt: null,
    }),
  ];
  const found = conditionsOf(sampleOutline(steps, { graph: line })).get("a");
  expect(found).toMatchObject({ attempts: 2, attemptsMax: 3, visits: 2, startedAt: 5000, completedAt: null });
  expect(found?.shown).toEqual({ token: "running", word: "running" });
  expect(found?.step?.id).toBe(3);
});

test("what a run has not reached is pending while it can come there, and not taken otherwise", () => {
  const graph = sampleGraph(["a > b", "a > c: empty", "b > d"]);
  const steps = [
    sampleStep({ id: 1, key: "a" }),
    sampleStep({ id: 2, key: "b", causedBy: 1, status: "running", completedAt: null }),
  ];
  const words = (outline: Parameters<typeof conditionsOf>[0]) =>
    [...conditionsOf(outline)].map(([key, { shown }]) => `${key} ${shown.word}`);
  expect(words(sampleOutline(steps, { graph }))).toEqual(["a done", "b running", "c not taken", "d pending"]);
  const ended = sampleRun({ status: "completed" });
  expect(words(sampleOutline(steps.slice(0, 1), { graph, run: ended }))).toEqual([
    "a done",
    "b not taken",
    "c not taken",
    "d not taken",
  ]);
});

test("what has ended and led nowhere yet keeps what it may lead to pending", () => {
  const graph = sampleGraph(["a > b", "a > c: empty"]);
  const found = conditionsOf(sampleOutline([sampleStep({ id: 1, key: "a" })], { graph }));
  expect([found.get("b")?.shown.word, found.get("c")?.shown.word]).toEqual(["pending", "pending"]);
});

test("a run has ended at a step that is done, ends a path and led nowhere else", () => {
  const graph = sampleGraph(["a > b"], { a: { ending: "success" }, b: { ending: "success" } });
  const ends = (steps: Parameters<typeof sampleOutline>[0]) =>
    [...conditionsOf(sampleOutline(steps, { graph })).values()].map(({ isEnd }) => isEnd);
  const first = sampleStep({ id: 1, key: "a" });
  expect(ends([first])).toEqual([true, false]);
  expect(ends([{ ...first, status: "failed" }])).toEqual([false, false]);
  expect(ends([first, sampleStep({ id: 2, key: "b", causedBy: 1, status: "running" })])).toEqual([false, false]);
});

test("of a cancelled run, what lay ahead was not reached, and what it had passed by was not taken", () => {
  const graph = sampleGraph(["a > b", "a > c: else", "b > d", "d > e"]);
  const steps = [
    sampleStep({ id: 1, key: "a" }),
    sampleStep({ id: 2, key: "b", status: "cancelled", causedBy: 1, startedAt: null }),
  ];
  const words = [...conditionsOf(sampleOutline(steps, { graph, run: sampleRun({ status: "cancelled" }) }))].map(
    ([key, { shown }]) => `${key} ${shown.word}`,
  );
  expect(words).toEqual(["a done", "b cancelled", "c not taken", "d not reached", "e not reached"]);
});

test("a gate that was refused is no success", () => {
  const graph = sampleGraph(["a > b"], { a: { kind: "gate" } });
  const gate = { title: null, message: null, hash: "h", answers: [] };
  const shown = (outcome: string) =>
    conditionsOf(sampleOutline([sampleStep({ id: 1, key: "a", tool: null, gate, outcome })], { graph })).get("a")
      ?.shown;
  expect(shown("approved")).toEqual({ token: "done", word: "done" });
  expect(shown("rejected")).toEqual({ token: "cancelled", word: "rejected" });
  expect(shown("expired")).toEqual({ token: "cancelled", word: "expired" });
});

test("what was taken over from another run is told apart from what was done in this one", () => {
  const graph = sampleGraph(["a > b", "b > c"], { c: { kind: "end" } });
  const steps = [
    sampleStep({ id: 1, key: "a", startedAt: null }),
    sampleStep({ id: 2, key: "b", causedBy: 1 }),
    sampleStep({ id: 3, key: "c", causedBy: 2, tool: null, startedAt: null }),
  ];
  const reused = (run: Partial<Run>): readonly string[] =>
    [...conditionsOf(sampleOutline(steps, { graph, run: sampleRun(run) }))].flatMap(([key, { isReused }]) =>
      isReused ? [key] : [],
    );
  expect(reused({ origin: { kind: "retry", id: 7, attempt: 2 } })).toEqual(["a"]);
  expect(reused({})).toEqual([]);
});

test("a gate waits, a sleep sleeps, an event is waited for, a sub-flow is at work", () => {
  const graph = sampleGraph(["gate > nap", "nap > event", "event > sub"], {
    gate: { kind: "gate" },
    nap: { kind: "wait" },
    event: { kind: "wait" },
    sub: { kind: "flow" },
  });
  const open = { status: "pending", startedAt: 1000, readyAt: null, completedAt: null } as const;
  const steps = [
    sampleStep({ id: 1, key: "gate", ...open, gate: { title: null, message: null, hash: "h", answers: [] } }),
    sampleStep({ id: 2, key: "nap", ...open, alarms: [{ kind: "sleep", at: 9000 }] }),
    sampleStep({ id: 3, key: "event", ...open }),
    sampleStep({ id: 4, key: "sub", ...open, child: 77 }),
  ];
  const tokens = [...conditionsOf(sampleOutline(steps, { graph })).values()].map(({ shown }) => shown.token);
  expect(tokens).toEqual(["waiting", "sleeping", "waiting", "running"]);
});

test("a join tells how many branches have come while its fork is open, and afterwards", () => {
  const graph = sampleGraph(["split > a", "split > b", "a > meet", "b > meet"], {
    split: { isFork: true, join: "meet" },
    meet: { isJoin: true },
  });
  const forked = {
    ...graph,
    links: graph.links.map((link) => (link.from === "split" ? { ...link, kind: "fork" } : link)),
  };
  const split = sampleStep({ id: 1, key: "split", open: { kind: "fork", open: 1, arrived: 1 } });
  expect(conditionsOf(sampleOutline([split], { graph: forked })).get("meet")?.arrived).toEqual({ count: 1, of: 2 });
  const steps = [{ ...split, open: null }, sampleStep({ id: 5, key: "meet", causedBy: 1 })];
  expect(conditionsOf(sampleOutline(steps, { graph: forked })).get("meet")?.arrived).toEqual({ count: 2, of: 2 });
  expect(conditionsOf(sampleOutline([], { graph: forked })).get("meet")?.arrived).toBeNull();
});

test("a step that is done and held waits for a person; one that begins later is scheduled", () => {
  const held = sampleStep({ id: 1, key: "look", isHeld: true });
  const shown = (outline: Parameters<typeof conditionsOf>[0], key: string): unknown =>
    conditionsOf(outline).get(key)?.shown;
  expect(shown(sampleOutline([held], { waiting: [sampleHeld(1)] }), "look")).toEqual({
    token: "waiting",
    word: "waiting",
  });
  expect(shown(sampleOutline([held]), "look")).toEqual({ token: "done", word: "done" });
  const alarms = [{ kind: "start", at: 9000 }];
  const later = sampleStep({ id: 1, key: "a", status: "pending", alarms, startedAt: null, completedAt: null });
  expect(shown(sampleOutline([later]), "a")).toEqual({ token: "sleeping", word: "scheduled" });
});

test("states to which a machine has not come are not visited, rather than due", () => {
  const graph = {
    ...sampleGraph(["draft > done"], { draft: { kind: "state" }, done: { kind: "end" } }),
    notation: "machine" as const,
  };
  const steps = [sampleStep({ id: 1, key: "draft", status: "pending", completedAt: null })];
  expect(conditionsOf(sampleOutline(steps, { graph })).get("done")?.shown).toEqual({
    token: "pending",
    word: "not visited",
  });
});

test("items are counted in words, those under way too", () => {
  expect(sayItems({ count: 24, statuses: { done: 20, running: 3, failed: 1 } })).toBe(
    "21 of 24 items, 3 at work, 1 failed",
  );
  expect(sayItems({ count: 24, statuses: { done: 23, failed: 1 } })).toBe("24 items: 23 done, 1 failed");
  expect(sayItems({ count: 1000, statuses: { done: 20, running: 4 } })).toBe("20 of 1,000 items, 4 at work");
  expect(sayItems({ count: 1, statuses: {} })).toBe("1 item");
});

test("a step is read aloud with its status and how long it took", () => {
  const found = conditionsOf(sampleOutline([sampleStep({ id: 1, key: "a", completedAt: 2200 })], { graph: line })).get(
    "a",
  );
  expect(sayStep(sampleNode("a"), found ?? null)).toBe("Step a, done, 1.2 seconds");
  expect(sayStep(sampleNode("a"), null)).toBe("Step a, demo.echo");
  expect(found === undefined ? null : spanOf(found)).toEqual({ from: 1000, to: 2200 });
});

test("taken are the arrows by which steps were caused; another try is none of them", () => {
  const graph = sampleGraph(["a > b", "a > c: error", "b < b: again", "b > end"]);
  const steps = [
    sampleStep({ id: 1, key: "a" }),
    sampleStep({ id: 2, key: "b", causedBy: 1, status: "failed" }),
    sampleStep({ id: 3, key: "b", causedBy: 2, attempt: 2 }),
  ];
  expect([...takenLinks(graph, sampleOutline(steps))]).toEqual(["a > b", "b > end"]);
});

test("of two arrows between the same steps the one of the outcome is taken", () => {
  const graph = sampleGraph(["a > b: rejected", "a > b: expired", "a > c"]);
  const steps = [
    sampleStep({ id: 1, key: "a", outcome: "expired" }),
    sampleStep({ id: 2, key: "b", causedBy: 1, status: "running" }),
  ];
  expect([...takenLinks(graph, sampleOutline(steps))]).toEqual(["a > b: expired"]);
});

test("branches that have ended are seen to arrive though the join was caused by the fork", () => {
  const graph = sampleGraph(["split > a", "split > b", "a > meet", "b > meet"]);
  const joined = {
    ...graph,
    links: graph.links.map((link) => ({ ...link, kind: link.to === "meet" ? "join" : "fork" })),
  };
  const steps = [
    sampleStep({ id: 1, key: "split" }),
    sampleStep({ id: 2, key: "a", causedBy: 1 }),
    sampleStep({ id: 3, key: "b", causedBy: 1, status: "running", completedAt: null }),
  ];
  expect([...takenLinks(joined, sampleOutline(steps))]).toEqual(["split > a", "split > b", "a > meet"]);
});

test("transitions that are open now lie on the arrows that leave the current state", () => {
  const graph = sampleGraph([
    "draft > review: submit [data.pages > 0]",
    "draft > gone: withdraw",
    "review > gone: withdraw",
  ]);
  const machine = { ...graph, links: graph.links.map((link) => ({ ...link, kind: "event" })) };
  const state = sampleStep({ id: 1, key: "draft", status: "pending", completedAt: null });
  const transition = { requiresReason: false, isTimed: false, step: 1 };
  const transitions = [
    { ...transition, name: "submit", to: "review", isOpen: true },
    { ...transition, name: "withdraw", to: "gone", isOpen: false },
  ];
  const outline = sampleOutline([state], { transitions });
  expect([...openTransitions(machine, { ...outline, can: { ...outline.can, fire: true } }).keys()]).toEqual([
    "draft > review: submit [data.pages > 0]",
  ]);
  expect(openTransitions(machine, outline).size).toBe(0);
});

test("arrow keys follow the arrows up and down, and lead to neighbours sideways", () => {
  const graph = sampleGraph(["a > b", "a > c", "b > d", "a < d: again"]);
  const spots = [
    { key: "a", x: 100, y: 0 },
    { key: "b", x: 0, y: 100 },
    { key: "c", x: 200, y: 100 },
    { key: "d", x: 0, y: 200 },
  ];
  const go = (from: string, direction: Parameters<typeof walk>[3]) => walk(graph, spots, from, direction);
  expect([go("a", "down"), go("b", "right"), go("c", "up"), go("c", "down"), go("d", "up"), go("a", "up")]).toEqual([
    "b",
    "c",
    "a",
    null,
    "b",
    null,
  ]);
});
