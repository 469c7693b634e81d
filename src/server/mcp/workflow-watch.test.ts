import { expect, test } from "vitest";
import { createWorld } from "../../testing/engine.ts";
import { createHouse } from "./house.ts";
import { WorkflowWatch } from "./workflow-watch.ts";

test("whoever comes and goes and comes again is looked for once at a time", async () => {
  await using world = createWorld("memory");
  const { engine, store } = await world.open({});
  const watch = new WorkflowWatch(createHouse(engine, { clock: world.clock, lookEveryMs: 1000 }));
  const leaves = [];
  for (let time = 0; time < 5; time++) {
    leaves.at(-1)?.();
    leaves.push(watch.listen(() => {}));
  }
  await world.settle();
  const before = store.counts.get("listEntries") ?? 0;
  await world.clock.advance(1000);
  expect((store.counts.get("listEntries") ?? 0) - before).toBe(1);
  leaves.at(-1)?.();
  await world.clock.advance(5000);
  expect((store.counts.get("listEntries") ?? 0) - before).toBe(1);
});
