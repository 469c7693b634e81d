import { describe, expect, test } from "vitest";
import { createWorld } from "../testing/engine.ts";
import type { ChangedTool, ServerMeans, ServerView, ToolServers, TriedServer } from "../tool/servers.ts";
import type { Tool } from "../tool/tool.ts";
import { systemClock } from "./clock.ts";

const view: ServerView = {
  key: "files",
  status: "ready",
  problem: null,
  transport: "stdio",
  target: "files-server",
  command: null,
  file: null,
  isAdded: false,
  era: "legacy",
  protocol: null,
  latencyMs: null,
  lastWords: null,
  name: "files",
  version: "1",
  toolCount: 1,
  changedCount: 0,
  restarts: 0,
  callsUnderWay: 0,
  strayLines: 0,
};

const tried: TriedServer = {
  ok: true,
  problem: null,
  target: "files-server …",
  name: null,
  version: null,
  era: "legacy",
  tools: [],
};

const change: ChangedTool = {
  server: "files",
  tool: "files.read",
  kind: "narrowing",
  lines: ["- a"],
  hash: "h",
  since: 1,
};

type Fake = ToolServers & { readonly calls: string[]; means: ServerMeans | null; view: ServerView };

function createFake(): Fake {
  const calls: string[] = [];
  const noted = async (call: string): Promise<ServerView> => {
    calls.push(call);
    return fake.view;
  };
  const fake: Fake = {
    calls,
    view,
    means: null,
    async open(means) {
      calls.push("open");
      this.means = means;
    },
    close: async () => void calls.push("close"),
    list: () => [fake.view],
    restart: (key) => noted(`restart ${key}`),
    test: (key) => noted(`test ${key}`),
    add: (key, settings) => noted(`add ${key} ${JSON.stringify(settings)}`),
    remove: async (key) => void calls.push(`remove ${key}`),
    tryOut: async (key, settings) => {
      calls.push(`try ${key} ${JSON.stringify(settings)}`);
      return { ...tried, problem: fake.view.problem };
    },
    lock: { file: "stepwell.lock.json", servers: [] },
    changes: [change],
    approve: async (name, { expected } = {}) => {
      calls.push(`approve ${name}${expected === undefined ? "" : ` ${expected}`}`);
      return [change];
    },
  };
  return fake;
}

/** Agreed on, or not any more. */
function createTool(name: string, isAgreed: boolean): Tool {
  return {
    name,
    description: null,
    effect: "read",
    input: null,
    output: null,
    outcomes: [],
    server: "files",
    call: () =>
      isAgreed
        ? { kind: "done", result: "read", outcome: null }
        : { kind: "held", code: "tool_changed", message: "It takes less than before." },
  };
}

describe("servers that bring tools", () => {
  test("are opened by the owner alone, and closed when it hands over or stops", async () => {
    await using world = createWorld("file");
    const [mine, others] = [createFake(), createFake()];
    const owner = await world.open({ servers: mine });
    const guest = await world.open({ servers: others });
    expect([mine.calls, others.calls]).toEqual([["open"], []]);
    await owner.engine.stop();
    await world.clock.advance(5000);
    expect(guest.engine.isOwner).toBe(true);
    expect([mine.calls, others.calls]).toEqual([["open", "close"], ["open"]]);
  });

  test("answer to guests through the owner", async () => {
    await using world = createWorld("file");
    const fake = createFake();
    // They find each other by looking, on the system's own clock.
    await world.open({ servers: fake, clock: systemClock });
    const { engine } = await world.open({ clock: systemClock });
    expect(await engine.servers.list()).toEqual([view]);
    expect(await engine.servers.test("files")).toEqual(view);
    expect(await engine.servers.restart("files")).toEqual(view);
    expect(await engine.lock.show()).toEqual({ file: "stepwell.lock.json", servers: [] });
    expect(await engine.lock.changes()).toEqual([change]);
    expect(await engine.lock.approve("files.read")).toEqual([change]);
    await engine.lock.approve("files.read", { expected: "h" });
    await engine.lock.approve("files", { expected: null });
    const approvals = ["approve files.read", "approve files.read h", "approve files null"];
    expect(fake.calls).toEqual(["open", "test files", "restart files", ...approvals]);
    const told = (await engine.access.audit()).map(({ verb, subject }) => [verb, subject]);
    expect(told).toEqual([
      ["lock.approve", "files"],
      ["lock.approve", "files.read"],
      ["lock.approve", "files.read"],
      ["server.restart", "files"],
    ]);
  });

  test("are added, tried out and removed through the owner, and what is on record of it holds no secret", async () => {
    await using world = createWorld("file");
    const fake = createFake();
    await world.open({ servers: fake, clock: systemClock });
    const { engine } = await world.open({ clock: systemClock });
    const settings = { command: "files-server", env: { TOKEN: "hush-hush" } };
    expect(await engine.servers.tryOut("files", settings)).toEqual(tried);
    expect(await engine.servers.add("files", settings)).toEqual(view);
    await engine.servers.remove("files");
    const told = JSON.stringify(settings);
    expect(fake.calls).toEqual(["open", `try files ${told}`, `add files ${told}`, "remove files"]);
    const audit = await engine.access.audit();
    expect(audit.map(({ verb, subject, details }) => [verb, subject, details])).toEqual([
      ["server.remove", "files", {}],
      ["server.add", "files", { target: "files-server" }],
      ["server.try_out", "files", { target: "files-server …" }],
    ]);
    expect(JSON.stringify(audit)).not.toContain("hush-hush");
  });

  test("are given the secrets of the store, which are masked from then on", async () => {
    await using world = createWorld("memory");
    const fake = createFake();
    const { engine } = await world.open({ servers: fake, tools: { tell: () => "it is k3y-value" } });
    await engine.secrets.set("API_KEY", "k3y-value");
    expect(fake.means?.findSecret("API_KEY")).toBe("k3y-value");
    expect(fake.means?.findSecret("NONE")).toBeUndefined();
    expect((await engine.tools.call("tell")).result).toBe("it is [secret API_KEY]");
  });

  test("say no secret of the store in what their programs write, which only those see who may start them", async () => {
    await using world = createWorld("memory");
    const fake = createFake();
    const { engine } = await world.open({ servers: fake });
    await engine.secrets.set("CARD", "tok-4242");
    fake.view = {
      ...view,
      problem: "It ended: tok-4242",
      lastWords: 'called with {"card":"tok-4242"}',
      command: "node /srv/tok-4242",
    };
    const command = "node /srv/[secret CARD]";
    const [problem, lastWords] = ["It ended: [secret CARD]", 'called with {"card":"[secret CARD]"}'];
    const { servers } = engine;
    const asked = [servers.test("files"), servers.restart("files"), servers.add("files", { command: "files-server" })];
    const told = [...(await servers.list()), ...(await Promise.all(asked))];
    expect(told).toEqual(told.map(() => ({ ...view, problem, lastWords, command })));
    expect(await servers.tryOut("files", { command: "files-server" })).toEqual({ ...tried, problem });
    expect(fake.means?.mask("tok-4242")).toBe("[secret CARD]");

    await engine.access.save("rob", { keys: ["130001.read", "130001.operate"] });
    await engine.access.save("ada", { keys: ["130001"] });
    const [rob, ada] = [engine.as("rob").servers, engine.as("ada").servers];
    const without = { ...view, problem, lastWords: null };
    expect([...(await rob.list()), await rob.test("files"), await rob.restart("files")]).toEqual([
      without,
      without,
      without,
    ]);
    expect(await ada.list()).toEqual([{ ...view, problem, lastWords, command }]);
  });

  test("let the steps go on that wait for a tool, and no other, once it is agreed on", async () => {
    await using world = createWorld("memory");
    const fake = createFake();
    const tools = ["files.read", "files.write"].map((name) => createTool(name, false));
    const opened = await world.open({ servers: fake, tools });
    const start = async (name: string): Promise<number> =>
      (await opened.engine.start({ go: { tool: name, done: true } })).id;
    const [reads, writes] = [await start("files.read"), await start("files.write")];
    await world.settle();
    expect((await opened.engine.get(reads)).attention?.code).toBe("tool_changed");
    await opened.engine.tools.load([createTool("files.read", true)]);
    fake.means?.onAgreed(["files.read"]);
    await world.settle();
    expect((await opened.engine.get(reads)).output).toBe("read");
    expect((await opened.engine.get(writes)).status).toBe("running");
    expect(opened.problems).toEqual([]);
  });

  test("need not be there", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    expect(await engine.servers.list()).toEqual([]);
    expect(await engine.lock.show()).toEqual({ file: null, servers: [] });
    expect(await engine.lock.changes()).toEqual([]);
    await expect(engine.servers.restart("files")).rejects.toMatchObject({ code: "TOOL_SERVER_NOT_FOUND" });
  });
});
