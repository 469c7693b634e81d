import { describe, expect, test } from "vitest";
import type { Effect } from "../flow/plan.ts";
import { StepwellError } from "../error.ts";
import { codeOfRejection, createWorld, type OpenedEngine } from "../testing/engine.ts";
import { Entries } from "./entries.ts";
import { Questions } from "./questions.ts";
import type { CallContext, QuestionAnswer, Tool, ToolAnswer } from "../tool/tool.ts";

type Call = { readonly context: CallContext; readonly answer: (answer: ToolAnswer) => void };

/** A tool whose calls ask as soon as they are made; `silent` ones do not. */
function createAsker(
  effect: Effect,
  says: "asks" | "silent" = "asks",
): { readonly tool: Tool; readonly calls: Call[] } {
  const calls: Call[] = [];
  const tool: Tool = {
    name: "far.work",
    description: null,
    effect,
    input: null,
    output: null,
    outcomes: [],
    call: (context) => {
      const { promise, resolve } = Promise.withResolvers<ToolAnswer>();
      calls.push({ context, answer: resolve });
      if (says === "asks") void ask(context)?.catch(() => {});
      return promise;
    },
  };
  return { tool, calls };
}

function ask(context: CallContext): Promise<QuestionAnswer> | undefined {
  return context.ask?.({ key: "q1", message: "Really?", form: null });
}

const flow = { steps: { work: { tool: "far.work", args: {}, done: true } } };

/** Those that were asked, newest first: the status of each run, and its gate. */
async function questionsIn({
  engine,
}: Pick<OpenedEngine, "engine">): Promise<readonly [status: string, gate: number][]> {
  const runs = (await engine.list({ status: "all" })).filter(({ run }) => run.name.includes(" asks in run "));
  return await Promise.all(
    runs.map(async ({ run }): Promise<[string, number]> => {
      const { steps } = await engine.get(run.id);
      return [run.status, steps.find(({ gate }) => gate !== null)?.id ?? 0];
    }),
  );
}

describe("a question whose call was cut off", () => {
  test.each(["crash", "stop"] as const)("after a %s is closed, says why, and takes no answer", async (how) => {
    await using world = createWorld("file");
    const { tool } = createAsker("write");
    const opened = await world.open({ tools: [tool] });
    const { id: run } = await opened.engine.start(flow);
    await world.settle();
    expect(await questionsIn(opened)).toMatchObject([["running", expect.any(Number)]]);
    await (how === "crash" ? opened.crash() : opened.engine.stop());
    const next = await world.open({ tools: [createAsker("write").tool] });
    await world.settle();
    expect((await next.row(run, "work")).status).toBe("uncertain");
    const [[status, gate] = ["none", 0]] = await questionsIn(next);
    expect(status).toBe("cancelled");
    expect(await codeOfRejection(next.engine.approve(gate, { by: "ann" }))).toBe("REFUSED");
    await expect(next.engine.approve(gate, { by: "ann" })).rejects.toThrow(/has ended: cancelled\. Its history tells/);
    const question = (await next.engine.list({ status: "cancelled" }))[0]?.run.id ?? 0;
    const told = (await next.store.store.listEvents(question)).find(({ kind }) => kind === "cancelled");
    expect(told?.data).toEqual({
      reason: 'The call that asked is over: "work" may or may not have happened: the engine stopped.',
    });
    expect(await next.store.store.listEntries("question")).toEqual([]);
  });

  test("is asked anew when the call is made again, and only that one is open", async () => {
    await using world = createWorld("file");
    const opened = await world.open({ tools: [createAsker("read").tool] });
    const { id: run } = await opened.engine.start(flow);
    await world.settle();
    await opened.crash();
    const again = createAsker("read");
    const next = await world.open({ tools: [again.tool] });
    await world.settle();
    expect((await questionsIn(next)).map(([status]) => status)).toEqual(["running", "cancelled"]);
    const [[, gate] = ["none", 0]] = await questionsIn(next);
    await next.engine.approve(gate, { by: "ann" });
    again.calls[0]?.answer({ kind: "done", result: "yes", outcome: null });
    expect(await next.engine.result(run)).toMatchObject({ status: "completed", output: "yes" });
  });
});

describe("a question whose call is followed by the next process", () => {
  test("stays open, and is closed when the call ends without asking again", async () => {
    await using world = createWorld("file");
    const first = createAsker("write");
    const opened = await world.open({ tools: [first.tool] });
    const { id: run } = await opened.engine.start(flow);
    await world.settle();
    await first.calls[0]?.context.keep?.("t-7");
    await opened.crash();
    const again = createAsker("write", "silent");
    const next = await world.open({ tools: [again.tool] });
    await world.settle();
    await world.clock.advance(60_000);
    expect(await questionsIn(next)).toMatchObject([["running", expect.any(Number)]]);
    again.calls[0]?.answer({ kind: "done", result: "never mind", outcome: null });
    expect(await next.engine.result(run)).toMatchObject({ output: "never mind" });
    await world.clock.advance(30_000);
    expect(await questionsIn(next)).toMatchObject([["cancelled", expect.any(Number)]]);
    expect(await next.store.store.listEntries("question")).toEqual([]);
  });
});

describe("a review that meets trouble", () => {
  const key = (row: number): string => `question:${row}:q1`;

  type Reviewed = { readonly asked: number[]; readonly left: readonly string[]; readonly problem: unknown };

  /** Three questions whose calls are over; what withdrawing the first one gives is up to the test. */
  async function reviewWith(first: Error): Promise<Reviewed> {
    await using world = createWorld("memory");
    const { engine, store } = await world.open();
    const asked: number[] = [];
    const gated = { start: { gate: {}, done: true } };
    const runs: number[] = [];
    for (const row of [1, 2, 3]) runs.push((await engine.start(gated, { idempotencyKey: key(row) })).id);
    await world.settle();
    const entries = new Entries({ store: store.store, clock: world.clock, write: async () => {} });
    await entries.load(["question"]);
    await entries.change([1, 2, 3].map((row) => ({ kind: "question", key: key(row), value: row })));
    const questions = new Questions({
      ask: async (request) => {
        const run = request.kind === "say" ? (request.run ?? 0) : 0;
        asked.push(runs.indexOf(run));
        if (run === runs[0]) throw first;
        return null;
      },
      result: () => Promise.reject(new Error("nobody waits for it")),
      store: store.store,
      entries,
      problem: () => {},
    });
    const problem = await questions.review().catch((error: unknown) => error);
    return { asked, left: entries.list("question").map((entry) => entry.key), problem };
  }

  test("takes a run that was removed meanwhile for one that is over, and goes on", async () => {
    const gone = new StepwellError("RUN_NOT_FOUND", "There is no run 1.");
    expect(await reviewWith(gone)).toEqual({ asked: [0, 1, 2], left: [], problem: undefined });
  });

  test("goes on behind one that cannot be withdrawn, which it leaves for the next time", async () => {
    const problem = new Error("not now");
    expect(await reviewWith(problem)).toEqual({ asked: [0, 1, 2], left: [key(1)], problem });
  });
});

test("a question that is answered leaves nothing behind", async () => {
  await using world = createWorld("memory");
  const { tool, calls } = createAsker("write", "silent");
  const opened = await world.open({ tools: [tool] });
  await opened.engine.start(flow);
  await world.settle();
  const [call] = calls;
  if (call === undefined) throw new Error("there was no call");
  const asked = ask(call.context);
  await world.settle();
  expect(await opened.store.store.listEntries("question")).toHaveLength(1);
  const [[, gate] = ["none", 0]] = await questionsIn(opened);
  await opened.engine.reject(gate, { by: "ann" });
  expect(await asked).toEqual({ kind: "declined" });
  await world.settle();
  expect(await opened.store.store.listEntries("question")).toEqual([]);
});
