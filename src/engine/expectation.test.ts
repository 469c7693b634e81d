import { expect, test } from "vitest";
import { StepwellError } from "../error.ts";
import { codeOfRejection, createWorld } from "../testing/engine.ts";

const gate = { start: { gate: {}, done: true } };

test("of two changes at once of what both have seen alike, one is made, and the other is told both instants", async () => {
  await using world = createWorld("memory");
  const { engine } = await world.open();
  const { id } = await engine.start(gate);
  const { updatedAt: expectedUpdatedAt } = await engine.get(id);
  await world.clock.advance(1000);
  const both = [engine.pause(id, { expectedUpdatedAt }), engine.cancel(id, { expectedUpdatedAt })];
  const told = await Promise.all(both.map((one) => one.catch((error: unknown) => error)));
  const { updatedAt: actual, status } = await engine.get(id);
  // Which of them comes first is left to the store.
  const refusals = told.filter((each) => each instanceof StepwellError);
  expect(refusals).toMatchObject([
    { code: "REFUSED", details: { code: "version_changed", expected: expectedUpdatedAt, actual } },
  ]);
  expect(status).toBe(told[0] === undefined ? "paused" : "cancelled");
});

test("a run that was changed is changed again by whoever has seen that", async () => {
  await using world = createWorld("memory");
  const { engine } = await world.open();
  const { id } = await engine.start(gate);
  await world.clock.advance(1000);
  await engine.pause(id);
  await engine.resume(id, { expectedUpdatedAt: (await engine.get(id)).updatedAt });
  expect((await engine.get(id)).status).toBe("running");
});

test("what was done under a key is not refused when it comes again, though it has changed the run itself", async () => {
  await using world = createWorld("memory");
  const { engine } = await world.open();
  const { id } = await engine.start(gate);
  const { updatedAt: expectedUpdatedAt } = await engine.get(id);
  await world.clock.advance(1000);
  const pause = (): Promise<void> => engine.under("k").pause(id, { expectedUpdatedAt });
  await pause();
  expect(await codeOfRejection(pause())).toBe("none");
  expect(await codeOfRejection(engine.under("other").pause(id, { expectedUpdatedAt }))).toBe("REFUSED");
});

test("a run that was not in memory is compared as it is on disk", async () => {
  await using world = createWorld("file");
  const { engine } = await world.open();
  const { id } = await engine.start(gate);
  await engine.pause(id);
  const { updatedAt: expectedUpdatedAt } = await engine.get(id);
  await engine.stop();
  const { engine: next } = await world.open();
  expect(await codeOfRejection(next.cancel(id, { expectedUpdatedAt: expectedUpdatedAt - 1 }))).toBe("REFUSED");
  await next.cancel(id, { expectedUpdatedAt });
  expect((await next.get(id)).status).toBe("cancelled");
});
