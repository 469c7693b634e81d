import { expect, test } from "vitest";
import { systemClock } from "../../engine/clock.ts";
import { StepwellError } from "../../error.ts";
import { createWorld } from "../../testing/engine.ts";
import { openWire } from "../../testing/mcp-wire.ts";

test("a run that is pruned while tasks are listed takes none of the others with it", async () => {
  await using world = createWorld("memory");
  const { engine, store } = await world.open({ clock: systemClock });
  for (let each = 0; each < 3; each++)
    await engine.result((await engine.start({ start: { set: {}, done: true } }, { as: "ann" })).id);
  await using wire = await openWire(engine, { era: "legacy" });
  const all = (await wire.ask("tasks/list")).result["tasks"] as readonly { readonly taskId: string }[];
  expect(all).toHaveLength(3);
  let looks = 0;
  store.faults.beforeVerb = (verb) => {
    if (verb === "findRun") looks += 1;
    return verb === "findRun" && looks === 2
      ? Promise.reject(new StepwellError("RUN_NOT_FOUND", "There is no such run."))
      : undefined;
  };
  const { result, error } = await wire.ask("tasks/list");
  store.faults.beforeVerb = null;
  expect(error).toBeNull();
  expect(result["tasks"]).toMatchObject([{ taskId: all[0]?.taskId }, { taskId: all[2]?.taskId }]);
});

test.each(["-1", "1e3", "0x10", " 1", "9".repeat(16), "9".repeat(90), "", "NaN"])(
  "a cursor that is none of ours is refused: %j",
  async (cursor) => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ clock: systemClock });
    await using wire = await openWire(engine, { era: "legacy" });
    expect((await wire.ask("tasks/list", { cursor })).error).toMatchObject({ code: -32602 });
  },
);

test("a cursor that was made up leads to no run of others", async () => {
  await using world = createWorld("memory");
  const { engine } = await world.open({ clock: systemClock });
  await engine.result((await engine.start({ start: { set: {}, done: true } }, { as: "bob" })).id);
  await using wire = await openWire(engine, { era: "legacy" });
  for (const cursor of ["0", "1", "999999999999999"])
    expect((await wire.ask("tasks/list", { cursor })).result).toMatchObject({ tasks: [] });
});
