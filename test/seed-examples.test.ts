// Every flow of the seeds, as printed, through the library on a database file: with the tools of examples/tools, to its
// end. What waits for a person is answered, what waits for a time gets it.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createSeedTools, createSeedWorld, seedTools, type SeedWorld } from "../examples/tools/seeds.ts";
import { createBuiltinTools, openEngine, type Engine, type RunView, type StartOptions } from "../src/index.ts";
import { hasEnded } from "../src/run/model.ts";
import { createFakeClock, turnOnce, type FakeClock } from "../src/testing/fake-clock.ts";
import { addressFor } from "../src/testing/store-place.ts";
import { flowsIn, planOf, readText, seeds } from "./example-files.ts";
import { day, hour } from "./seed-runs.ts";

const evening = Date.UTC(2026, 2, 5, 19);
const played = new Set<string>();

let folder = "";
let world: SeedWorld = createSeedWorld();
let clock: FakeClock = createFakeClock({ now: evening, duties: "once" });
let engine: Engine;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "stepwell-"));
  world = createSeedWorld();
  clock = createFakeClock({ now: evening, duties: "once" });
  const tools = [...createBuiltinTools({ now: () => clock.now() }), ...createSeedTools(world)];
  engine = await openEngine({ store: addressFor(join(folder, "stepwell.db")), tools, clock, tz: "UTC" });
});

afterEach(async () => {
  await engine.stop({ now: true });
  rmSync(folder, { recursive: true });
});

/** As the seeds do it: a name, a flow, an input, a user. */
async function start(name: string, options: StartOptions = {}): Promise<number> {
  played.add(`${seeds}/${name}.json`);
  return (await engine.start(readText(`${seeds}/${name}.json`), { as: "james", ...options })).id;
}

/** The run as soon as it is so. */
async function reach(run: number, isThere: (view: RunView) => boolean): Promise<RunView> {
  for await (const _ of engine.watch(run)) {
    const view = await engine.get(run);
    if (isThere(view)) return view;
  }
  return await engine.get(run);
}

const finish = (run: number): Promise<RunView> => reach(run, hasEnded);

/** Lets time pass until the run has noticed. */
async function wait(run: number, ms: number, isThere: (view: RunView) => boolean): Promise<RunView> {
  await clock.advance(ms);
  for (let turns = 0; turns < 10_000; turns++) {
    const view = await engine.get(run);
    if (isThere(view)) return view;
    await clock.advance(0);
    await turnOnce();
  }
  throw new Error(`run ${run} does not notice that ${ms} ms are over`);
}

function stepsOf({ steps }: RunView): readonly string[] {
  return steps.map(({ name, status }) => `${name} ${status}`);
}

function sent(): readonly string[] {
  return world.outbox.map(({ to, message }) => `${to}: ${message}`);
}

/** The row of a step that waits. */
function waiting({ steps }: RunView, name: string): number {
  const row = steps.findLast((step) => step.name === name && step.status === "pending");
  if (row === undefined) throw new Error(`"${name}" does not wait: ${steps.map((step) => step.name).join(", ")}`);
  return row.id;
}

const waits =
  (name: string) =>
  ({ steps }: RunView): boolean =>
    steps.some((step) => step.name === name && step.status === "pending");

describe("seed 000", () => {
  test("E0-11, E0-14: research searches, looks for a document that nobody named, and says that it is complete", async () => {
    const run = await start("000-research", { name: "research", input: { topic: "AI safety" } });
    const view = await finish(run);
    expect(view).toMatchObject({ name: "research", status: "completed", createdBy: "james", output: "sent" });
    expect(view.steps.map(({ name, args, result }) => [name, args, result])).toEqual([
      ["search", { query: "AI safety" }, [{ id: "1", title: "AI safety" }]],
      ["summarize", { id: "" }, null],
      ["notify", { message: "Research complete" }, "sent"],
    ]);
    expect(world.outbox).toEqual([{ by: "james", to: "pushover", message: "Research complete" }]);
  });

  test.each([
    ["james", "admin_action", { id: "4" }, 4],
    ["guest", "user_action", "Hello, you!", 3],
  ])("E0-15, E0-27: check_admin asks as %s and goes on with %s", async (user, step, output, documents) => {
    const view = await finish(await start("000-check-admin", { as: user }));
    expect(view).toMatchObject({ status: "completed", output });
    expect(stepsOf(view)).toEqual(["check_admin done", `${step} done`]);
    expect(world.documents.size).toBe(documents);
  });

  test("E0-40: a write waits for its approval, and happens once it has it", async () => {
    const run = await start("000-request-approval", { input: { title: "Rules", body: "Ask first." } });
    const asked = await reach(run, waits("request_approval"));
    expect([asked.status, world.documents.size]).toEqual(["running", 3]);
    await engine.approve(waiting(asked, "request_approval"), { by: "bob" });
    const view = await finish(run);
    expect(stepsOf(view)).toEqual(["request_approval done", "execute_write done"]);
    expect(world.documents.get("4")).toEqual({ id: "4", title: "Rules", body: "Ask first." });
  });
});

describe("seed 001", () => {
  test("E1-14: an approval that nobody gives for a day wakes somebody; given later, it still leads on", async () => {
    const run = await start("001-escalation", { input: { title: "the offer" } });
    await reach(run, () => sent().length === 1);
    await wait(run, day, () => sent().length === 2);
    expect(sent()).toEqual(["pushover: Your approval is needed", "pushover: Nobody has answered for a day"]);
    const view = await engine.get(run);
    await engine.approve(waiting(view, "await_approval"), { by: "bob" });
    expect(await finish(run)).toMatchObject({ status: "completed" });
    expect(sent().at(-1)).toBe("email: the offer");
  });
});

describe("seed 002", () => {
  test.each([
    ["002-rss", null, ["fetch done", "score done", "send done"], "telegram: [5,8,3]"],
    ["002-rss", "empty", ["fetch done", "no_news done"], "telegram: no news today"],
    [
      "002-rss",
      "broken",
      ["fetch failed", "failure done"],
      'telegram: The feed failed: {"code":"offline","message":"The feed does not answer."}',
    ],
    [
      "002-rss-export",
      null,
      ["Fetch RSS feeds done", "Score items done", "Send the digest done"],
      "telegram: Scores: 5, 8, 3",
    ],
    ["002-rss-export", "empty", ["Fetch RSS feeds done", "Send no news today done"], "telegram: no news today"],
    [
      "002-rss-export",
      "broken",
      ["Fetch RSS feeds failed", "Notify failure done"],
      expect.stringContaining("does not answer"),
    ],
  ])("AC-02, AC-04, AC-15: %s with the feed %s goes %j", async (name, feed, steps, message) => {
    const view = await finish(await start(name, { input: feed === null ? {} : { feed } }));
    expect(stepsOf(view)).toEqual(steps);
    expect(view).toMatchObject({ status: "completed" });
    expect(sent()).toEqual([message]);
  });
});

describe("seed 003", () => {
  test("E3-16: notify sends its message", async () => {
    expect(await finish(await start("003-notify", { name: "notify" }))).toMatchObject({ status: "completed" });
    expect(world.outbox).toEqual([{ by: "james", to: "pushover", message: "Hello from workflow" }]);
  });

  test("E3-17: greet-then-count greets, then counts", async () => {
    const view = await finish(await start("003-greet-then-count", { name: "greet-then-count" }));
    expect(view.steps.map(({ name, result }) => [name, result])).toEqual([
      ["greet", "Hello, World!"],
      ["count", 1],
    ]);
  });

  test('E3-14, E3-39: morning-notify, asked for with "tomorrow at 9am", waits until then', async () => {
    const run = await start("003-morning-notify", { name: "morning-notify", at: "tomorrow at 9am" });
    expect(await engine.get(run)).toMatchObject({ status: "scheduled", steps: [{ status: "pending" }] });
    await clock.advance(14 * hour - 1);
    expect([await engine.get(run), sent()]).toMatchObject([{ status: "scheduled" }, []]);
    const view = await wait(run, 1, hasEnded);
    expect(view).toMatchObject({ status: "completed", startedAt: Date.UTC(2026, 2, 6, 9) });
    expect(sent()).toEqual(["pushover: Good morning"]);
  });

  test.each([
    ["james", "pushover: Approved"],
    ["guest", "pushover: Rejected"],
  ])("E3-11: the branch goes one way for %s: %s", async (user, message) => {
    expect(await finish(await start("003-branch", { as: user }))).toMatchObject({ status: "completed" });
    expect(sent()).toEqual([message]);
  });

  test("E3-42, E3-43: placeholders are filled in in texts, lists and maps", async () => {
    const view = await finish(await start("003-interpolation", { input: { name: "Ann", to: "ann@example.org" } }));
    const args = { message: "Hello Ann", recipients: ["ann@example.org"], config: { region: "" } };
    expect(view).toMatchObject({ status: "completed", steps: [{ args }] });
  });

  test("E0-17, E0-18: the fan-out does both, and reports once", async () => {
    const view = await finish(await start("003-fan-out", { input: { topic: "tea" } }));
    expect(stepsOf(view).toSorted()).toEqual(["collect done", "count done", "report done", "search done"]);
    expect(sent()).toEqual(["pushover: Both are done"]);
  });
});

describe("seed 004", () => {
  const order = { order: "A7", amount: 30, items: ["book"] };
  const paper = { document: "d1", pages: 3 };

  /** Fires one after the other, each as soon as the machine stands still. */
  async function walk(run: number, name: string, ...transitions: readonly string[]): Promise<RunView> {
    const plan = planOf(`${seeds}/${name}.json`);
    const isStill = (view: RunView): boolean =>
      hasEnded(view) ||
      view.steps.some(
        ({ step, status, firing }) => status === "pending" && firing === null && plan.steps[step]?.kind === "state",
      );
    for (const transition of transitions) {
      await reach(run, isStill);
      await engine.fire(run, { transition, by: "bob", reason: "as agreed" });
    }
    return await reach(run, isStill);
  }

  const ways = [
    { name: "004-cancellable", input: {}, way: ["begin", "finish"], status: "completed" },
    { name: "004-cancellable", input: {}, way: ["begin", "break"], status: "failed" },
    { name: "004-cancellable", input: {}, way: ["begin", "stop"], status: "cancelled" },
    { name: "004-cancellable-in-some-states", input: {}, way: ["reserve", "abort"], status: "cancelled" },
    { name: "004-uncancellable", input: {}, way: ["begin", "finish"], status: "completed" },
    { name: "004-validation", input: {}, way: ["begin", "check", "checked_all", "accept"], status: "completed" },
    { name: "004-order-fulfilment", input: order, way: ["confirm", "pay", "ship", "deliver"], status: "completed" },
    { name: "004-document-review", input: paper, way: ["submit", "approve", "publish"], status: "completed" },
    { name: "004-document-review", input: paper, way: ["submit", "ask_for_changes", "withdraw"], status: "cancelled" },
  ];
  const kinds: Readonly<Record<string, string>> = { completed: "success", failed: "failure", cancelled: "cancel" };

  test.each(ways)("SB-03, SB-11, SB-33: $name goes $way and is $status", async ({ name, input, way, status }) => {
    const view = await walk(await start(name, { input }), name, ...way);
    expect(view).toMatchObject({ status, terminalKind: kinds[status] });
  });

  test("SB-06, SB-11: an order that is sent back is undone, the newest first", async () => {
    const run = await start("004-order-fulfilment", { input: order });
    await walk(run, "004-order-fulfilment", "confirm", "pay", "ship");
    await engine.cancel(run, { by: "ann", reason: "broken on the way" });
    expect(await finish(run)).toMatchObject({ status: "cancelled", terminalKind: "cancel" });
    expect(world.ledger).toEqual([
      "payment A7: charged",
      "parcel A7: booked",
      "parcel A7: recalled",
      "payment A7: refunded",
    ]);
  });

  test("SB-11: a document in review is reminded of after a day", async () => {
    const run = await start("004-document-review", { input: paper });
    await walk(run, "004-document-review", "submit");
    const reminded = (view: RunView): boolean =>
      view.steps.some(({ tool, status }) => tool === "log" && status === "done");
    expect((await wait(run, day, reminded)).status).toBe("running");
    await walk(run, "004-document-review", "approve", "publish");
    expect(await finish(run)).toMatchObject({ status: "completed" });
    expect(world.ledger).toEqual(["document d1: published"]);
  });

  test("SB-21: what cannot be cancelled goes on", async () => {
    const run = await start("004-uncancellable");
    await walk(run, "004-uncancellable", "begin");
    await expect(engine.cancel(run, { by: "ann" })).rejects.toMatchObject({ code: "REFUSED" });
    expect(await walk(run, "004-uncancellable", "finish")).toMatchObject({ status: "completed" });
  });
});

describe("the seeds", () => {
  test("have no flow that was not run above", () => {
    expect([...played].toSorted()).toEqual(flowsIn(seeds));
  });

  test("name no tool that is not there", () => {
    const there = new Set([...seedTools.map(({ name }) => name), "log"]);
    const named = flowsIn(seeds).flatMap((path) =>
      Object.values(planOf(path).steps).flatMap((step) =>
        step.kind === "tool" ? [step.tool, step.fallback, step.compensate?.tool] : [],
      ),
    );
    expect(named.filter((name) => typeof name === "string" && !there.has(name))).toEqual([]);
    expect(new Set(seedTools.map(({ name }) => name)).size).toBe(seedTools.length);
  });
});
