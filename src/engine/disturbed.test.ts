import { describe, expect, test } from "vitest";
import type { Json } from "../flow/json.ts";
import type { Committed } from "../store/store.ts";
import { createWorld } from "../testing/engine.ts";
import { turnOnce } from "../testing/fake-clock.ts";
import type { FaultyStore } from "../testing/faulty-store.ts";
import { createRandom } from "../testing/random.ts";
import { ToolError, type ToolFunction } from "../tool/function.ts";

// Many runs at once on a store that is slow, refuses now and then, and a cache with room for a few: every run must end as
// its flow says, with every step called as often as it must be.

const call = { tool: "work", effect: "read" };
const flows: readonly Json[] = [
  {
    start: { ...call, next: "two" },
    two: { ...call, args: { of: "{{steps.start.result}}" }, next: "three" },
    three: { ...call, done: true },
  },
  {
    start: { ...call, parallel: ["a", "b", "c"], join: "all" },
    a: call,
    b: { ...call, next: "b2" },
    b2: call,
    c: { wait: "3s" },
    all: { ...call, args: { of: "{{steps.start.result}}" }, done: true },
  },
  {
    start: { ...call, each: { items: "{{input.list}}", concurrency: 2 }, next: "end2" },
    end2: { ...call, done: true },
  },
  { start: { flow: "child", next: "then" }, then: { ...call, done: true } },
  {
    start: { tool: "shaky", retry: { attempts: 3, backoff: ["1s", "2s"] }, next: "then" },
    then: { ...call, done: true },
  },
];
/** How many calls each of them makes. */
const callsOf = [3, 5, 6, 2, 3];

function disturb({ faults }: FaultyStore, seed: number): void {
  const random = createRandom(seed);
  let wasRefused = false;
  // Answers come in order, too: none is refused while the store has one before it.
  let [passed, written] = [0, 0];
  faults.afterCommit = (committed) => {
    written += 1;
    return committed;
  };
  const judge = async (): Promise<Committed | undefined> => {
    for (let turns = random.integer(4); turns > 0; turns--) await turnOnce();
    // Twice in a row would be taken for a message that cannot be written.
    wasRefused = !wasRefused && written === passed && random.integer(5) === 0;
    if (!wasRefused) {
      passed += 1;
      return undefined;
    }
    return { kind: "refused", reason: random.integer(2) === 0 ? "stale" : "busy", message: "disturbed" };
  };
  // One after the other, as they were handed over.
  let last: Promise<unknown> = Promise.resolve();
  faults.beforeCommit = () => {
    const judged = last.then(judge);
    last = judged;
    return judged;
  };
  faults.beforeVerb = (verb) =>
    ["load", "bring", "listReady", "listDue", "findFlow"].includes(verb) && random.integer(3) === 0
      ? turnOnce()
      : undefined;
}

describe("an engine on a store that is slow and refuses", () => {
  test.each([1, 2, 3, 4, 5, 6])("loses nothing and does nothing twice (seed %i)", async (seed) => {
    await using world = createWorld("memory");
    const calls = new Map<string, number>();
    const count: ToolFunction = (_input, { idempotencyKey, attempt, run }) => {
      const key = `${run} ${idempotencyKey} ${attempt}`;
      calls.set(key, (calls.get(key) ?? 0) + 1);
      return turnOnce().then(() => run);
    };
    const shaky: ToolFunction = (input, context) => {
      void count(input, context);
      if (context.attempt < 2) throw new ToolError({ message: "not yet" });
      return null;
    };
    const { engine } = await world.open({
      tools: { work: count, shaky },
      flows: { child: { start: { ...call, done: true } } },
      memory: { runsHeld: 3 },
      limits: { calls: 7 },
      // It fails in every run, and is to be tried again.
      breaker: { perTool: { shaky: false } },
      prepare: (store) => disturb(store, seed),
    });
    const input = { list: [1, 2, 3, 4, 5] };
    const started = Array.from({ length: 40 }, (_run, at) => engine.start(flows[at % flows.length] ?? {}, { input }));
    const results = Promise.all(started.map(async (start) => engine.result((await start).id)));
    // Turns of the store are no sign of life to the clock: time goes on until all is done, or too much of it has passed.
    const over = results.then(() => "over");
    for (let round = 0; round < 300; round++) {
      await world.clock.advance(250);
      if ((await Promise.race([over, turnOnce()])) === "over") break;
    }
    const ended = await results;
    expect(ended.map(({ status }) => status)).toEqual(ended.map(() => "completed"));
    expect([...calls.values()].filter((times) => times !== 1)).toEqual([]);
    expect(calls.size).toBe(callsOf.reduce((sum, each) => sum + each, 0) * 8);
  });
});
