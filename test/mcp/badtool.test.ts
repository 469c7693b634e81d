import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFakeClock } from "../../src/testing/fake-clock.ts";
import type { McpServers } from "../../src/tool/mcp/server-pool.ts";
import { badEntry, call, createServers, done, entryOf, isRunning, resultOf, type Told } from "./servers.ts";

const holder = fileURLToPath(new URL("holder.ts", import.meta.url));

describe("a server that answers oddly", () => {
  let servers: McpServers & Told;
  beforeAll(async () => {
    servers = createServers([badEntry("bad")]);
    await servers.open();
  });
  afterAll(() => servers.stop());

  test.each(["answers-twice", "wrong-id", "one-byte-chunks", "logs-on-stdout"])(
    "M5, M6: %s: the call has its answer",
    async (name) => {
      const input = { switch: name, word: "Wörter — 言葉" };
      expect(await call(servers, "bad.echo", { input })).toEqual(done(input));
    },
  );

  test("M5: lines that are no messages are counted, and the first one is told", () => {
    expect(servers.problems).toEqual(["bad: It writes on its standard output what is no message: starting up …"]);
    // Five lines of a log, three answers nobody waited for.
    expect(servers.health()).toMatchObject([{ status: "ready", strayLines: 8 }]);
  });

  test.each([
    ["deep", /nested more than 1000 levels/],
    ["invalid-utf8", /bytes that are no text/],
  ])("M6: %s: that call fails, and the connection lives", async (name, message) => {
    const [bad, good] = await Promise.all([
      call(servers, "bad.echo", { input: { switch: name } }),
      call(servers, "bad.echo", { input: { word: "in between" } }),
    ]);
    expect(bad).toMatchObject({ kind: "failed", code: "bad_result", isFinal: true });
    expect(bad).toMatchObject({ message: expect.stringMatching(message) });
    expect(good).toEqual(done({ word: "in between" }));
    expect(servers.health()).toMatchObject([{ status: "ready", restarts: 0 }]);
  });

  test.each(["many-values", "many-values-first"])(
    "%s: an answer of too many values fails its call alone, unread",
    async (name) => {
      const [bad, good] = await Promise.all([
        call(servers, "bad.echo", { input: { switch: name } }),
        call(servers, "bad.echo", { input: { word: "in between" } }),
      ]);
      const message = 'The server "bad": It answered with more than 500000 values.';
      expect(bad).toEqual({ kind: "failed", code: "result_too_large", message, isFinal: true });
      expect(good).toEqual(done({ word: "in between" }));
      expect(servers.health()).toMatchObject([{ status: "ready", restarts: 0 }]);
    },
  );

  test("a text of too many values stays a text, which is too large", async () => {
    const answer = await call(servers, "bad.echo", { input: { switch: "many-values-in-text" } });
    expect(answer).toMatchObject({ kind: "failed", code: "result_too_large", isFinal: true });
    expect(answer).toMatchObject({ message: expect.stringContaining('It begins: "[{},{}') });
  });

  test("a call that nobody wants any more is over at once, and its late answer is nobody's", async () => {
    const controller = new AbortController();
    const calling = call(servers, "bad.echo", { input: { switch: "silent" }, signal: controller.signal });
    await expect.poll(() => servers.health()[0]?.callsUnderWay).toBe(1);
    controller.abort(new Error("enough"));
    expect(await calling).toEqual({ kind: "lost" });
    expect(servers.health()[0]?.callsUnderWay).toBe(0);
  });

  test("M8: a tool that changes its description after the first call is not called again", async () => {
    const input = { switch: "changes-description" };
    expect(await call(servers, "bad.echo", { input })).toEqual(done(input));
    await expect.poll(async () => (await call(servers, "bad.echo")).kind).toBe("held");
    const answer = await call(servers, "bad.echo");
    expect(answer).toMatchObject({ kind: "held", code: "tool_changed" });
    expect(answer).toMatchObject({ message: expect.stringContaining('"stepwell lock approve bad.echo"') });
    // Of the others nothing has changed.
    expect(await call(servers, "bad.pid")).toMatchObject({ kind: "done" });
  });
});

describe("a task of 2025-11-25", () => {
  const handle = { kind: "mcp_task", server: "bad", task: "task-1", era: "legacy" } as const;

  test.each([
    ["-32603 the disk is full", { kind: "failed", code: "protocol_error", isFinal: false }],
    ["-32602 no such account", { kind: "failed", code: "protocol_error", isFinal: true }],
    ["-32002 no such page", { kind: "failed", code: "protocol_error", isFinal: false }],
    ["-32001 Request timed out; -32603 the disk is full", { kind: "failed", code: "protocol_error", isFinal: false }],
    ["many-values", { kind: "failed", code: "result_too_large", isFinal: true }],
  ] as const)("that has failed ends its call with what its result says: %s", async (said, answer) => {
    await using servers = createServers([badEntry("bad", "task-fails", said)]);
    await servers.open();
    const ended = await call(servers, "bad.echo", { handle });
    expect(ended).toMatchObject(answer);
    expect(JSON.stringify(ended)).toContain(said === "many-values" ? "values" : said.slice(-7));
  });

  test.each([
    "-32001 Request timed out",
    "-32000 Too many requests, try again",
    "-32603 Internal error",
    "-32601 Not while it asks; -32602 Not yet",
  ])("that still asks people is followed on when its result cannot be had yet: %s", async (said) => {
    await using servers = createServers([badEntry("bad", "task-asks", said)]);
    await servers.open();
    expect(await call(servers, "bad.echo", { handle })).toEqual(done({ paid: "once" }));
  });
});

describe("a server that dies", () => {
  test.each([
    ["dies-before-initialise", 2],
    ["dies-after-initialise", 5],
  ])("M2: %s: calls fail before anything is sent, with the code of its exit", async (name, code) => {
    const clock = createFakeClock({ now: 0 });
    const servers = createServers([badEntry("bad", name)], { clock });
    await servers.open();
    expect(servers.problems).toEqual([`bad: Its program has ended with code ${code}.`]);
    expect(servers.health()).toMatchObject([
      { status: "waiting", problem: `Its program has ended with code ${code}.` },
    ]);
    await servers.stop();
  });

  test("M2: in the middle of a call: nobody knows what became of it; it starts again, later and later", async () => {
    const clock = createFakeClock({ now: 0 });
    const servers = createServers([badEntry("bad")], { clock });
    await servers.open();
    const lines: string[] = [];
    const die = (name: string): Promise<unknown> =>
      call(servers, "bad.echo", { input: { switch: name }, log: (line) => void lines.push(line) });
    expect(await die("dies-in-call")).toEqual({ kind: "lost" });
    const words = "Its program has ended with code 3. Its last words: cannot go on: the disk is full";
    expect(lines).toEqual([`tool_server_exited: ${words}`]);
    expect(servers.health()).toMatchObject([{ status: "waiting", problem: words }]);

    const again = die("dies-in-answer");
    await clock.advance(499);
    expect(servers.health()).toMatchObject([{ status: "waiting", restarts: 0 }]);
    await clock.advance(1);
    expect(await again).toEqual({ kind: "lost" });
    expect(servers.health()).toMatchObject([{ status: "waiting", restarts: 1 }]);

    const healed = call(servers, "bad.pid");
    await clock.advance(999);
    expect(servers.health()).toMatchObject([{ restarts: 1 }]);
    await clock.advance(1);
    expect(await healed).toMatchObject({ kind: "done" });
    await servers.stop();
  });

  test("M3: one that never initialises is killed after ten seconds, and the engine opens all the same", async () => {
    const clock = createFakeClock({ now: 0 });
    const servers = createServers([badEntry("bad", "never-initialises"), badEntry("good")], { clock });
    const opening = servers.open();
    await expect.poll(() => servers.tools().length).toBe(2);
    await clock.advance(10_000);
    await opening;
    expect(servers.problems).toEqual(["bad: It did not answer within 10 s."]);
    expect(servers.health()).toMatchObject([{ status: "waiting", toolCount: 0 }, { status: "ready" }]);
    await servers.stop();
  });

  test("M5: one that writes nothing but logs is ended after a thousand lines", async () => {
    const servers = createServers([badEntry("bad")]);
    await servers.open();
    expect(await call(servers, "bad.echo", { input: { switch: "only-logs" } })).toEqual({ kind: "lost" });
    expect(servers.health()[0]?.problem).toMatch(/1000 lines in a row that are no messages/);
    await servers.stop();
  });

  test("a program that is not there fails its calls alone, without a word of what was filled in", async () => {
    const command = "/nowhere/${TOKEN}";
    const entry = entryOf("bad", { kind: "stdio", command, args: [], env: {}, cwd: null });
    const filled = { kind: "stdio", command: "/nowhere/s3cret-token", args: [], env: {}, cwd: null } as const;
    const servers = createServers([entry], { resolve: () => Promise.resolve({ ok: true, target: filled }) });
    await servers.open();
    expect(servers.problems).toEqual(["bad: Its program cannot be started (ENOENT)."]);
    await servers.stop();
  });
});

test("M12: this very engine is no server of its own", async () => {
  const servers = createServers([badEntry("self", "ourselves", "our-store"), badEntry("other", "ourselves", "theirs")]);
  await servers.open();
  expect(servers.problems).toEqual([expect.stringContaining("self: It is this very engine")]);
  expect(servers.health()).toMatchObject([{ toolCount: 0 }, { status: "ready", toolCount: 2 }]);
  await servers.stop();
});

test("a program that ignores the end of its input and a request to go is killed after four seconds", async () => {
  const clock = createFakeClock({ now: 0 });
  const servers = createServers([badEntry("bad", "stays")], { clock });
  await servers.open();
  const pid = Number(resultOf(await call(servers, "bad.pid")));
  const stopping = servers.stop();
  await clock.advance(3999);
  expect(isRunning(pid)).toBe(true);
  await clock.advance(1);
  await stopping;
  expect(isRunning(pid)).toBe(false);
});

/** Little room for what is young, so that what is measured is what is kept, and not garbage of which there is more the less
 *  often it is collected. */
const measured = ["--expose-gc", "--max-semi-space-size=2"];

test("M4: floods take bounded memory, and other servers' calls go on", async () => {
  const child = spawn(process.execPath, [...measured, holder, "memory"], { stdio: ["ignore", "pipe", "inherit"] });
  const found: unknown[] = [];
  for await (const line of createInterface({ input: child.stdout })) found.push(JSON.parse(line));
  const calm = { answered: 100, grownMb: expect.toSatisfy((grown: number) => grown < 64) };
  const tooLong = expect.stringMatching(/a line of more than 10485760 bytes/);
  expect(found).toEqual([
    expect.objectContaining({ name: "floods", ...calm, health: expect.objectContaining({ problem: tooLong }) }),
    expect.objectContaining({
      name: "huge",
      ...calm,
      answer: expect.objectContaining({ code: "result_too_large", isFinal: true }),
    }),
    expect.objectContaining({
      name: "floods-notifications",
      ...calm,
      health: expect.objectContaining({ status: "ready" }),
    }),
    expect.objectContaining({
      ...calm,
      name: "many-values",
      answered: expect.toSatisfy((answered: number) => answered >= 100),
      answer: expect.objectContaining({ code: "result_too_large", isFinal: true }),
    }),
    expect.objectContaining({
      name: "many-values-in-text",
      answered: expect.toSatisfy((answered: number) => answered >= 100),
      // Ten megabytes are kept five times on the way: in pieces, as a line, as a text, in it, and as what was written.
      grownMb: calm.grownMb,
      answer: expect.objectContaining({ code: "result_too_large", isFinal: true }),
    }),
  ]);
});

test("M4: a program that never reads is ended when 16 MB wait for it, and other servers' calls go on", async () => {
  const child = spawn(process.execPath, [...measured, holder, "unread"], { stdio: ["ignore", "pipe", "inherit"] });
  const found: unknown[] = [];
  for await (const line of createInterface({ input: child.stdout })) found.push(JSON.parse(line));
  expect(found).toEqual([
    {
      // Each of them writes a megabyte.
      calls: expect.toSatisfy((calls: number) => calls > 12 && calls < 22),
      answered: expect.toSatisfy((answered: number) => answered > 12),
      answers: ["lost"],
      grownMb: expect.toSatisfy((grown: number) => grown < 64),
      problem: "It does not read what it is sent. Its program was ended.",
    },
  ]);
});

test("M7: programs of servers end with the engine, also after kill -9", async () => {
  const child = spawn(process.execPath, [holder, "hold"], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  const { pids } = JSON.parse(line) as { readonly pids: readonly number[] };
  expect(pids.map(isRunning)).toEqual([true, true]);
  child.kill("SIGKILL");
  await once(child, "exit");
  await expect.poll(() => pids.map(isRunning), { timeout: 20_000 }).toEqual([false, false]);
});
