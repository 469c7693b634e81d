// Which tool a call counts for, where somebody limits how many may be under way.

import { expect, test } from "vitest";
import { createDesk, createWorld } from "../testing/engine.ts";

test.each(["web.work", "work"])("a tool is the same by all its names, and %s limits it", async (limited) => {
  await using world = createWorld("memory");
  const desk = createDesk();
  const { engine } = await world.open({ tools: { "web.work": desk.call }, limits: { callsPerTool: { [limited]: 1 } } });
  const runs = [];
  for (const tool of ["work", "web.work", "work", "web.work"])
    runs.push((await engine.start({ start: { tool, done: true } })).id);
  for (let answered = 0; answered < runs.length; answered++) {
    await world.settle();
    expect(desk.calls).toHaveLength(answered + 1);
    desk.calls[answered]?.done();
  }
  for (const id of runs) expect((await engine.result(id)).status).toBe("completed");
});

test("a name that means another tool meanwhile keeps no room that nobody uses", async () => {
  await using world = createWorld("memory");
  const desk = createDesk();
  const { engine } = await world.open({
    tools: { "web.work": desk.call },
    limits: { callsPerTool: { "web.work": 1, "app.work": 1 } },
  });
  const short = { start: { tool: "work", done: true } };
  const [first, second] = [await engine.start(short), await engine.start(short)];
  await world.settle();
  await engine.tools.unload("web.work");
  await engine.tools.load({ "app.work": desk.call });
  expect(desk.calls).toHaveLength(1);
  desk.calls[0]?.done();
  await world.settle();
  desk.calls[1]?.done();
  for (const { id } of [first, second]) expect((await engine.result(id)).status).toBe("completed");
  const third = await engine.start(short);
  await world.settle();
  desk.calls[2]?.done();
  expect((await engine.result(third.id)).status).toBe("completed");
});

test("a fallback that was called in its place takes no room from a tool for ever", async () => {
  await using world = createWorld("memory");
  const desk = createDesk();
  let isDead = true;
  const line = (): string => {
    if (isDead) throw new Error("the line is dead");
    return "through";
  };
  const { engine } = await world.open({ tools: { line, backup: desk.call }, limits: { callsPerTool: { line: 1 } } });
  const plain = { start: { tool: "line", retry: false, done: true } };
  for (let time = 0; time < 3; time++) await engine.result((await engine.start(plain)).id);
  const { id } = await engine.start({
    start: { tool: "line", on_circuit_open: "fallback", fallback: "backup", done: true },
  });
  await world.settle();
  desk.last().done("by hand");
  expect(await engine.result(id)).toMatchObject({ output: "by hand" });
  isDead = false;
  await engine.breakers.reset("line");
  const again = await engine.start(plain);
  await world.settle();
  expect((await engine.get(again.id)).status).toBe("completed");
});
