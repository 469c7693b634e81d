import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../flow/json.ts";
import { codeOfRejection, createWorld } from "../testing/engine.ts";
import { StepwellError } from "../error.ts";
import { systemClock } from "./clock.ts";

function greet(message: string, more: JsonObject = {}): JsonObject {
  return { name: "greet", steps: { say: { set: { message }, done: true } }, ...more };
}

async function refusalOf(promise: Promise<unknown>): Promise<StepwellError> {
  const error: unknown = await promise.catch((reason: unknown) => reason);
  if (error instanceof StepwellError) return error;
  throw new Error("nothing was refused");
}

describe("saving", () => {
  test("makes a version when the flow is another one, and none when it is the same", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    const first = await engine.save(greet("hello"), { note: "first", by: "ann" });
    expect(first).toMatchObject({ name: "greet", version: 1, isEnabled: true, createdBy: "ann", isNewVersion: true });
    const same = await engine.save(greet("hello", { "x-ui": { zoom: 2 } }), { by: "bob" });
    expect(same).toMatchObject({ id: first.id, version: 1, hash: first.hash, isNewVersion: false, updatedBy: "bob" });
    const second = await engine.workflows.save(greet("good morning"), { note: "politer", by: "bob" });
    expect(second).toMatchObject({ id: first.id, version: 2, isNewVersion: true, createdBy: "ann" });
    // What was saved first is another version when it is saved once more, now that it is not the newest.
    expect((await engine.save(greet("hello"))).version).toBe(3);
    const versions = await engine.workflows.versions("greet");
    expect(versions.map(({ version, hash, note, by }) => [version, hash, note, by])).toEqual([
      [3, first.hash, null, "local"],
      [2, second.hash, "politer", "bob"],
      [1, first.hash, "first", "ann"],
    ]);
  });

  test("takes the name that is given before the flow's own, and refuses a flow that has none", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    expect((await engine.save(greet("x"), { name: "other" })).name).toBe("other");
    expect((await engine.save("start: {set: {a: 1}, done: true}", { name: "bare" })).name).toBe("bare");
    expect(await codeOfRejection(engine.save({ start: { set: {}, done: true } }))).toBe("INPUT_INVALID");
    expect(await codeOfRejection(engine.save(greet("x"), { name: "a@2" }))).toBe("INPUT_INVALID");
    expect((await engine.workflows.list()).map(({ name }) => name)).toEqual(["bare", "other"]);
  });

  test("refuses a flow that has errors, with the findings, and keeps nothing of it", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    const refusal = await refusalOf(engine.save({ name: "bad", steps: { a: { next: "nowhere", set: {} } } }));
    expect(refusal.code).toBe("FLOW_INVALID");
    expect(refusal.details).toMatchObject({ findings: [{ code: "dangling_name" }] });
    expect(await engine.workflows.list({ all: true })).toEqual([]);
  });

  test("E3-04: is refused with both versions when somebody was quicker", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    await engine.save(greet("one"), { expectedVersion: 0 });
    const both = [engine.save(greet("two"), { expectedVersion: 1 }), engine.save(greet("2"), { expectedVersion: 1 })];
    const [one, other] = await Promise.allSettled(both);
    expect([one?.status, other?.status]).toEqual(["fulfilled", "rejected"]);
    const refusal = await refusalOf(engine.save(greet("three"), { expectedVersion: 1 }));
    expect([refusal.code, refusal.message]).toEqual([
      "REFUSED",
      'The workflow "greet" is at version 2, not at 1: somebody changed it meanwhile.',
    ]);
    expect(refusal.details).toMatchObject({ code: "version_changed", expectedVersion: 1, actualVersion: 2 });
    expect(await codeOfRejection(engine.save(greet("new"), { expectedVersion: 0 }))).toBe("REFUSED");
    expect((await engine.workflows.get("greet")).version).toBe(2);
  });

  test("warns of sub-flows that are not there, and no longer once they are", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ flows: { inner: { start: { set: {}, done: true } } } });
    const flow = (name: string): Json => ({ name: "outer", steps: { go: { flow: name, done: true } } });
    const missing = 'There is no workflow "gret". A step that starts it fails.';
    expect((await engine.save(flow("gret"))).warnings).toEqual([missing]);
    await engine.save(greet("x"));
    expect((await engine.save(flow("gret"))).warnings).toEqual([missing.replace(". A", '. Did you mean "greet"? A')]);
    expect((await engine.save(flow("greet@7"))).warnings).toEqual([
      'The workflow "greet" has no version 7; its newest is 1. A step that starts it fails.',
    ]);
    expect((await engine.save(flow("greet@1"))).warnings).toEqual([]);
    expect((await engine.save(flow("inner"))).warnings).toEqual([]);
    expect((await engine.start(flow("gret"))).warnings).toHaveLength(1);
  });
});

describe("reading", () => {
  test("E3-24, E3-36: templates are listed by name, without those that were deleted, and got by name or id", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    const { id } = await engine.save(greet("x"), { name: "pushover", description: "Sends", input: { to: "ann" } });
    await engine.save(greet("x"), { name: "Digest" });
    await engine.save(greet("x"), { name: "alarm" });
    await engine.workflows.delete("alarm");
    expect((await engine.workflows.list()).map(({ name }) => name)).toEqual(["Digest", "pushover"]);
    expect((await engine.workflows.list({ all: true })).map(({ name }) => name)).toEqual([
      "Digest",
      "alarm",
      "pushover",
    ]);
    const expected = { id, name: "pushover", version: 1, description: "Sends", input: { to: "ann" }, deletedAt: null };
    expect(await engine.workflows.get("pushover")).toMatchObject({ ...expected, flow: greet("x"), text: null });
    expect(await engine.workflows.get(id)).toMatchObject(expected);
    expect(await engine.workflows.get(String(id))).toMatchObject(expected);
    expect(await codeOfRejection(engine.workflows.get(1))).toBe("WORKFLOW_NOT_FOUND");
    const unknown = await refusalOf(engine.workflows.get("pushovr"));
    expect(unknown.message).toBe('There is no workflow "pushovr". Did you mean "pushover"?');
  });

  test("AC-66: it says how many steps its newest version has, also when it was copied", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    const two = { name: "two", steps: { start: { set: { a: 1 }, next: "last" }, last: { set: { b: 2 }, done: true } } };
    expect(await engine.workflows.save(two)).toMatchObject({ stepCount: 2 });
    const one = { name: "two", steps: { start: { set: { a: 1 }, done: true } } };
    expect(await engine.workflows.save(one)).toMatchObject({ version: 2, stepCount: 1 });
    await engine.workflows.clone("two@1");
    const counts = (await engine.workflows.list()).map(({ name, stepCount }) => [name, stepCount]);
    expect(counts).toEqual([
      ["two", 1],
      ["two (copy)", 2],
    ]);
  });

  test("a version is got with its own flow, and a text as it was written", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    const text = "# hello\nname: greet\nsteps:\n  say: {set: {message: hello}, done: true}\n";
    await engine.save(text, { note: "in YAML" });
    await engine.save(greet("bye"));
    expect(await engine.workflows.get("greet@1")).toMatchObject({
      version: 1,
      newestVersion: 2,
      note: "in YAML",
      text,
      flow: { name: "greet", steps: { say: { set: { message: "hello" }, done: true } } },
    });
    expect(await engine.workflows.get("greet")).toMatchObject({ version: 2, text: null, flow: greet("bye") });
    expect(await codeOfRejection(engine.workflows.get("greet@3"))).toBe("WORKFLOW_NOT_FOUND");
    // Comments and layout make no version, and are kept all the same.
    const commented = "# shorter\nname: greet\nsteps: {say: {set: {message: bye}, done: true}}\n";
    expect(await engine.save(commented)).toMatchObject({ version: 2, isNewVersion: false });
    expect((await engine.workflows.get("greet")).text).toBe(commented);
  });

  test("a text that was saved before is never shown for what was saved last", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    const text = "# one\nname: greet\nsteps: {say: {set: {message: hello}, done: true}}\n";
    const textOf = async (): Promise<string | null> => (await engine.workflows.get("greet")).text;
    await engine.save(text);
    await engine.save(`# ${"long ".repeat(20_000)}\n${text}`);
    expect(await textOf()).toBeNull();
    await engine.save(text);
    expect(await textOf()).toBe(text);
    await engine.save(greet("hello"));
    expect([await textOf(), (await engine.workflows.get("greet")).version]).toEqual([null, 1]);
  });

  test("what stays when a workflow is saved again: its description and its input, unless others are given", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    await engine.save(greet("a"), { description: "Says hello", input: { to: "ann" } });
    expect(await engine.save(greet("b"))).toMatchObject({ description: "Says hello", input: { to: "ann" } });
    expect(await engine.save(greet("c", { description: "Says c" }))).toMatchObject({ description: "Says c" });
    expect(await engine.save(greet("d"), { description: null, input: null })).toMatchObject({
      description: null,
      input: null,
    });
  });
});

describe("changing", () => {
  test("restoring makes a new version that equals the old one", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    const { hash } = await engine.save(greet("one"));
    await engine.save(greet("two"));
    const restored = await engine.workflows.restore("greet", 1, { by: "ann", expectedVersion: 2 });
    expect(restored).toMatchObject({ version: 3, hash, isNewVersion: true, updatedBy: "ann" });
    expect((await engine.workflows.versions("greet"))[0]).toMatchObject({ note: "Restored from version 1", by: "ann" });
    expect(await engine.workflows.restore("greet", 1)).toMatchObject({ version: 3, isNewVersion: false });
    expect(await codeOfRejection(engine.workflows.restore("greet", 9))).toBe("WORKFLOW_NOT_FOUND");
    expect(await codeOfRejection(engine.workflows.restore("greet", 2, { expectedVersion: 1 }))).toBe("REFUSED");
  });

  test("a workflow that is disabled is not started; enabled, it is", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    await engine.save(greet("one"));
    expect(await engine.workflows.disable("greet", { by: "ann" })).toMatchObject({
      isEnabled: false,
      updatedBy: "ann",
    });
    const refusal = await refusalOf(engine.start("greet"));
    expect([refusal.code, refusal.message]).toEqual(["WORKFLOW_DISABLED", 'The workflow "greet" is disabled.']);
    expect(await codeOfRejection(engine.start("greet@1"))).toBe("WORKFLOW_DISABLED");
    await engine.save(greet("two"));
    expect(await codeOfRejection(engine.start("greet"))).toBe("WORKFLOW_DISABLED");
    await engine.workflows.enable("greet");
    const { id } = await engine.start("greet");
    expect((await engine.result(id)).output).toEqual({ message: "two" });
  });

  test("of a workflow with a version that is disabled, the newest of the others is started", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    for (const message of ["one", "two", "three"]) await engine.save(greet(message));
    await engine.workflows.disable("greet@3");
    await engine.workflows.disable("greet@2");
    expect((await engine.result((await engine.start("greet")).id)).output).toEqual({ message: "one" });
    expect(await codeOfRejection(engine.start("greet@3"))).toBe("WORKFLOW_DISABLED");
    expect((await engine.workflows.versions("greet")).map(({ isEnabled }) => isEnabled)).toEqual([false, false, true]);
    expect((await engine.workflows.get("greet")).isEnabled).toBe(false);
    await engine.workflows.disable("greet@1");
    expect((await refusalOf(engine.start("greet"))).message).toBe('All versions of the workflow "greet" are disabled.');
    await engine.workflows.enable("greet@2");
    expect((await engine.result((await engine.start("greet")).id)).output).toEqual({ message: "two" });
  });

  test("saving or restoring a version that is disabled enables it again, and says so", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    await engine.save(greet("one"));
    const again = 'Version 1 of the workflow "greet" was disabled, and is enabled again.';
    const ways = [
      () => engine.save(greet("one")),
      () => engine.workflows.restore("greet", 1),
      () => engine.workflows.delete("greet").then(() => engine.save(greet("one"))),
    ];
    for (const bringBack of ways) {
      await engine.workflows.disable("greet@1");
      expect(await bringBack()).toMatchObject({ version: 1, isNewVersion: false, isEnabled: true, warnings: [again] });
      expect((await engine.result((await engine.start("greet")).id)).output).toEqual({ message: "one" });
    }
    expect((await engine.save(greet("one"))).warnings).toEqual([]);
  });

  test("E3-36: one that is deleted is not listed and not started, keeps its versions, and can be saved again", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    const { id, updatedAt } = await engine.save(greet("one"));
    await engine.workflows.disable("greet");
    world.clock.jump(5);
    await engine.save(greet("two"), { by: "bob" });
    expect(await codeOfRejection(engine.workflows.delete("greet", { expectedUpdatedAt: updatedAt }))).toBe("REFUSED");
    const seen = (await engine.workflows.get(id)).updatedAt;
    const deleted = await engine.workflows.delete(id, { by: "ann", expectedUpdatedAt: seen, expectedVersion: 2 });
    expect(deleted).toMatchObject({ deletedAt: world.clock.now(), updatedBy: "ann" });
    expect(await engine.workflows.delete("greet")).toMatchObject({ updatedBy: "ann" });
    expect(await engine.workflows.list()).toEqual([]);
    expect((await refusalOf(engine.start("greet"))).message).toBe('The workflow "greet" was deleted.');
    expect(await codeOfRejection(engine.start("greet@1"))).toBe("WORKFLOW_NOT_FOUND");
    expect(await codeOfRejection(engine.workflows.enable("greet"))).toBe("WORKFLOW_NOT_FOUND");
    expect((await engine.workflows.get("greet")).deletedAt).not.toBeNull();
    expect(await engine.workflows.versions("greet")).toHaveLength(2);
    expect(await codeOfRejection(engine.save(greet("three"), { expectedVersion: 2 }))).toBe("REFUSED");
    const again = await engine.save(greet("three"), { expectedVersion: 0 });
    expect(again).toMatchObject({ id, version: 3, isEnabled: true, deletedAt: null });
    await engine.workflows.delete("greet");
    expect(await engine.workflows.restore("greet", 1)).toMatchObject({ version: 4, deletedAt: null });
    expect(await codeOfRejection(engine.workflows.delete("greet@1"))).toBe("INPUT_INVALID");
  });

  test("what is none of its requests is refused", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    const bad: unknown = "two";
    expect(await codeOfRejection(engine.save(greet("x"), { expectedVersion: bad as number }))).toBe("INPUT_INVALID");
    expect(await codeOfRejection(engine.save(greet("x"), { expectedVersion: -1 }))).toBe("INPUT_INVALID");
    expect(await codeOfRejection(engine.save(greet("x"), { note: 3 as unknown as string }))).toBe("INPUT_INVALID");
    expect(await codeOfRejection(engine.workflows.delete("nobody"))).toBe("WORKFLOW_NOT_FOUND");
    expect(await engine.workflows.list()).toEqual([]);
  });
});

describe("comparing", () => {
  test("tells which steps were added, removed and changed, and the lines", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    const steps = { a: { set: { n: 1 }, next: "b" }, b: { set: {}, done: true } };
    await engine.save({ name: "flow", steps });
    await engine.save({ name: "flow", cancel: "never", steps: { a: { set: { n: 2 }, next: "c" }, c: steps.b } });
    const diff = await engine.workflows.diff("flow", 1);
    expect(diff).toMatchObject({ name: "flow", from: 1, to: 2, keys: ["cancel"] });
    expect(diff.steps).toEqual({ added: ["c"], removed: ["b"], changed: ["a"] });
    expect(diff.lines).toContain("-       n: 1");
    expect(diff.lines).toContain("+       n: 2");
    expect((await engine.workflows.diff("flow", 2, 2)).lines).toEqual([]);
    expect(await codeOfRejection(engine.workflows.diff("flow", 1, 9))).toBe("WORKFLOW_NOT_FOUND");
  });
});

describe("on disk", () => {
  test("saved workflows survive a crash, with their ids and versions", async () => {
    await using world = createWorld("file");
    const first = await world.open();
    const { id } = await first.engine.save(greet("one"));
    await first.engine.save(greet("two"), { note: "second" });
    await first.crash();
    const { engine } = await world.open();
    expect(await engine.workflows.get("greet")).toMatchObject({ id, version: 2, note: "second", flow: greet("two") });
    expect(await engine.save(greet("two"))).toMatchObject({ isNewVersion: false });
    const started = await engine.start("greet@1");
    expect(await engine.result(started.id)).toMatchObject({ output: { message: "one" } });
    expect(started.id).toBeGreaterThan(id);
  });

  test("E3-03: the entry holds what the view of templates reads", async () => {
    await using world = createWorld("memory");
    const { engine, store } = await world.open();
    const { id, hash } = await engine.save(greet("x"), { description: "Sends", input: { to: "ann" }, by: "ann" });
    const entry = await store.store.findEntry("workflow", "greet");
    expect(entry?.value).toMatchObject({
      id,
      hash,
      input: { to: "ann" },
      description: "Sends",
      createdBy: "ann",
      deletedAt: null,
    });
    expect((await store.store.findFlow(hash))?.source).toEqual(greet("x"));
  });

  test("a guest saves, reads and starts through the owner", async () => {
    await using world = createWorld("file");
    const owner = await world.open({ clock: systemClock });
    const guest = await world.open({ clock: systemClock });
    const saved = await guest.engine.save(greet("of the guest", { description: "d" }), { by: "bob", note: "n" });
    expect(saved).toMatchObject({ version: 1, createdBy: "bob", description: "d", warnings: [] });
    expect(await owner.engine.workflows.get("greet")).toMatchObject({ createdBy: "bob", note: "n" });
    const refusal = await refusalOf(guest.engine.save(greet("x"), { expectedVersion: 4 }));
    expect(refusal.details).toMatchObject({ code: "version_changed", expectedVersion: 4, actualVersion: 1 });
    const { id, warnings } = await guest.engine.start("greet");
    expect(warnings).toEqual([]);
    expect(await guest.engine.result(id)).toMatchObject({ output: { message: "of the guest" } });
    const outer = { name: "outer", steps: { go: { flow: "nobody", done: true } } };
    expect((await guest.engine.start(outer)).warnings).toEqual([
      'There is no workflow "nobody". A step that starts it fails.',
    ]);
    expect((await guest.engine.workflows.diff("greet", 1)).lines).toEqual([]);
    await guest.engine.workflows.disable("greet");
    expect(await codeOfRejection(owner.engine.start("greet"))).toBe("WORKFLOW_DISABLED");
    expect(await codeOfRejection(guest.engine.start("greet"))).toBe("WORKFLOW_DISABLED");
  });
});
