// Commands with which people decide: each with what people see, what programs read, and one wrong use.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/flow/json.ts";
import { openInside, refusalOf, wordOf, type Inside } from "./inside.ts";

let inside: Inside;

beforeAll(() => {
  inside = openInside();
});

afterAll(() => inside.remove());

/** Runs it until it waits for somebody; its id. */
async function waiting(flow: string): Promise<string> {
  const file = inside.write("waiting.yaml", flow);
  const { exitCode, stdout } = await inside.call("run", file, "--exit-on-wait", "-q");
  expect(exitCode).toBe(9);
  return stdout.trim();
}

async function ends(run: string): Promise<JsonObject> {
  return inside.json("watch", run, "--timeout", "20s");
}

const gate = `start: { gate: { title: "Go on?" }, routes: { approved: end, rejected: no, later: later } }
no: { terminal: cancel }
later: { set: { said: later }, done: true }
`;

describe("stepwell approve, reject and answer", () => {
  test("answer a gate by the id of its run or its own", async () => {
    const run = await waiting(gate);
    const { exitCode, stdout, stderr } = await inside.call("approve", run, "--comment", "fine", "--as", "ada");
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^\d+\n$/)]);
    expect(stderr).toContain(`approved: "start" of run ${run}\n`);
    expect(await ends(run)).toMatchObject({ status: "completed" });
    expect((await inside.call("history", run)).stdout).toContain("by ada");
  });

  test("give the step as JSON", async () => {
    const run = await waiting(gate);
    const [item] = await inside.list("inbox");
    const step = await inside.json("reject", wordOf(item?.["step_id"]), "--as", "eve");
    expect(step).toMatchObject({ workflow_id: Number(run), name: "start", status: "done", outcome: "rejected" });
    expect(await ends(run)).toMatchObject({ status: "cancelled" });
  });

  test("take every way out that the flow names", async () => {
    const run = await waiting(gate);
    expect((await inside.call("inbox")).stdout).toMatch(/stepwell answer \d+ later$/m);
    expect((await inside.call("answer", run, "later")).exitCode).toBe(0);
    expect(await ends(run)).toMatchObject({ output: { said: "later" } });
  });

  test("refuse what is not there, and what was answered already", async () => {
    const run = await waiting(gate);
    expect(await refusalOf(inside, "approve")).toEqual(["USAGE", 2, "Say which one: the id of a step, or of its run."]);
    expect((await refusalOf(inside, "answer", run))[2]).toMatch(/^Say which answer/);
    expect((await refusalOf(inside, "approve", run, "--data", "{"))[0]).toBe("INPUT_INVALID");
    await inside.call("approve", run);
    expect((await refusalOf(inside, "approve", run))[2]).toBe(`Run ${run} has no gate that waits for an answer.`);
  });
});

describe("stepwell ready", () => {
  test("lets a step that sleeps go on now", async () => {
    const file = inside.write("nap.yaml", "start: { wait: 1h, done: true }\n");
    const run = (await inside.call("run", file, "--timeout", "100ms", "-q")).stdout.trim();
    expect((await inside.call("ready", run)).stderr).toContain("ready: ");
    expect(await ends(run)).toMatchObject({ status: "completed" });
    expect((await refusalOf(inside, "ready", run))[0]).toBe("STEP_NOT_FOUND");
    expect(await inside.json("ready", "5")).toMatchObject({ error: { code: "STEP_NOT_FOUND" } });
  });
});

describe("stepwell choose", () => {
  test("says where a step goes on for which no branch was found", async () => {
    const flow =
      'start: { tool: demo.echo, args: { text: x }, branch: [{ if: "result == 1", then: "tell" }] }\ntell: { set: { a: 1 }, done: true }\n';
    const run = await waiting(flow);
    expect((await inside.call("inbox")).stdout).toMatch(/stepwell choose \d+ STEP$/m);
    expect(await inside.list("inbox")).toMatchObject([{ kind: "no_branch_matched" }]);
    expect(await refusalOf(inside, "choose", run)).toEqual([
      "USAGE",
      2,
      "Say where it goes on: the name of a step, or end.",
    ]);
    expect((await refusalOf(inside, "choose", run, "tel"))[0]).toBe("REFUSED");
    expect(await inside.json("choose", run, "tell")).toMatchObject({ name: "start", is_held: false });
    expect(await ends(run)).toMatchObject({ output: { a: 1 } });
    const other = await waiting(flow);
    expect((await inside.call("choose", other, "end")).stdout).toMatch(/^\d+\n$/);
    expect(await ends(other)).toMatchObject({ status: "completed", output: "x" });
  });
});

describe("stepwell skip and resolve", () => {
  const undo = `start: { tool: demo.echo, args: { text: x }, compensate: { tool: demo.fail, args: { final: true } }, next: burst }
burst: { tool: demo.fail, args: { final: true }, done: true }
`;

  test("let an undoing that failed be tried again, and go by", async () => {
    const run = await waiting(undo);
    expect(await inside.list("inbox")).toMatchObject([{ kind: "compensation_failed" }]);
    expect(await refusalOf(inside, "resolve", run, "retyr")).toEqual([
      "USAGE",
      2,
      'Say what became of it: retry, done or failed. Did you mean "retry"?',
    ]);
    expect(await inside.json("resolve", run, "retry")).toMatchObject({ role: "undo", is_held: false });
    expect((await inside.call("watch", run, "--exit-on-wait")).exitCode).toBe(9);
    const skipped = await inside.call("skip", run);
    expect([skipped.exitCode, skipped.stderr]).toEqual([0, expect.stringContaining("skipped: ")]);
    expect((await inside.call("watch", run)).exitCode).toBe(1);
    expect((await refusalOf(inside, "skip", run))[0]).toBe("STEP_NOT_FOUND");
  });

  test("say that it happened, with what it gave", async () => {
    const run = await waiting(undo);
    const { exitCode, stdout } = await inside.call("resolve", run, "done", "--data", "[1]");
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^\d+\n$/)]);
    expect((await inside.json("skip", run))["error"]).toMatchObject({ code: "STEP_NOT_FOUND" });
  });
});

describe("stepwell fire", () => {
  test("fires a transition of a machine", async () => {
    const run = await waiting(`states: { open: { initial: true }, closed: { terminal: success } }
transitions: [{ name: close, from: open, to: closed, requires_reason: true }]
`);
    expect(await inside.list("inbox")).toMatchObject([{ kind: "state", commands: [`stepwell fire ${run} close`] }]);
    expect(await refusalOf(inside, "fire", run)).toEqual(["USAGE", 2, "Say which transition of which run."]);
    expect((await refusalOf(inside, "fire", run, "clse", "--reason", "x"))[1]).toBe(10);
    expect((await inside.call("fire", run, "close", "--reason", "done")).stderr).toContain("fired (close): ");
    expect(await ends(run)).toMatchObject({ status: "completed" });
    expect((await inside.json("fire", run, "close"))["error"]).toMatchObject({ code: "REFUSED" });
  });
});

describe("stepwell signal and emit", () => {
  const flow = "start: { wait: { event: paid }, done: true }\n";

  async function sleeping(): Promise<string> {
    return (await inside.call("run", inside.write("event.yaml", flow), "--timeout", "50ms", "-q")).stdout.trim();
  }

  test("bring what a run waits for", async () => {
    const one = await sleeping();
    expect(await inside.list("signal", one, "paid", "amount=12")).toMatchObject([{ id: Number(one) }]);
    expect(await ends(one)).toMatchObject({ output: { amount: 12 } });
    const two = await sleeping();
    expect((await inside.call("emit", "paid", "amount:=3")).stdout).toBe("1 run\n");
    expect(await ends(two)).toMatchObject({ output: { amount: 3 } });
    expect(await inside.json("emit", "paid")).toEqual({ event: "paid", runs: 0 });
  });

  test("refuse what is not understood", async () => {
    expect(await refusalOf(inside, "emit")).toEqual(["USAGE", 2, "Say which event."]);
    expect((await refusalOf(inside, "signal", "12"))[2]).toBe("Say which run, and the name of the signal.");
    expect((await refusalOf(inside, "emit", "paid", "amount"))[2]).toBe('"amount" is no key=value.');
    expect((await inside.call("signal", "12", "paid")).exitCode).toBe(3);
  });
});

describe("stepwell cancel, pause and resume", () => {
  test("take several runs, and go on when one is refused", async () => {
    const one = await waiting(gate);
    const two = await waiting(gate);
    const preview = await inside.call("cancel", one, "--preview");
    expect(preview.stdout).toBe(`run ${one}\n  cuts off  start\n  cleans up nothing\n  undoes    nothing\n`);
    expect(await inside.list("cancel", one, "--preview")).toMatchObject([
      { id: Number(one), allowed: true, undone: [] },
    ]);
    const { exitCode, stdout } = await inside.call("cancel", one, two, "--reason", "enough");
    expect([exitCode, stdout]).toEqual([0, `${one}\n${two}\n`]);
    expect(await refusalOf(inside, "cancel")).toEqual(["USAGE", 2, "Say which run: its id is a number."]);
    const three = await waiting(gate);
    const paused = await inside.list("pause", one, three);
    expect(paused).toMatchObject([
      { id: Number(one), error: { code: "REFUSED" } },
      { id: Number(three), status: "paused" },
    ]);
    expect((await inside.call("pause", three)).exitCode).toBe(10);
    expect(await inside.list("resume", three)).toMatchObject([{ status: "running" }]);
    expect((await inside.call("resume", three)).stderr).toContain("The run is not paused. (REFUSED)");
    expect((await inside.call("cancel", three)).stderr).toContain(`cancelled: run ${three}\n`);
    expect((await refusalOf(inside, "pause", "one"))[1]).toBe(2);
  });
});
