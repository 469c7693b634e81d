// Servers that are added while the engine runs: written down as they were given, taken up at once, and gone when removed.

import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openEngine, type EngineOptions, type ServedEngine } from "../../src/open-engine.ts";
import { createApp } from "../../src/server/app.ts";
import { configured, isRunning } from "./servers.ts";

let folder: string;
let store: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stepwell-added-"));
  store = join(folder, "stepwell.db");
});

afterEach(() => rmSync(folder, { recursive: true }));

const open = (more: Partial<EngineOptions> = {}): Promise<ServedEngine> =>
  openEngine({ store, durability: "fast", onProblem: () => {}, ...more });

describe("a server that is added", () => {
  test("is called at once, is there again after a restart, and ends with its removal", async () => {
    {
      await using engine = await open();
      const added = await engine.servers.add("parrot", configured());
      expect(added).toMatchObject({ key: "parrot", status: "ready", isAdded: true, toolCount: 2 });
      expect(await engine.tools.call("parrot.echo", { hello: 1 })).toMatchObject({ result: { hello: 1 } });
      expect((await engine.lock.show()).servers.map(({ key }) => key)).toEqual(["parrot"]);
    }
    await using engine = await open();
    const { result: pid } = await engine.tools.call("parrot.pid", {});
    expect(isRunning(Number(pid))).toBe(true);
    await engine.servers.remove("parrot");
    expect(isRunning(Number(pid))).toBe(false);
    expect(await engine.servers.list()).toEqual([]);
    expect((await engine.tools.list()).filter(({ server }) => server === "parrot")).toEqual([]);
    expect((await engine.lock.show()).servers).toEqual([]);
    expect(existsSync(`${store}-servers.json`)).toBe(false);
  });

  test("stands in a file for nobody else, with its placeholders as they were written", async () => {
    process.env["PARROT_TOKEN"] = "hush-hush-value";
    try {
      await using engine = await open();
      const settings = { ...configured(), env: { ...configured().env, TOKEN: "${PARROT_TOKEN}" } };
      const added = await engine.servers.add("parrot", settings);
      const file = `${store}-servers.json`;
      expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ mcpServers: { parrot: settings } });
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(JSON.stringify([added, await engine.access.audit()])).not.toContain("hush-hush-value");
    } finally {
      delete process.env["PARROT_TOKEN"];
    }
  });

  test("says what it is and how it speaks, and what its program writes, without what was filled in", async () => {
    process.env["PARROT_TOKEN"] = "hush-hush-value";
    try {
      await using engine = await open();
      const { command, args, env } = configured();
      const script = `console.error("listening with " + process.env.TOKEN); await import(${JSON.stringify(args[0])})`;
      const settings = { command, args: ["-e", script], env: { ...env, TOKEN: "${PARROT_TOKEN}" } };
      const added = await engine.servers.add("parrot", settings);
      expect(added).toMatchObject({ transport: "stdio", protocol: "2025-11-25", lastWords: "listening with [hidden]" });
      expect(added.latencyMs).toBeGreaterThan(0);
      // Also when its program has ended.
      const { result: pid } = await engine.tools.call("parrot.pid", {});
      process.kill(Number(pid), "SIGKILL");
      await expect.poll(async () => (await engine.servers.list())[0]?.status).toBe("idle");
      const [gone] = await engine.servers.list();
      expect(gone).toMatchObject({ lastWords: "listening with [hidden]", latencyMs: added.latencyMs });
      const docs = await engine.servers.add("docs", { url: "http://127.0.0.1:9/mcp" });
      expect(docs).toMatchObject({ transport: "http", protocol: null, latencyMs: null, lastWords: null });
    } finally {
      delete process.env["PARROT_TOKEN"];
    }
  });

  test.each([
    {
      what: "a key that is none",
      key: "a b",
      settings: configured(),
      code: "INPUT_INVALID",
      message: /no name of a server/,
    },
    {
      what: "the name of a built-in group",
      key: "text",
      settings: configured(),
      code: "INPUT_INVALID",
      message: /come with the program/,
    },
    {
      what: "neither command nor url",
      key: "other",
      settings: {},
      code: "INPUT_INVALID",
      message: /neither command nor url/,
    },
    {
      what: "a variable that is not set",
      key: "other",
      settings: { command: "${NOT_SET_HERE}" },
      code: "INPUT_INVALID",
      message: /NOT_SET_HERE/,
    },
    { what: "a key that is taken", key: "parrot", settings: configured(), code: "REFUSED", message: /another name/ },
  ] as const)("is refused with $what, and nothing is written", async ({ key, settings, code, message }) => {
    await using engine = await open({ mcpServers: { parrot: configured() } });
    const refused = engine.servers.add(key, settings);
    await expect(refused).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    expect(existsSync(`${store}-servers.json`)).toBe(false);
    expect((await engine.servers.list()).map((server) => server.key)).toEqual(["parrot"]);
  });

  test("is answered with what is there when the same is added again, and is started once", async () => {
    await using engine = await open();
    const { command, args, env } = configured();
    await engine.servers.add("parrot", { command, args, env });
    const { result: pid } = await engine.tools.call("parrot.pid", {});
    const again = await engine.servers.add("parrot", { env, args, command });
    expect(again).toMatchObject({ key: "parrot", status: "ready", isAdded: true, restarts: 0 });
    expect((await engine.tools.call("parrot.pid", {})).result).toBe(pid);
    await expect(engine.servers.add("parrot", { command, args: [...args, "more"], env })).rejects.toMatchObject({
      code: "REFUSED",
      details: { code: "server_exists" },
    });
  });

  test("is no other's: one that stands elsewhere is removed there", async () => {
    await using engine = await open({ mcpServers: { parrot: configured() } });
    await expect(engine.servers.remove("parrot")).rejects.toMatchObject({ code: "REFUSED" });
    await expect(engine.servers.remove("nobody")).rejects.toMatchObject({ code: "TOOL_SERVER_NOT_FOUND" });
    expect((await engine.servers.list())[0]).toMatchObject({ status: "ready", isAdded: false });
  });
});

describe("the file of added servers", () => {
  const many = (count: number): object =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`rests-${at}`, { command: "none", disabled: true }]));

  test("is one for all names of a store", async () => {
    {
      await using engine = await open();
      await engine.servers.add("parrot", configured());
    }
    const linked = join(folder, "linked.db");
    symlinkSync(store, linked);
    await using engine = await open({ store: linked });
    expect((await engine.servers.list()).map(({ key }) => key)).toEqual(["parrot"]);
    await engine.servers.remove("parrot");
    expect(existsSync(`${store}-servers.json`)).toBe(false);
  });

  test("never holds more than can be read again: the hundred and first is refused", async () => {
    writeFileSync(`${store}-servers.json`, JSON.stringify({ mcpServers: many(99) }));
    {
      await using engine = await open();
      await engine.servers.add("last", { command: "none", disabled: true });
      const refused = engine.servers.add("more", { command: "none", disabled: true });
      await expect(refused).rejects.toMatchObject({ code: "REFUSED", message: expect.stringContaining("100 servers") });
    }
    await using engine = await open();
    expect((await engine.servers.list()).length).toBe(100);
  });

  test("never grows above what can be read again", async () => {
    const large = { command: "none", disabled: true, env: { LARGE: "x".repeat(60_000) } };
    const servers = Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`large-${at}`, large]));
    writeFileSync(`${store}-servers.json`, JSON.stringify({ mcpServers: servers }));
    {
      await using engine = await open();
      const refused = engine.servers.add("more", large);
      await expect(refused).rejects.toMatchObject({ code: "REFUSED", message: expect.stringContaining("1 MB") });
    }
    await using engine = await open();
    expect((await engine.servers.list()).length).toBe(17);
  });

  test.each([
    { what: "is no JSON", text: "{ mcpServers", named: /stepwell\.db-servers\.json:1:3/ },
    { what: "has too many servers", text: JSON.stringify({ mcpServers: many(101) }), named: /There are 101 servers/ },
    { what: "is too large", text: " ".repeat(1_048_577), named: /larger than 1 MB/ },
    { what: "is empty", text: "", named: /is empty/ },
  ])("that $what is told of, and everything else works", async ({ text, named }) => {
    writeFileSync(`${store}-servers.json`, text);
    const problems: string[] = [];
    await using engine = await open({
      mcpServers: { parrot: configured() },
      onProblem: ({ message }) => void problems.push(message),
    });
    expect(problems).toEqual([expect.stringMatching(named)]);
    expect(problems[0]).toContain("Servers that were added are missing until it is mended");
    expect(await engine.tools.call("parrot.echo", { a: 1 })).toMatchObject({ result: { a: 1 } });
    expect(readFileSync(`${store}-servers.json`, "utf8")).toBe(text);
  });
});

test("over REST it is tried out, added, once however often, and removed", async () => {
  await using engine = await open();
  const app = createApp(engine, { isLoopback: true, rate: null });
  const ask = async (method: string, path: string, body?: object): Promise<readonly [number, unknown]> => {
    const headers = { host: "localhost", "content-type": "application/json" };
    const sent = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await app.request(`http://localhost${path}`, sent);
    return [response.status, await response.json()];
  };
  const body = { key: "parrot", server: configured() };
  expect(await ask("POST", "/api/servers/test", body)).toEqual([200, expect.objectContaining({ ok: true })]);
  const shown = expect.objectContaining({ key: "parrot", status: "ready", is_added: true, tool_count: 2 });
  expect(await ask("POST", "/api/servers", body)).toEqual([201, shown]);
  expect(await ask("POST", "/api/servers", body)).toEqual([201, shown]);
  expect((await ask("POST", "/api/servers", { ...body, server: configured("other") }))[0]).toBe(409);
  expect((await ask("POST", "/api/servers", { ...body, key: "a b" }))[0]).toBe(422);
  expect(await ask("DELETE", "/api/servers/parrot")).toEqual([200, { removed: "parrot" }]);
  expect((await ask("DELETE", "/api/servers/parrot"))[0]).toBe(404);
});

describe("a server that is tried out", () => {
  test("tells its tools, and leaves nothing behind", async () => {
    await using engine = await open();
    const tried = await engine.servers.tryOut("parrot", configured());
    expect(tried).toMatchObject({ ok: true, problem: null });
    expect(tried.tools.map(({ name }) => name)).toEqual(["echo", "pid"]);
    expect(await engine.servers.list()).toEqual([]);
    expect(existsSync(`${store}-servers.json`)).toBe(false);
    expect(existsSync(join(folder, "stepwell.lock.json"))).toBe(false);
  });

  test("is refused while four others are, with a code for it", async () => {
    await using engine = await open();
    const keys = ["one", "two", "three", "four", "five"];
    const all = await Promise.allSettled(keys.map((key) => engine.servers.tryOut(key, configured())));
    expect(all).toMatchObject([
      ...Array.from({ length: 4 }, () => ({ status: "fulfilled", value: { ok: true } })),
      { status: "rejected", reason: { code: "REFUSED", details: { code: "too_many_try_outs" } } },
    ]);
  });

  test("hides nothing in what it says of its tools", async () => {
    const described = join(folder, "description.txt");
    writeFileSync(described, "Reads\u200B a file\u{E0041}.\u202Etxt");
    await using engine = await open();
    const { tools } = await engine.servers.tryOut("parrot", configured("described-in", described));
    expect(tools.find(({ name }) => name === "echo")?.description).not.toMatch(/[\u200B\u202E\u{E0041}]/u);
    expect(tools.find(({ name }) => name === "echo")?.description).toContain("Reads");
  });

  test("says in words why it does not work, with what the program said last", async () => {
    await using engine = await open();
    const script = "process.stderr.write('no licence was found'); process.exit(3)";
    const tried = await engine.servers.tryOut("broken", { command: process.execPath, args: ["-e", script] });
    expect(tried).toMatchObject({ ok: false, tools: [] });
    expect(tried.problem).toBe("Its program has ended with code 3. Its last words: no licence was found");
    const missing = await engine.servers.tryOut("missing", {
      command: "no-such-program-here",
    });
    expect(missing.problem).toMatch(/^Its program cannot be started \(ENOENT\): no folder of PATH has it, .+\.$/u);
    const relative = await engine.servers.tryOut("relative", {
      command: "./no-such-program",
    });
    expect(relative.problem).toContain(`it was looked for from the folder ${folder}`);
  });
});
