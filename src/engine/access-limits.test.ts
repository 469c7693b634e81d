import { describe, expect, test } from "vitest";
import type { Asker } from "../access/permission.ts";
import { codeOfRejection, createWorld } from "../testing/engine.ts";
import type { Engine, UserEngine } from "./engine.ts";

const hour = 3_600_000;
const tools = { log: () => "logged" };
const oneStep = { start: { tool: "log", done: true } };
const gate = { start: { gate: {}, done: true } };

/** As a program without types calls it. */
function enter(engine: Engine, who: unknown): UserEngine {
  return engine.as(who as Asker);
}

function codeOf(act: () => unknown): unknown {
  try {
    act();
    return "none";
  } catch (error) {
    return error instanceof Error && "code" in error ? error.code : error;
  }
}

describe("the door for users", () => {
  const scoped = { user: "ann", via: null, scopes: null };
  test.each<[string, unknown]>([
    ["nobody", null],
    ["nothing", undefined],
    ["an empty name", ""],
    ["a name that is none", "a b"],
    ["a group", "group:staff"],
    ["a number", 7],
    ["the program itself", "local"],
    ["the program itself without a token", { ...scoped, user: "local" }],
    ["a user without scopes", { user: "ann" }],
    ["a user whose scopes are left out", { user: "ann", via: "tok_1" }],
    ["scopes that are no list", { ...scoped, scopes: "130001" }],
    ["scopes that are no texts", { ...scoped, scopes: [1] }],
    ["a way that is no text", { ...scoped, via: 7 }],
    ["no user", { via: null, scopes: null }],
    ["a user that is no text", { ...scoped, user: ["local"] }],
  ])("is closed to %s", async (_, who) => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    expect(codeOf(() => enter(engine, who))).toBe("NOT_ALLOWED");
  });

  test("is open to users, and to whoever a token has shown", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    await engine.access.save("ann", { keys: ["130001"] });
    const { text } = await engine.access.tokens.create({ user: "local", name: "robot" });
    const asker = await engine.access.tokens.check(text);
    expect(asker).not.toBeNull();
    expect(await enter(engine, asker).list()).toEqual([]);
    expect(await engine.as("ann").list()).toEqual([]);
  });

  test("is not changed afterwards by who was let in", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    await engine.access.save("ann", { keys: ["130001.read"] });
    const asker = { user: "ann", via: null, scopes: null };
    const ann = engine.as(asker);
    asker.user = "local";
    expect(await codeOfRejection(ann.start(gate))).toBe("NOT_ALLOWED");
  });
});

describe("a token", () => {
  test.each<[string, unknown]>([
    ["a date that is none", new Date("31/12/2026")],
    ["no number", Number.NaN],
    ["no end", Number.POSITIVE_INFINITY],
    ["an instant that is over", "2020-01-01"],
    ["a text that is none", "some day"],
  ])("is not made with %s as its end", async (_, expiresAt) => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    const made = engine.access.tokens.create({ user: "ann", name: "robot", expiresAt: expiresAt as Date });
    expect(await codeOfRejection(made)).toBe("INPUT_INVALID");
    expect(await engine.access.tokens.list()).toEqual([]);
  });

  test("ends at a number, a date or a text alike", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    const at = world.clock.now() + hour;
    for (const expiresAt of [at, new Date(at), new Date(at).toISOString()]) {
      const made = await engine.access.tokens.create({ user: "ann", name: "robot", expiresAt });
      expect(made.expiresAt).toBe(at);
    }
    expect((await engine.access.tokens.create({ user: "ann", name: "robot" })).expiresAt).toBeNull();
  });

  test.each([undefined, null, 7, {}])("is not %j", async (text) => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    expect(await engine.access.tokens.check(text as string)).toBeNull();
  });

  test("that has gone lets its runs call nothing, even when its user is there again", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools });
    await engine.access.save("ann", { keys: ["130001", "tool:*"] });
    const { text } = await engine.access.tokens.create({ user: "ann", name: "robot", scopes: ["130001", "tool:*"] });
    const robot = enter(engine, await engine.access.tokens.check(text));
    const { id } = await robot.start({ start: { wait: "1h", next: "work" }, work: { tool: "log", done: true } });
    await engine.access.remove("ann");
    await engine.access.save("ann", { keys: ["130001", "tool:*"] });
    await world.clock.advance(hour);
    expect((await engine.result(id)).error?.code).toBe("not_allowed");
    expect(await codeOfRejection(robot.start(oneStep))).toBe("NOT_ALLOWED");
  });
});

describe("scopes", () => {
  test("that no token keeps start no run, since the run could not keep to them", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools });
    await engine.access.save("cat", { keys: ["130001", "tool:*"] });
    await engine.access.save("dan", { keys: ["130001", "tool:*"] });
    const scopes = ["130001.start", "130001.read"];
    const { id: via } = await engine.access.tokens.create({ user: "cat", name: "robot" });
    const { id: done } = await engine.start(oneStep);
    await engine.result(done);
    for (const asker of [
      { user: "cat", via: "oauth:7", scopes },
      { user: "cat", via: null, scopes },
      { user: "cat", via: "tok_none", scopes },
      { user: "cat", via, scopes },
      { user: "dan", via, scopes: null },
    ]) {
      const visitor = engine.as(asker);
      expect((await visitor.get(done)).status).toBe("completed");
      expect(await codeOfRejection(visitor.start(oneStep))).toBe("NOT_ALLOWED");
      expect(await codeOfRejection(visitor.rerun(done))).toBe("NOT_ALLOWED");
    }
  });

  test("hold in a store that knows nobody as well", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools });
    const visitor = engine.as({ user: "cat", via: null, scopes: ["130001.start"] });
    expect(await codeOfRejection(visitor.start(oneStep))).toBe("NOT_ALLOWED");
  });
});

describe("a run that the program runs again", () => {
  test("stays its creator's, with the limits of the token", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools });
    await engine.access.save("ann", { keys: ["130001", "tool:*"] });
    const { text } = await engine.access.tokens.create({ user: "ann", name: "robot", scopes: ["130001"] });
    const { id } = await enter(engine, await engine.access.tokens.check(text)).start(oneStep);
    const { createdVia } = await engine.get(id);
    expect((await engine.result(id)).error?.code).toBe("not_allowed");
    for (const again of [await engine.retry(id), await engine.rerun(id), await engine.fork(id, { input: {} })]) {
      expect((await engine.result(again.id)).error?.code).toBe("not_allowed");
      expect(await engine.get(again.id)).toMatchObject({ createdBy: "ann", createdVia });
    }
  });

  test("does so even when its creator may not start any more, and belongs to whom it names otherwise", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools });
    await engine.access.save("ann", { keys: ["130001"] });
    await engine.access.save("bob", { keys: ["130001", "tool:*"] });
    const { id } = await engine.as("ann").start(oneStep);
    await engine.result(id);
    await engine.access.revoke("ann", "130001");
    expect((await engine.get((await engine.retry(id)).id)).createdBy).toBe("ann");
    expect((await engine.get((await engine.as("bob").retry(id)).id)).createdBy).toBe("bob");
    expect((await engine.get((await engine.retry(id, { by: "local" })).id)).createdBy).toBe("local");
    expect(await codeOfRejection(engine.retry(1))).toBe("RUN_NOT_FOUND");
  });
});

describe("reading", () => {
  test("one's own runs is not reading workflows, tools or breakers", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools });
    await engine.save(oneStep, { name: "plan" });
    await engine.access.save("ann", { keys: ["130001.read.own"] });
    await engine.access.save("bob", { keys: ["130001.read"] });
    const [ann, bob] = [engine.as("ann"), engine.as("bob")];
    for (const read of [
      (user: UserEngine) => user.workflows.list(),
      (user: UserEngine) => user.workflows.get("plan"),
      (user: UserEngine) => user.tools.list(),
      (user: UserEngine) => user.breakers.list(),
    ]) {
      expect(await codeOfRejection(read(ann))).toBe("NOT_ALLOWED");
      expect(await codeOfRejection(read(bob))).toBe("none");
    }
    expect(await ann.list()).toEqual([]);
  });

  test("goes on only as long as the right is there", async () => {
    await using world = createWorld("memory");
    const { engine, row } = await world.open({ tools });
    await engine.access.save("bob", { keys: ["130001.read"] });
    const { id } = await engine.start({ start: { gate: {}, next: "work" }, work: { tool: "log", done: true } });
    const changes = engine.as("bob").watch(id);
    expect((await changes.next()).value).toMatchObject({ name: "start" });
    expect((await changes.next()).value).toMatchObject({ step: null });
    const next = codeOfRejection(changes.next());
    await engine.access.revoke("bob", "130001.read");
    await engine.approve((await row(id, "start")).id);
    await engine.result(id);
    expect(await next).toBe("NOT_ALLOWED");
  });
});
