import { describe, expect, test } from "vitest";
import { readBytes } from "../testing/database-bytes.ts";
import { codeOfRejection, createWorld, type World } from "../testing/engine.ts";
import { systemClock } from "./clock.ts";
import type { Engine } from "./engine.ts";

const hour = 3_600_000;
const password = "correct horse";

async function openWithAnn(world: World): Promise<Engine> {
  const { engine } = await world.open();
  await engine.access.save("ann", { keys: ["130001.read"], password });
  return engine;
}

describe("a session", () => {
  test("lets its user in with their rights, until it is closed", async () => {
    await using world = createWorld("memory");
    const { access } = await openWithAnn(world);
    const { text, user, expiresAt } = await access.sessions.open("ann", password);
    expect([user, expiresAt - world.clock.now()]).toEqual(["ann", 12 * hour]);
    const asker = await access.sessions.check(text);
    expect(asker).toEqual({ user: "ann", via: "session", scopes: null });
    expect(asker && (await access.rightsOf(asker))).toEqual(["read"]);
    for (const wrong of ["", "sws_", `${text}x`, text.slice(0, -1)])
      expect(await access.sessions.check(wrong)).toBeNull();
    await access.sessions.close(text);
    await access.sessions.close(text);
    expect(await access.sessions.check(text)).toBeNull();
  });

  test("is refused in the same words to who is not known and to who has another password", async () => {
    await using world = createWorld("memory");
    const engine = await openWithAnn(world);
    await engine.access.save("bob");
    await engine.access.save("group:staff");
    for (const user of ["ann", "bob", "eve", "local", "staff", "user:ann", ""])
      await expect(engine.access.sessions.open(user, "wrong horse")).rejects.toMatchObject({
        code: "NOT_LOGGED_IN",
        message: "The user or the password is wrong.",
      });
  });

  test("lasts for half a day unused, and for a week at most; its use is not written each time", async () => {
    await using world = createWorld("memory", { duties: "once" });
    const { engine, store } = await world.open();
    await engine.access.save("ann", { password });
    const { sessions } = engine.access;
    const [idle, used] = [await sessions.open("ann", password), await sessions.open("ann", password)];
    const written = store.batches.length;
    for (let use = 0; use < 5; use++) await sessions.check(used.text);
    await world.settle();
    expect(store.batches).toHaveLength(written);
    let days = 0;
    for (; days < 20 && (await sessions.check(used.text)) !== null; days += 0.25) await world.clock.advance(6 * hour);
    expect(days).toBe(7);
    expect(await sessions.check(idle.text)).toBeNull();
    await sessions.open("ann", password);
    expect(await store.store.listEntries("session")).toHaveLength(1);
  });

  test("W15: ends with the password, and with its user", async () => {
    await using world = createWorld("memory");
    const { access } = await openWithAnn(world);
    await access.save("bob", { password: "another horse" });
    const open = async (user: string, word: string): Promise<string> => (await access.sessions.open(user, word)).text;
    const [first, bobs] = [await open("ann", password), await open("bob", "another horse")];
    await access.setPassword("ann", "battery staple");
    expect(await access.sessions.check(first)).toBeNull();
    expect(await codeOfRejection(open("ann", password))).toBe("NOT_LOGGED_IN");
    const second = await open("ann", "battery staple");
    await access.sessions.closeAll("ann");
    expect(await access.sessions.check(second)).toBeNull();
    const third = await open("ann", "battery staple");
    await access.remove("ann");
    await access.save("ann");
    expect(await access.sessions.check(third)).toBeNull();
    expect(await codeOfRejection(open("ann", "battery staple"))).toBe("NOT_LOGGED_IN");
    expect((await access.sessions.check(bobs))?.user).toBe("bob");
    await access.setPassword("bob", null);
    expect(await access.sessions.check(bobs)).toBeNull();
  });

  test("is not opened by a password that was changed while it was looked at", async () => {
    await using world = createWorld("memory");
    const { access } = await openWithAnn(world);
    const [opened] = await Promise.all([
      codeOfRejection(access.sessions.open("ann", password)),
      access.setPassword("ann", null),
    ]);
    expect(opened).toBe("NOT_LOGGED_IN");
  });

  test("and its password are nowhere in the file, and in no list", async () => {
    await using world = createWorld("file");
    const { engine: owner } = await world.open({ clock: systemClock });
    const { engine: guest } = await world.open({ clock: systemClock });
    await guest.access.save("ann", { keys: ["130001"], password });
    await guest.access.setPassword("ann", "battery staple");
    const { text } = await guest.access.sessions.open("ann", "battery staple");
    expect((await owner.access.sessions.check(text))?.user).toBe("ann");
    const bytes = await readBytes(world.address);
    expect(bytes.includes("scrypt$32768$8$1$")).toBe(true);
    for (const secret of [text, password, "battery staple"]) expect(bytes.includes(secret)).toBe(false);
    expect(JSON.stringify(await owner.access.list())).not.toContain("scrypt");
  });
});

test("a password is for users that are there, not for groups or the program", async () => {
  await using world = createWorld("memory");
  const { access } = await openWithAnn(world);
  await access.save("group:staff");
  expect(await codeOfRejection(access.setPassword("eve", password))).toBe("PRINCIPAL_NOT_FOUND");
  expect(await codeOfRejection(access.setPassword("group:staff", password))).toBe("INPUT_INVALID");
  expect(await codeOfRejection(access.save("group:cooks", { password }))).toBe("INPUT_INVALID");
  expect(await codeOfRejection(access.setPassword("local", password))).toBe("INPUT_INVALID");
  expect(await codeOfRejection(access.setPassword("ann", "short"))).toBe("INPUT_INVALID");
  await access.setPassword("ann", null);
  await access.setPassword("ann", null);
});

test("a token that is limited in a word keeps to the keys that it stands for", async () => {
  await using world = createWorld("memory");
  const { engine } = await world.open({ tools: { log: () => "logged" } });
  await engine.access.save("ann", { keys: ["130001", "tool:*"] });
  const { text, scopes } = await engine.access.tokens.create({ user: "ann", name: "robot", scopes: ["run"] });
  expect(scopes?.join(" ")).toBe("130001.read 130001.start 130001.signal 130001.cancel 130001.operate tool:*");
  const robot = engine.as((await engine.access.tokens.check(text)) ?? "nobody");
  const { id } = await robot.start({ start: { tool: "log", done: true } });
  expect((await robot.result(id)).status).toBe("completed");
  expect(await codeOfRejection(robot.workflows.save({ start: { tool: "log", done: true } }))).toBe("NOT_ALLOWED");
  await expect(engine.access.tokens.create({ user: "ann", name: "x", scopes: ["reed"] })).rejects.toThrow(
    "A token may also be for read, run, approve, save, admin.",
  );
});
