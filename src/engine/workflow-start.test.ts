import { describe, expect, test } from "vitest";
import type { JsonObject } from "../flow/json.ts";
import { StepwellError } from "../error.ts";
import { codeOfRejection, createDesk, createWorld } from "../testing/engine.ts";

function greet(message: string): JsonObject {
  const input = { type: "object", properties: { to: { type: "string" } } };
  return { name: "greet", input, steps: { say: { set: { text: `${message} {{ input.to ?? 'you' }}` }, done: true } } };
}

async function told(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.catch((reason: unknown) => reason);
  return error instanceof StepwellError ? `${error.code}: ${error.message} ${error.hint ?? ""}`.trim() : "none";
}

describe("a start by name", () => {
  test("takes the newest version, or the one that is named, and a run keeps its own", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    const first = await engine.save(greet("hello"));
    const early = await engine.start("greet", { at: world.clock.now() + 1000 });
    const second = await engine.save(greet("bye"));
    const newest = await engine.start("greet", { input: { to: "Bo" } });
    const numbered = await engine.start("greet@1", { name: "my own" });
    await world.clock.advance(1000);
    expect((await engine.result(early.id)).output).toEqual({ text: "hello you" });
    expect((await engine.result(newest.id)).output).toEqual({ text: "bye Bo" });
    expect((await engine.result(numbered.id)).output).toEqual({ text: "hello you" });
    expect(await engine.get(early.id)).toMatchObject({ name: "greet", flow: first.hash });
    expect(await engine.get(newest.id)).toMatchObject({ name: "greet", flow: second.hash });
    expect(await engine.get(numbered.id)).toMatchObject({ name: "my own", flow: first.hash });
  });

  test("E3-37: a template is loaded and started with other input", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    await engine.save(greet("hello"), { name: "pushover", input: { to: "Ann" } });
    const { input } = await engine.workflows.get("pushover");
    const asSaved = await engine.start("pushover", { input });
    const other = await engine.start("pushover", { input: { to: "Bo" } });
    const without = await engine.start("pushover");
    expect((await engine.result(asSaved.id)).output).toEqual({ text: "hello Ann" });
    expect((await engine.result(other.id)).output).toEqual({ text: "hello Bo" });
    // What a form begins with is nobody's input until somebody gives it.
    expect((await engine.result(without.id)).output).toEqual({ text: "hello you" });
    expect((await engine.get(other.id)).name).toBe("pushover");
  });

  test("is told when nothing, or nothing more, has this name, and what may be meant", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ flows: { digest: { start: { set: {}, done: true } } } });
    await engine.save(greet("hello"));
    const missing = "WORKFLOW_NOT_FOUND: There is no workflow";
    expect(await told(engine.start("gret"))).toBe(
      `${missing} "gret". Did you mean "greet"? Save it first, or give the flow itself.`,
    );
    expect(await told(engine.start("digset"))).toContain('Did you mean "digest"?');
    expect(await told(engine.start("flows/greet.yaml"))).toBe(
      `${missing} "flows/greet.yaml". A file must be read first: give its text.`,
    );
    expect(await told(engine.start("greet@2"))).toBe(
      'WORKFLOW_NOT_FOUND: The workflow "greet" has no version 2; its newest is 1.',
    );
  });

  test("finds the flows that the program brought along, before saved ones of the same name", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ flows: { greet: { start: { set: { own: true }, done: true } } } });
    await engine.save(greet("saved"));
    expect((await engine.result((await engine.start("greet")).id)).output).toEqual({ own: true });
    // Only saved ones have versions.
    expect((await engine.result((await engine.start("greet@1")).id)).output).toEqual({ text: "saved you" });
  });

  test("is not taken for one when it is the text of a flow", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    await engine.save(greet("hello"), { name: "start" });
    const { id } = await engine.start("start: {set: {text: own}, done: true}");
    expect((await engine.result(id)).output).toEqual({ text: "own" });
    expect(await codeOfRejection(engine.start("start:"))).toBe("FLOW_INVALID");
    expect(await codeOfRejection(engine.start("- start\n- end"))).toBe("FLOW_INVALID");
    expect(await codeOfRejection(engine.start(""))).toBe("FLOW_UNREADABLE");
  });

  test("checks the input against the version that it takes", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    await engine.save(greet("hello"));
    expect(await codeOfRejection(engine.start("greet", { input: { to: 7 } }))).toBe("INPUT_INVALID");
  });

  test("with the same key gives the first run, also when the workflow has a newer version, is disabled or deleted", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    await engine.save(greet("hello"));
    const options = { idempotencyKey: "monday", input: { to: "Bo" } };
    const { id } = await engine.start("greet", options);
    await engine.save(greet("bye"));
    expect((await engine.start("greet", options)).id).toBe(id);
    expect((await engine.start("greet@1", options)).id).toBe(id);
    expect(await codeOfRejection(engine.start("greet@2", options))).toBe("KEY_REUSED");
    expect(await codeOfRejection(engine.start("greet", { ...options, input: { to: "Ann" } }))).toBe("KEY_REUSED");
    await engine.workflows.disable("greet");
    expect((await engine.start("greet", options)).id).toBe(id);
    await engine.workflows.delete("greet");
    expect((await engine.start("greet", options)).id).toBe(id);
    expect(await codeOfRejection(engine.start("other", options))).toBe("KEY_REUSED");
  });
});

describe("a step that starts a workflow by name", () => {
  const outer = { start: { flow: "inner", retry: { attempts: 3, backoff: ["1m"] }, done: true } };

  function inner(tool: string): JsonObject {
    return { name: "inner", steps: { work: { tool, retry: false, done: true } } };
  }

  test("takes the newest enabled version when it is entered, or the one that it names", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools: { one: () => 1, two: () => 2, three: () => 3 } });
    for (const tool of ["one", "two", "three"]) await engine.save(inner(tool));
    await engine.workflows.disable("inner@3");
    const newest = await engine.start(outer);
    const named = await engine.start({ start: { flow: "inner@1", done: true } });
    expect((await engine.result(newest.id)).output).toBe(2);
    expect((await engine.result(named.id)).output).toBe(1);
  });

  test("tries again with the version that it began with, over a restart and whatever is saved meanwhile", async () => {
    await using world = createWorld("file");
    const tools = { one: createDesk(), two: createDesk() };
    const calls = { one: tools.one.call, two: tools.two.call };
    const first = await world.open({ tools: calls });
    const { hash } = await first.engine.save(inner("one"));
    const { id } = await first.engine.start(outer);
    await world.settle();
    await first.engine.save(inner("two"));
    tools.one.last().fail(new Error("not yet"));
    await world.settle();
    expect(await first.steps(id)).toBe("start failed, start pending");
    await first.engine.workflows.delete("inner");
    await first.crash();
    const second = await world.open({ tools: calls });
    await world.clock.advance(60_000);
    expect([tools.one.calls.length, tools.two.calls.length]).toEqual([2, 0]);
    expect(await second.row(id, "start")).toMatchObject({ attempt: 2, childFlow: hash });
    tools.one.last().done("by the first version");
    expect((await second.engine.result(id)).output).toBe("by the first version");
    // A new run enters it anew.
    await second.engine.workflows.restore("inner", 2);
    await second.engine.start(outer);
    await world.settle();
    expect(tools.two.calls).toHaveLength(1);
  });

  test("tries again with a flow of the program that is another one after a restart", async () => {
    await using world = createWorld("file");
    const desk = createDesk();
    const setup = (text: string): object => ({ inner: { start: { tool: "work", args: { text }, retry: false } } });
    const first = await world.open({ tools: { work: desk.call }, flows: { ...setup("old") } });
    const { id } = await first.engine.start(outer);
    await world.settle();
    desk.last().fail(new Error("not yet"));
    await world.settle();
    await first.crash();
    const second = await world.open({ tools: { work: desk.call }, flows: { ...setup("new") } });
    await world.clock.advance(60_000);
    desk.last().done("done");
    expect((await second.engine.result(id)).status).toBe("completed");
    expect(desk.calls.map(({ input }) => input["text"])).toEqual(["old", "old"]);
  });

  test("fails at once when there is none, or none that may be started, and says why", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    const errorOf = async (): Promise<unknown> => {
      const { id } = await engine.start(outer);
      return (await engine.result(id)).error;
    };
    expect(await errorOf()).toEqual({ code: "unknown_workflow", message: 'There is no workflow "inner".' });
    await engine.save({ name: "inner", steps: { a: { set: {}, done: true } } });
    await engine.workflows.disable("inner");
    expect(await errorOf()).toEqual({ code: "workflow_disabled", message: 'The workflow "inner" is disabled.' });
    await engine.workflows.delete("inner");
    expect(await errorOf()).toEqual({ code: "unknown_workflow", message: 'The workflow "inner" was deleted.' });
    await engine.save({ name: "inner", steps: { a: { set: {}, done: true } } });
    expect(await errorOf()).toBeNull();
  });
});
