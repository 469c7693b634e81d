import { describe, expect, test } from "vitest";
import { createWorld } from "../testing/engine.ts";
import { StepwellError } from "../error.ts";
import type { Engine } from "./engine.ts";

const lastAdmin = { code: "last_admin" };

async function refusalOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => "done",
    (error: unknown) => (error instanceof StepwellError ? error.details : error),
  );
}

async function openWithAnn(world: ReturnType<typeof createWorld>): Promise<Engine> {
  const { engine } = await world.open({ tools: {} });
  await engine.access.save("ann", {
    keys: ["130001"],
    password: "correct horse",
  });
  return engine;
}

describe("the last one who can come in and say who may do what", () => {
  test("does not take it away from themselves: not the key, not the password, not the user", async () => {
    await using world = createWorld("memory");
    const engine = await openWithAnn(world);
    const { access } = engine.as("ann");
    expect(await refusalOf(access.save("ann", { keys: ["130001.read"] }))).toEqual(lastAdmin);
    expect(await refusalOf(access.revoke("ann", "130001"))).toEqual(lastAdmin);
    expect(await refusalOf(access.setPassword("ann", null))).toEqual(lastAdmin);
    expect(await refusalOf(access.remove("ann"))).toEqual(lastAdmin);
    expect(await access.list()).toContainEqual({
      id: "user:ann",
      groups: [],
      keys: ["130001"],
    });
    expect((await engine.access.sessions.open("ann", "correct horse")).user).toBe("ann");
  });

  test("does not take it from the group that they have it by", async () => {
    await using world = createWorld("memory");
    const engine = await openWithAnn(world);
    await engine.access.save("group:heads", { keys: ["130001.admin"] });
    await engine.access.save("ann", { groups: ["heads"] });
    const { access } = engine.as("ann");
    expect(await refusalOf(access.revoke("group:heads", "130001.admin"))).toEqual(lastAdmin);
    expect(await refusalOf(access.remove("group:heads"))).toEqual(lastAdmin);
    expect(await refusalOf(access.save("ann", { keys: ["130001.admin"] }))).toBe("done");
    expect(await refusalOf(access.remove("group:heads"))).toBe("done");
  });

  test("may go once another one has the key and a password or a good token for it", async () => {
    await using world = createWorld("memory");
    const engine = await openWithAnn(world);
    const { access } = engine.as("ann");
    await access.save("bob", { keys: ["130001.admin"] });
    await access.tokens.create({
      user: "bob",
      name: "reader",
      scopes: ["read"],
    });
    await access.tokens.create({
      user: "bob",
      name: "short",
      expiresAt: world.clock.now() + 1000,
    });
    await world.clock.advance(2000);
    expect(await refusalOf(access.remove("ann"))).toEqual(lastAdmin);
    const { id } = await access.tokens.create({ user: "bob", name: "all" });
    expect(await refusalOf(access.setPassword("ann", null))).toBe("done");
    expect(await refusalOf(access.tokens.revoke(id))).toEqual(lastAdmin);
    expect(await refusalOf(access.remove("ann"))).toBe("done");
  });

  test("the program itself does as it likes, and so does who comes by a door of its own", async () => {
    await using world = createWorld("memory");
    const engine = await openWithAnn(world);
    expect(await refusalOf(engine.access.setPassword("ann", null))).toBe("done");
    expect(await refusalOf(engine.as("ann").access.save("ann", { keys: ["130001.read"] }))).toBe("done");
  });
});
