import { afterEach, beforeEach, expect, test } from "vitest";
import type { Engine } from "../../engine/engine.ts";
import { createWorld, type World } from "../../testing/engine.ts";
import { waitAndAsk, type Heard } from "./ask.ts";
import { createCaller } from "./caller.ts";
import { createHouse } from "./house.ts";

const gate = { gate: { title: "Go on?" }, routes: { rejected: "other" }, next: "other" };
const flow = { start: gate, other: { gate: { title: "And then?" }, done: true } };

let world: World;
let engine: Engine;

beforeEach(async () => {
  world = createWorld("memory");
  ({ engine } = await world.open());
});

afterEach(() => world[Symbol.asyncDispose]());

type Told = Heard & { readonly remarked: readonly string[] };

/** The person at the client says yes to the first question after `before` has happened, and nothing to the next. */
async function askAfter(before: (step: number, run: number) => Promise<void>): Promise<Told> {
  const asker = { user: "ben", via: null, scopes: null };
  for (const user of ["ann", "ben"]) await engine.access.save(user, { keys: ["130001"] });
  const caller = await createCaller(engine, { asker, source: "test", grants: "all", remedy: () => "" });
  const { id: run } = await engine.start(flow, { as: "ben" });
  await world.settle();
  const remarked: string[] = [];
  let count = 0;
  const heard = await waitAndAsk(
    { house: createHouse(engine), caller },
    {
      run,
      timeoutMs: null,
      signal: new AbortController().signal,
      isForPeople: false,
      onRemark: (remark) => void remarked.push(remark),
      ask: async () => {
        count += 1;
        if (count > 1) return { action: "decline" };
        await before((await engine.get(run)).steps[0]?.id ?? 0, run);
        return { action: "accept", content: { choice: "approved" } };
      },
    },
  );
  return { ...heard, remarked };
}

test("an answer that comes second is told as such, with who was first, and the question is not called open", async () => {
  const { remarks, remarked, seen } = await askAfter((step) => engine.reject(step, { by: "ann" }));
  const over = '"Go on?" had been answered by ann when this answer came.';
  const open = '"And then?" was not answered. It stays open.';
  expect([remarks, remarked]).toEqual([
    [over, open],
    [over, open],
  ]);
  expect(seen.questions.map(({ title }) => title)).toEqual(["And then?"]);
});

test("an answer to what was cancelled meanwhile is told as too late", async () => {
  const { remarks, seen } = await askAfter((_, run) => engine.cancel(run, { by: "ann" }));
  expect(seen.run.status).toBe("cancelled");
  expect(remarks).toEqual(['"Go on?" was not open any more when this answer came.']);
});
