import { describe, expect, test } from "vitest";
import { codeOfRejection, createDesk, createWorld } from "../testing/engine.ts";
import { readBytes } from "../testing/database-bytes.ts";
import type { Access } from "./access.ts";
import { systemClock } from "./clock.ts";

const hour = 3_600_000;
const log = { log: () => "logged" };
const oneStep = { start: { tool: "log", done: true } };
const gate = { start: { gate: {}, done: true } };

async function wordsOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => "nothing",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

describe("a user", () => {
  test("E3-23: starts, sees and cancels with 130001, whatever name the request gives", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools: log });
    await engine.access.save("ann", { keys: ["130001", "tool:log"] });
    const ann = engine.as("ann");
    const done = await ann.start(oneStep, { as: "bob" });
    expect(await ann.result(done.id)).toMatchObject({ status: "completed", output: "logged" });
    const { id } = await ann.start(gate, { as: "local" });
    expect((await ann.get(id)).createdBy).toBe("ann");
    await ann.cancel(id, { by: "bob" });
    const told = (await ann.history(id)).flatMap((entry) =>
      entry.kind === "event" ? [`${entry.event} by ${entry.by}`] : [],
    );
    expect(told).toEqual(["cancelled by ann"]);
    expect((await ann.list({ status: "all" })).map(({ run }) => run.createdBy)).toEqual(["ann", "ann"]);
  });

  test("in whose name the program acts is checked like any other", async () => {
    await using world = createWorld("memory");
    const { engine, row } = await world.open({ tools: log });
    await engine.access.save("ann", { keys: ["130001.start"] });
    const { id } = await engine.start(gate, { as: "ann" });
    const step = (await row(id, "start")).id;
    expect(await codeOfRejection(engine.start(gate, { as: "eve" }))).toBe("NOT_ALLOWED");
    expect(await codeOfRejection(engine.approve(step, { by: "ann" }))).toBe("NOT_ALLOWED");
    await engine.approve(step);
    expect((await engine.get(id)).status).toBe("completed");
  });
});

describe("a step", () => {
  test("E0-27: is called with the rights of who started the run, also under the tool's short name", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools: { "feed.fetch": () => "items", "file.write": () => "written" } });
    await engine.access.save("ann", { keys: ["130001", "tool:feed.*"] });
    const flow = { start: { tool: "fetch", next: "keep" }, keep: { tool: "write", done: true } };
    const { id } = await engine.as("ann").start(flow);
    expect(await engine.result(id)).toMatchObject({
      status: "failed",
      error: {
        code: "not_allowed",
        message:
          '"ann", who started the run, may not call the tool "file.write": the permission tool:file.write is missing.',
      },
    });
    expect((await engine.get(id)).steps.map(({ name, status }) => `${name} ${status}`)).toEqual([
      "start done",
      "keep failed",
    ]);
  });

  test("E0-27: fails at its next call when the creator has lost the right, and is not tried again", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine, steps } = await world.open({ tools: { work: desk.call } });
    await engine.access.save("ann", { groups: ["staff"], keys: ["130001"] });
    await engine.access.save("group:staff", { keys: ["tool:*"] });
    const { id } = await engine.as("ann").start({
      start: { tool: "work", next: "again" },
      again: { tool: "work", retry: { attempts: 5 }, done: true },
    });
    await world.settle();
    await engine.access.revoke("group:staff", "tool:*");
    desk.last().done();
    expect((await engine.result(id)).error?.message).toContain("the permission tool:work is missing");
    expect(desk.calls).toHaveLength(1);
    expect(await steps(id)).toBe("start done, again failed");
  });

  test("E0-27: of a sub-flow, and one that is tried again, is checked too", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine } = await world.open({
      tools: { work: desk.call },
      flows: { child: { start: { tool: "work", done: true } } },
    });
    await engine.access.save("ann", { keys: ["130001", "tool:work"] });
    const { id } = await engine.as("ann").start({ start: { flow: "child", done: true } });
    await world.settle();
    desk.last().fail(new Error("no luck"));
    await world.settle();
    await engine.access.remove("ann");
    await world.clock.advance(hour);
    expect((await engine.result(id)).status).toBe("failed");
    expect(desk.calls).toHaveLength(1);
  });

  test("E0-27: goes by its error route when it is refused", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools: log });
    await engine.access.save("ann", { keys: ["130001"] });
    const flow = {
      start: { tool: "log", routes: { error: "told" }, done: true },
      told: { set: { why: "{{ previous.error.code }}" }, done: true },
    };
    const { id } = await engine.as("ann").start(flow);
    expect(await engine.result(id)).toMatchObject({ status: "completed", output: { why: "not_allowed" } });
  });

  test("E0-27: the right holds after a restart as before", async () => {
    await using world = createWorld("file");
    const first = await world.open({ tools: log });
    await first.engine.access.save("ann", { keys: ["130001"] });
    const { id } = await first.engine
      .as("ann")
      .start({ start: { wait: "1h", next: "work" }, work: { tool: "log", done: true } });
    await first.crash();
    const second = await world.open({ tools: log });
    await world.clock.advance(hour);
    expect((await second.engine.result(id)).error?.code).toBe("not_allowed");
  });
});

describe("a gate", () => {
  const asking = { start: { gate: { approvers: ["group:finance", "user:cy"], need: 2 }, done: true } };

  test("is answered by who is in its groups, and by nobody else", async () => {
    await using world = createWorld("memory");
    const { engine, row } = await world.open();
    for (const user of ["ann", "bob", "cy"]) await engine.access.save(user, { keys: ["130001"] });
    await engine.access.save("ann", { groups: ["group:finance"], keys: ["130001"] });
    const { id } = await engine.start(asking);
    const step = (await row(id, "start")).id;
    expect(await codeOfRejection(engine.as("bob").approve(step))).toBe("NOT_ALLOWED");
    expect(await wordsOf(engine.as("bob").ready(step))).toBe('"bob" may not answer "start".');
    await engine.as("ann").approve(step);
    await engine.as("cy").ready(step);
    expect((await engine.get(id)).status).toBe("completed");
  });

  test("without self-approval excludes the token that started the run", async () => {
    await using world = createWorld("memory");
    const { engine, row } = await world.open();
    await engine.access.save("ann", { keys: ["130001"] });
    const { text } = await engine.access.tokens.create({ user: "ann", name: "robot" });
    const asker = await engine.access.tokens.check(text);
    if (asker === null) throw new Error("the token was not found");
    const { id } = await engine.as(asker).start({ start: { gate: { self_approval: false }, done: true } });
    expect((await engine.get(id)).createdVia).toBe(asker.via);
    expect(await codeOfRejection(engine.as({ ...asker, user: "local" }).approve((await row(id, "start")).id))).toBe(
      "NOT_ALLOWED",
    );
    await engine.approve((await row(id, "start")).id);
    expect((await engine.get(id)).status).toBe("completed");
  });
});

describe("principals", () => {
  test("are saved, granted, revoked, listed and removed", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    const { access } = engine;
    expect(
      await access.save("ann", { groups: ["staff", "group:staff"], keys: ["130001.read", "130001.read"] }),
    ).toEqual({
      id: "user:ann",
      groups: ["staff"],
      keys: ["130001.read"],
    });
    await access.save("group:staff");
    expect((await access.grant("group:staff", "tool:*")).keys).toEqual(["tool:*"]);
    expect((await access.grant("ann", "130001.read")).keys).toEqual(["130001.read"]);
    expect((await access.revoke("ann", "130001.read")).keys).toEqual([]);
    const program = { id: "user:local", groups: [], keys: ["130001", "tool:*"] };
    expect(await access.list()).toEqual([
      { id: "group:staff", groups: [], keys: ["tool:*"] },
      { id: "user:ann", groups: ["staff"], keys: [] },
      program,
    ]);
    await access.remove("group:staff");
    expect(await access.list()).toEqual([{ id: "user:ann", groups: [], keys: [] }, program]);
  });

  test("that have gone leave the store closed, until the program itself is removed as the last", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    await engine.access.save("ann", { keys: ["130001"] });
    expect(await codeOfRejection(engine.access.remove("local"))).toBe("REFUSED");
    await engine.access.remove("ann");
    expect(await codeOfRejection(engine.as("ann").start(gate))).toBe("NOT_ALLOWED");
    await engine.access.remove("local");
    expect(await codeOfRejection(engine.as("ann").start(gate))).toBe("none");
  });

  test.each([
    ["a name with a blank", (access: Access) => access.save("a b"), "is no name of a user"],
    ["the program itself", (access: Access) => access.save("local"), "is the program itself"],
    ["less for the program itself", (access: Access) => access.revoke("local", "130001"), "is the program itself"],
    [
      "a key that is none",
      (access: Access) => access.save("ann", { keys: ["130001.raed"] }),
      'Did you mean "130001.read"?',
    ],
    ["a group in a group", (access: Access) => access.save("group:a", { groups: ["b"] }), "groups hold users"],
    ["a grant to nobody", (access: Access) => access.grant("nobody", "130001"), "There is no user:nobody"],
    ["a revoked key that was not there", (access: Access) => access.revoke("bob", "130001"), "was not granted 130001"],
    [
      "a token for nobody",
      (access: Access) => access.tokens.create({ user: "nobody", name: "x" }),
      "There is no user:nobody",
    ],
    ["a token that is none", (access: Access) => access.tokens.revoke("tok_none"), "There is no token"],
  ])("%s is refused with a sentence", async (_, attempt, words) => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    await engine.access.save("bob");
    expect(await wordsOf(attempt(engine.access))).toContain(words);
  });

  test("outlive the engine, and hold for a guest as well", async () => {
    await using world = createWorld("file");
    const first = await world.open({ clock: systemClock });
    await first.engine.access.save("ann", { keys: ["130001"] });
    await first.engine.stop();
    const { engine: owner } = await world.open({ clock: systemClock });
    const { engine: guest } = await world.open({ clock: systemClock });
    const { id } = await guest.as("ann").start(gate);
    expect((await owner.get(id)).createdBy).toBe("ann");
    await guest.access.revoke("ann", "130001");
    expect(await codeOfRejection(owner.as("ann").get(id))).toBe("NOT_ALLOWED");
  });
});

describe("a token", () => {
  test("stands for its user, within its scopes, also in the runs that it starts", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools: { ...log, other: () => "other" } });
    await engine.access.save("ann", { keys: ["130001", "tool:*"] });
    const scopes = ["130001.start", "tool:log"];
    const { text, id, ...shown } = await engine.access.tokens.create({ user: "ann", name: "robot", scopes });
    expect(text).toMatch(/^swk_/);
    expect(shown).toMatchObject({ user: "ann", name: "robot", scopes, lastUsedAt: null, revokedAt: null });
    expect(JSON.stringify(await engine.access.tokens.list())).not.toContain(text);
    const asker = await engine.access.tokens.check(text);
    expect(asker).toEqual({ user: "ann", via: id, scopes });
    if (asker === null) return;
    const robot = engine.as(asker);
    expect((await engine.result((await robot.start(oneStep)).id)).status).toBe("completed");
    const { id: other } = await robot.start({ start: { tool: "other", done: true } });
    expect((await engine.result(other)).error?.message).toBe(
      'The token that started the run for "ann" is not for the tool "other": it lacks tool:other.',
    );
    expect(await codeOfRejection(robot.retry(other))).toBe("NOT_ALLOWED");
    expect(await codeOfRejection(robot.list())).toBe("NOT_ALLOWED");
    expect(await codeOfRejection(robot.access.tokens.create({ user: "ann", name: "more" }))).toBe("NOT_ALLOWED");
  });

  test("keeps to its scopes when a run is tried again", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools: log });
    await engine.access.save("ann", { keys: ["130001", "tool:*"] });
    const { text } = await engine.access.tokens.create({ user: "ann", name: "robot", scopes: ["130001"] });
    const robot = engine.as((await engine.access.tokens.check(text)) ?? "nobody");
    const first = await robot.start(oneStep);
    expect((await engine.result(first.id)).status).toBe("failed");
    const second = await robot.retry(first.id);
    expect((await engine.result(second.id)).error?.code).toBe("not_allowed");
    const third = await engine.retry(first.id, { by: "ann" });
    expect((await engine.result(third.id)).status).toBe("completed");
  });

  test("is good until it expires, is revoked, or its user goes", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    const { tokens } = engine.access;
    await engine.access.save("ann", { keys: ["130001"] });
    const expiresAt = world.clock.now() + hour;
    const [short, revoked, lasting] = [
      await tokens.create({ user: "ann", name: "short", expiresAt }),
      await tokens.create({ user: "ann", name: "revoked" }),
      await tokens.create({ user: "ann", name: "lasting" }),
    ];
    expect((await tokens.check(short.text))?.via).toBe(short.id);
    await tokens.revoke(revoked.id);
    await tokens.revoke(revoked.id);
    await world.clock.advance(hour);
    expect(await tokens.check(short.text)).toBeNull();
    expect(await tokens.check(revoked.text)).toBeNull();
    expect(await tokens.check("swk_nothing")).toBeNull();
    expect((await tokens.check(lasting.text))?.user).toBe("ann");
    await engine.access.remove("ann");
    await engine.access.save("ann", { keys: ["130001"] });
    expect(await tokens.check(lasting.text)).toBeNull();
    expect(await tokens.list()).toEqual([]);
  });

  test("is not written at each use", async () => {
    await using world = createWorld("memory");
    const { engine, store } = await world.open();
    const { text } = await engine.access.tokens.create({ user: "ann", name: "robot" });
    await engine.access.tokens.check(text);
    await world.settle();
    const usedAt = world.clock.now();
    const written = store.batches.length;
    for (let use = 0; use < 10; use++) await engine.access.tokens.check(text);
    await world.settle();
    expect(store.batches).toHaveLength(written);
    await world.clock.advance(hour);
    await engine.access.tokens.check(text);
    await world.settle();
    expect((await engine.access.tokens.list())[0]?.lastUsedAt).toBe(usedAt + hour);
  });

  test("is nowhere in the file", async () => {
    await using world = createWorld("file");
    const { engine: owner } = await world.open({ clock: systemClock });
    const { engine: guest } = await world.open({ clock: systemClock });
    const made = [
      await owner.access.tokens.create({ user: "ann", name: "one" }),
      await guest.access.tokens.create({ user: "ann", name: "two" }),
    ];
    expect((await guest.access.tokens.check(made[1]?.text ?? ""))?.user).toBe("ann");
    const bytes = await readBytes(world.address);
    expect(bytes.includes("two")).toBe(true);
    for (const { text } of made) expect(bytes.includes(text)).toBe(false);
  });
});
