import { describe, expect, test } from "vitest";
import { createWorld } from "../testing/engine.ts";
import { systemClock } from "./clock.ts";
import { defineTool, outcome } from "../tool/function.ts";

const tools = {
  greet: defineTool({
    name: "greet",
    description: "Says hello",
    effect: "read",
    input: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
    call: ({ name }: { name: string }) => outcome("friendly", `Hello ${name}`),
  }),
  fail: () => {
    throw new Error("No paper");
  },
};

describe("engine.tools", () => {
  test("lists the tools without the means to call them past the engine", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools });
    const [greet, ...others] = await engine.tools.list();
    expect(greet).toMatchObject({ name: "greet", description: "Says hello", effect: "read", outcomes: [] });
    expect(greet).not.toHaveProperty("call");
    expect(others.map(({ name }) => name)).toEqual(["fail"]);
  });

  test("calls one as a run of one step, in somebody's name", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools });
    const called = await engine.tools.call("greet", { name: "Ada" }, { as: "ann" });
    expect(called).toEqual({ run: expect.any(Number), result: "Hello Ada", outcome: "friendly", error: null });
    expect(await engine.get(called.run)).toMatchObject({ name: "call greet", status: "completed", createdBy: "ann" });
  });

  test("a failure is a value, and the call is not tried again", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools });
    const failed = await engine.tools.call("fail");
    expect(failed.error).toMatchObject({ message: "No paper" });
    expect((await engine.get(failed.run)).steps).toMatchObject([{ attempt: 1, status: "failed" }]);
  });

  test("a tool that is not there, or arguments that do not fit, are refused before anything is started", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools });
    await expect(engine.tools.call("gret")).rejects.toMatchObject({
      code: "INPUT_INVALID",
      message: 'Unknown tool: gret. Did you mean "greet"?',
    });
    await expect(engine.tools.call("greet", { nam: "Ada" })).rejects.toMatchObject({
      code: "INPUT_INVALID",
      message: 'The tool "greet" needs the argument "name". Expected name; given nam.',
    });
    expect(await engine.list()).toEqual([]);
  });

  test("a guest has the owner call its tools, which the guest need not know", async () => {
    await using world = createWorld("file");
    await world.open({ clock: systemClock, tools });
    const { engine: guest } = await world.open({ clock: systemClock });
    expect(guest.isOwner).toBe(false);
    expect(await guest.tools.call("greet", { name: "Ada" })).toMatchObject({ result: "Hello Ada", error: null });
  });
});
