import { chmodSync, existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { KeyRing } from "../access/key-ring.ts";
import { createSecretKey } from "../access/seal.ts";
import type { Json, JsonObject } from "../flow/json.ts";
import { codeOfRejection, createWorld, type OpenedEngine } from "../testing/engine.ts";
import { createToolBox } from "../tool/registry.ts";
import { Caller } from "./caller.ts";
import { systemClock } from "./clock.ts";
import { Entries } from "./entries.ts";
import { SecretVault } from "./secret-vault.ts";
import type { Secrets } from "./secrets.ts";

const flow = { start: { tool: "use", args: { key: "Bearer {{ secrets.API_KEY }}" }, done: true } };

/** What the tool was given, newest last. */
function createUser(): { readonly given: Json[]; readonly use: (input: JsonObject) => Json } {
  const given: Json[] = [];
  return { given, use: (input) => given.push(input) };
}

async function failureOf({ engine }: OpenedEngine): Promise<Json | undefined> {
  const { id } = await engine.start(flow);
  const { error } = await engine.result(id);
  return error === null ? undefined : `${error.code}: ${error.message}`;
}

describe("a secret", () => {
  test("is given to the tool and kept as a placeholder", async () => {
    await using world = createWorld("memory");
    const { given, use } = createUser();
    const { engine, row } = await world.open({ tools: { use } });
    await engine.secrets.set("API_KEY", "first value");
    const { id } = await engine.start(flow);
    await engine.result(id);
    await engine.secrets.set("API_KEY", "second value");
    await engine.result((await engine.start(flow)).id);
    expect(given).toEqual([{ key: "Bearer first value" }, { key: "Bearer second value" }]);
    expect((await row(id, "start")).args).toEqual({ key: "Bearer {{ secrets.API_KEY }}" });
  });

  test("that is missing fails its step before the call, once", async () => {
    await using world = createWorld("memory");
    const { given, use } = createUser();
    const opened = await world.open({ tools: { use } });
    expect(await failureOf(opened)).toBe('secret_missing: The secret "API_KEY" is not there; nothing was called.');
    await opened.engine.secrets.set("API_KEY", "value");
    await opened.engine.secrets.remove("API_KEY");
    expect(await failureOf(opened)).toContain("secret_missing");
    expect(given).toEqual([]);
    expect(await codeOfRejection(opened.engine.secrets.remove("API_KEY"))).toBe("SECRET_NOT_FOUND");
  });

  test("that is missing is a warning of the start, and of the save", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools: { use: () => null } });
    const warning = 'There is no secret "API_KEY" yet. Without it the step fails before its call.';
    expect((await engine.start(flow)).warnings).toEqual([warning]);
    expect((await engine.save(flow, { name: "keyed" })).warnings).toEqual([warning]);
    await engine.secrets.set("API_KEY", "value");
    expect((await engine.start(flow)).warnings).toEqual([]);
    expect((await engine.start("keyed")).warnings).toEqual([]);
  });

  test("is listed by its name and times only", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    const createdAt = world.clock.now();
    await engine.secrets.set("B_KEY", "value");
    await engine.secrets.set("A_KEY", "value");
    await world.clock.advance(1000);
    await engine.secrets.set("B_KEY", "other");
    expect(await engine.secrets.list()).toEqual([
      { name: "A_KEY", createdAt, updatedAt: createdAt },
      { name: "B_KEY", createdAt, updatedAt: createdAt + 1000 },
    ]);
  });

  test.each([
    ["too short", (secrets: Secrets) => secrets.set("KEY", "abc")],
    ["all blanks", (secrets: Secrets) => secrets.set("KEY", "      ")],
    ["too long", (secrets: Secrets) => secrets.set("KEY", "x".repeat(32_769))],
    ["half a sign", (secrets: Secrets) => secrets.set("KEY", "half \uD83D sign")],
    ["under no name", (secrets: Secrets) => secrets.set("", "value")],
    ["under a name with a bracket", (secrets: Secrets) => secrets.set("A]", "value")],
  ])("%s is refused", async (_, attempt) => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    expect(await codeOfRejection(attempt(engine.secrets))).toBe("INPUT_INVALID");
    expect(await engine.secrets.list()).toEqual([]);
  });

  test("is masked in what any tool says, also after a restart and before anybody has used it", async () => {
    await using world = createWorld("file");
    const first = await world.open();
    await first.engine.secrets.set("API_KEY", "hidden-value");
    await first.crash();
    const { engine } = await world.open({ tools: { leak: () => "it is hidden-value" } });
    const { id } = await engine.start({ start: { tool: "leak", done: true } });
    expect((await engine.result(id)).output).toBe("it is [secret API_KEY]");
  });

  test("is masked in what a tool logs and in how far it says it is", async () => {
    await using world = createWorld("file");
    const { engine, store } = await world.open();
    await engine.secrets.set("API_KEY", "hidden-value");
    const told: Json[] = [];
    const clock = systemClock;
    const entries = new Entries({ store: store.store, clock, write: () => Promise.resolve() });
    await entries.load(["secret"]);
    const secrets = new SecretVault(entries, new KeyRing({ given: undefined, path: `${world.path}-key` }));
    const tools = createToolBox({
      chat: ({ key }: { key: string }, { log, progress }) => {
        log(`key ${key}`);
        log(`${"x".repeat(1990)}${key}`);
        progress(0.5, key);
        progress(1);
      },
    });
    const ignore = (): void => {};
    const events = { settled: ignore, answered: ignore, over: ignore, overdue: ignore };
    const longCalls = {
      alive: () => Promise.resolve(),
      question: () => Promise.resolve({ kind: "cancelled" } as const),
    };
    const caller = new Caller(
      { tools, clock, secrets },
      {
        ...events,
        ...longCalls,
        logged: (_run, _row, message) => void told.push(message),
        progressed: (_run, _row, progress) => void told.push(progress),
      },
    );
    const places = [{ pointer: "/key", offset: 0, length: 21, name: "API_KEY" }];
    const call = {
      row: 1,
      token: "1.x",
      tool: "chat",
      args: { key: "{{ secrets.API_KEY }}" },
      secrets: places,
    } as const;
    const claimant = { row: 1, tool: "chat", workflow: "flow", user: "local" };
    caller.call({
      run: 1,
      attempt: 1,
      claimant,
      call: { ...call, key: "k", handle: null, timeoutMs: null, effect: "read" },
    });
    expect(told).toEqual([
      "key [secret API_KEY]",
      `${"x".repeat(1990)}[secret API_KEY]…`,
      { fraction: 0.5, message: "[secret API_KEY]" },
      { fraction: 1, message: null },
      // It is over.
      null,
    ]);
  });
});

describe("the key", () => {
  test("lies beside the database, and without it nothing opens", async () => {
    await using world = createWorld("file");
    const { given, use } = createUser();
    const first = await world.open({ tools: { use } });
    expect(existsSync(`${world.path}-key`)).toBe(false);
    await first.engine.secrets.set("API_KEY", "hidden-value");
    await first.crash();
    const second = await world.open({ tools: { use }, secretKey: "11".repeat(32) });
    expect(await failureOf(second)).toMatch(
      /^secret_unreadable: The secret "API_KEY" cannot be opened: the key [0-9a-f]{12} that it was sealed with is not there; nothing was called\.$/,
    );
    await second.crash();
    const third = await world.open({ tools: { use } });
    expect(await failureOf(third)).toBeUndefined();
    expect(given).toEqual([{ key: "Bearer hidden-value" }]);
  });

  test("that others may read is not used, and says so", async () => {
    await using world = createWorld("file");
    const { given, use } = createUser();
    const first = await world.open({ tools: { use } });
    await first.engine.secrets.set("API_KEY", "hidden-value");
    await first.crash();
    chmodSync(`${world.path}-key`, 0o644);
    const opened = await world.open({ tools: { use } });
    expect(await failureOf(opened)).toContain("can be read by others (its mode is 0644)");
    expect(await codeOfRejection(opened.engine.secrets.set("B_KEY", "value"))).toBe("SECRET_KEY_UNUSABLE");
    expect(given).toEqual([]);
  });

  test("of a guest must be the owner's", async () => {
    await using world = createWorld("file");
    await world.open({ clock: systemClock });
    const { engine: guest } = await world.open({ clock: systemClock, secretKey: "22".repeat(32) });
    expect(await codeOfRejection(guest.secrets.set("API_KEY", "value"))).toBe("SECRET_KEY_UNUSABLE");
    expect(await codeOfRejection(guest.secrets.rotate("33".repeat(32)))).toBe("SECRET_KEY_UNUSABLE");
    expect(await guest.secrets.list()).toEqual([]);
  });
});

describe("a new key", () => {
  test("takes the place of the file's, and everything opens as before", async () => {
    await using world = createWorld("file");
    const { given, use } = createUser();
    const first = await world.open({ tools: { use } });
    await first.engine.secrets.set("API_KEY", "hidden-value");
    const before = readFileSync(`${world.path}-key`, "utf8");
    expect(await first.engine.secrets.rotate()).toBe(1);
    expect(await failureOf(first)).toBeUndefined();
    await first.crash();
    const after = readFileSync(`${world.path}-key`, "utf8");
    expect(after.trim().split("\n")).toHaveLength(1);
    expect(after).not.toBe(before);
    expect(await failureOf(await world.open({ tools: { use } }))).toBeUndefined();
    expect(given).toHaveLength(2);
  });

  test("of the environment is used with both keys, then alone", async () => {
    await using world = createWorld("file");
    const { given, use } = createUser();
    const [old, next] = ["aa".repeat(32), "bb".repeat(32)];
    const first = await world.open({ tools: { use }, secretKey: old });
    await first.engine.secrets.set("API_KEY", "hidden-value");
    await first.crash();
    const second = await world.open({ tools: { use }, secretKey: `${next} ${old}` });
    expect(await second.engine.secrets.rotate()).toBe(1);
    await second.crash();
    expect(await failureOf(await world.open({ tools: { use }, secretKey: next }))).toBeUndefined();
    expect(given).toHaveLength(1);
    expect(existsSync(`${world.path}-key`)).toBe(false);
  });

  test("is not taken when something could not be sealed anew, or when it is none", async () => {
    await using world = createWorld("file");
    const first = await world.open({ secretKey: "aa".repeat(32) });
    await first.engine.secrets.set("OLD", "hidden-value");
    await first.crash();
    const { engine } = await world.open();
    await engine.secrets.set("NEW", "other-value");
    const before = readFileSync(`${world.path}-key`, "utf8");
    expect(await codeOfRejection(engine.secrets.rotate())).toBe("SECRET_KEY_UNUSABLE");
    expect(await codeOfRejection(engine.secrets.rotate("password"))).toBe("SECRET_KEY_UNUSABLE");
    expect(readFileSync(`${world.path}-key`, "utf8")).toBe(before);
  });

  test("that was written before a crash leaves both in the file", async () => {
    await using world = createWorld("file");
    const { use } = createUser();
    const first = await world.open({ tools: { use } });
    await first.engine.secrets.set("API_KEY", "hidden-value");
    await first.crash();
    new KeyRing({ given: undefined, path: `${world.path}-key` }).add(createSecretKey());
    expect(await failureOf(await world.open({ tools: { use } }))).toBeUndefined();
  });
});
