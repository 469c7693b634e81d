// Servers as tools of a whole engine, with real processes that are killed: those of servers, and the engine's own.

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, mkdtempSync, openSync, realpathSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { connect, type ServerClient } from "../../src/connect.ts";
import type { UserEngine } from "../../src/engine/engine.ts";
import type { JsonObject } from "../../src/flow/json.ts";
import { openEngine, type ServedEngine } from "../../src/open-engine.ts";
import { connectWire } from "../../src/testing/mcp-wire.ts";
import { makePlace, type Place, type Started } from "../cli/command.ts";
import type { ServerView } from "../../src/tool/servers.ts";
import { complete, serveModern, task, tool, type ModernServer } from "./modern-server.ts";
import { findRunning, listRunning, type Running } from "./processes.ts";
import { compiled, isRunning } from "./servers.ts";

const require = createRequire(import.meta.url);
const programOf = (name: string): string => require.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`);
const badtool = fileURLToPath(new URL("badtool.ts", import.meta.url));
const commandLine = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

/** How long it may take until a process has noticed something, on a machine that is busy. */
const patience = { timeout: 30_000, interval: 100 };

describe("the reference servers as tools of one engine", () => {
  let folder: string;
  /** What reads it waits until somebody writes: a call that stays under way for as long as the test likes. */
  let pipe: string;
  let engine: ServedEngine;

  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "stepwell-mcp-")));
    pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    const command = process.execPath;
    engine = await openEngine({
      store: join(folder, "stepwell.db"),
      mcpServers: {
        everything: {
          command,
          args: [programOf("everything"), "stdio", folder],
          env: compiled,
          effects: { "trigger-long-running-operation": "write" },
        },
        files: { command, args: [programOf("filesystem"), folder], env: compiled },
        memory: {
          command,
          args: [programOf("memory")],
          env: { ...compiled, MEMORY_FILE_PATH: join(folder, "memory.jsonl") },
        },
      },
      onProblem: () => {},
    });
  }, 60_000);
  afterAll(async () => {
    await engine.stop({ now: true });
    rmSync(folder, { recursive: true });
  });

  /** Fails unless somebody reads it just now. */
  const openPipe = (): number => openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);

  test("killed in the middle of its call, a step that reads heals by itself, and other runs go on meanwhile", async () => {
    const retry = { attempts: 3, backoff: ["100ms"] };
    const flow = { steps: { read: { tool: "files.read_text_file", args: { path: pipe }, retry, done: true } } };
    const { id } = await engine.start(flow);
    const held = await vi.waitFor(openPipe, patience);
    const { pid } = findRunning("server-filesystem", folder);
    process.kill(pid, "SIGKILL");
    closeSync(held);
    await expect.poll(() => isRunning(pid), patience).toBe(false);
    const { id: other } = await engine.start({ steps: { look: { tool: "memory.read_graph", args: {}, done: true } } });
    expect(await engine.result(other)).toMatchObject({ status: "completed", output: { entities: [] } });
    expect((await engine.get(id)).status).toBe("running");
    const again = await vi.waitFor(openPipe, patience);
    writeSync(again, "still there");
    closeSync(again);
    expect(await engine.result(id)).toMatchObject({ status: "completed", output: { content: "still there" } });
    expect((await engine.get(id)).steps).toMatchObject([
      { name: "read", status: "failed", attempt: 1, error: { code: "unknown_outcome" } },
      { name: "read", status: "done", attempt: 2 },
    ]);
    expect(await findServer(engine, "files")).toMatchObject({ status: "ready", restarts: 1 });
  });

  test("killed in the middle of its call, a step that writes is uncertain until a person says what became of it", async () => {
    const flow = {
      steps: {
        work: {
          tool: "everything.trigger-long-running-operation",
          args: { duration: 600, steps: 6000 },
          next: "greet",
        },
        greet: { tool: "everything.echo", args: { message: "back" }, done: true },
      },
    };
    const { id } = await engine.start(flow);
    // The server itself tells that it is at it.
    for await (const { progress } of engine.watch(id)) if (progress !== undefined) break;
    process.kill(findRunning("server-everything", folder).pid, "SIGKILL");
    await expect.poll(async () => (await engine.get(id)).steps[0]?.status, patience).toBe("uncertain");
    const { id: other } = await engine.start({ steps: { look: { tool: "memory.read_graph", args: {}, done: true } } });
    expect(await engine.result(other)).toMatchObject({ status: "completed" });
    const [work] = (await engine.get(id)).steps;
    expect(await engine.history(id)).toContainEqual(
      expect.objectContaining({
        data: expect.stringContaining("tool_server_exited: Its program was ended by SIGKILL."),
      }),
    );
    await engine.resolve(work?.id ?? 0, { how: "done", result: "It was done.", by: "ann" });
    expect(await engine.result(id)).toMatchObject({ status: "completed", output: "Echo: back" });
    expect((await engine.get(id)).steps.map(({ name, attempt }) => [name, attempt])).toEqual([
      ["work", 1],
      ["greet", 1],
    ]);
    expect(await findServer(engine, "everything")).toMatchObject({ status: "ready", restarts: 1 });
  });
});

type Item = { readonly kind: string; readonly workflow_id: number; readonly step_id: number; readonly message: string };

describe("a service with servers", () => {
  let place: Place;
  let service: Started;
  let address: string;
  let client: ServerClient;
  let web: ModernServer;
  /** What the tasks wait for. */
  const world: { isDone: boolean; answered: JsonObject | null } = { isDone: false, answered: null };

  const startService = async (): Promise<void> => {
    service = place.start("up", "--port", "0", "--mcp", "mcp.json");
    [, address = ""] = await service.said(/is up on (http:\/\/\S+),/);
    await service.said(/Ctrl\+C stops it/);
    client = await connect({ url: address });
  };

  beforeAll(async () => {
    place = makePlace();
    web = await serveTasks(world);
    // Two processes in one group: neither ends with its input, and one stays when it is asked to go.
    const args = ["-c", 'sleep 600 & exec "$0" "$@"', process.execPath, badtool, "stays", place.folder];
    const mcpServers = { bad: { command: "sh", args }, web: { url: web.url } };
    writeFileSync(join(place.folder, "mcp.json"), JSON.stringify({ mcpServers }));
    await startService();
  }, 60_000);
  afterAll(async () => {
    await client.stop();
    await place.remove();
    await web[Symbol.asyncDispose]();
  });

  const listInbox = async (): Promise<readonly Item[]> =>
    (await (await fetch(`${address}/api/inbox`)).json()) as readonly Item[];
  const callsOf = (name: string): number =>
    web.asked.filter(({ method, params }) => method === "tools/call" && params["name"] === name).length;
  const looksAt = (taskId: string): number =>
    web.asked.filter(({ method, params }) => method === "tasks/get" && params["taskId"] === taskId).length;
  const startWith = async (name: string, args: JsonObject): Promise<number> =>
    (await client.start({ steps: { work: { tool: name, args, done: true } } })).id;

  test("a workflow that is called over stdio runs a step of a server, to which only the owner is connected", async () => {
    await client.save({ steps: { ask: { tool: "bad.pid", args: {}, done: true } } }, { name: "who" });
    const words = [commandLine, "mcp", "--mcp", "mcp.json"];
    const guest = spawn(process.execPath, words, { cwd: place.folder, stdio: ["pipe", "pipe", "ignore"] });
    try {
      const wire = await connectWire({ input: guest.stdin, output: guest.stdout }, {});
      const { structuredContent } = await wire.call("workflow_who");
      const { pid, parent } = findRunning(badtool, place.folder);
      expect(structuredContent).toMatchObject({ terminal_kind: "success", output: pid });
      expect(parent).toBe(service.child.pid);
      expect(listRunning().filter((process) => process.parent === guest.pid)).toEqual([]);
    } finally {
      guest.kill("SIGKILL");
      await once(guest, "exit");
    }
  });

  describe("killed with -9 in the middle of calls, and started anew", () => {
    const runs = { silent: 0, report: 0, asks: 0 };
    let before: readonly Item[];
    let children: readonly Running[];

    beforeAll(async () => {
      runs.silent = await startWith("bad.echo", { switch: "silent" });
      runs.report = await startWith("web.report", {});
      runs.asks = await startWith("web.asks", {});
      await vi.waitUntil(() => looksAt("report") > 1, patience);
      await vi.waitUntil(async () => (await listInbox()).length === 1, patience);
      await vi.waitUntil(async () => (await findServer(client, "bad"))?.callsUnderWay === 1, patience);
      before = await listInbox();
      const running = listRunning();
      const own = running.filter(({ parent }) => parent === service.child.pid);
      children = running.filter((one) => own.some(({ group }) => one.group === group));
      await client.stop();
      service.child.kill("SIGKILL");
      await service.finished;
      await startService();
    }, 60_000);

    test("M7: no process of a server is left, in its group or by its id, and nobody who watched over them", async () => {
      const groups = new Set(children.map(({ group }) => group));
      expect(children.filter(({ line }) => line.includes(place.folder) || line === "sleep 600")).toHaveLength(2);
      // The one who watches has a group of its own.
      expect([children.length, groups.size]).toEqual([3, 2]);
      expect(groups.has(service.child.pid ?? 0)).toBe(false);
      const pids = new Set(children.map(({ pid }) => pid));
      const left = (): readonly Running[] =>
        listRunning().filter(({ pid, group }) => pids.has(pid) || groups.has(group));
      await expect.poll(left, { ...patience, interval: 250 }).toEqual([]);
    });

    test("what was called and may have written is uncertain", async () => {
      const items = await listInbox();
      expect(items.filter(({ kind }) => kind === "uncertain")).toMatchObject([{ workflow_id: runs.silent }]);
    });

    test("a task is followed to its result, and was begun once", async () => {
      const looked = looksAt("report");
      await expect.poll(() => looksAt("report"), patience).toBeGreaterThan(looked);
      world.isDone = true;
      expect(await client.result(runs.report)).toMatchObject({ status: "completed", output: { pages: 7 } });
      expect(callsOf("report")).toBe(1);
    });

    test("what a task has asked stands in the inbox once, as before, and its answer ends the run", async () => {
      const looked = looksAt("asks");
      // The first look of the new process is behind it.
      await expect.poll(() => looksAt("asks"), patience).toBeGreaterThan(looked + 1);
      const gates = (await listInbox()).filter(({ kind }) => kind === "gate");
      expect(gates).toEqual(before);
      expect(gates).toMatchObject([{ message: "Sure?" }]);
      await client.approve(gates[0]?.step_id ?? 0, { data: { sure: true } });
      expect(await client.result(runs.asks)).toMatchObject({ status: "completed", output: { sure: true } });
      expect(callsOf("asks")).toBe(1);
      expect((await listInbox()).filter(({ kind }) => kind === "gate")).toEqual([]);
      expect(await client.list({ status: "all", limitMax: 100 })).toHaveLength(5);
    });
  });
});

async function findServer({ servers }: Pick<UserEngine, "servers">, key: string): Promise<ServerView | undefined> {
  return (await servers.list()).find((server) => server.key === key);
}

/** A server with two tools that are tasks, each under its own name: `report` takes its time, and `asks` wants to know. */
function serveTasks(world: { readonly isDone: boolean; answered: JsonObject | null }): Promise<ModernServer> {
  const requestedSchema = { type: "object", properties: { sure: { type: "boolean" } } };
  const sure = { method: "elicitation/create", params: { message: "Sure?", requestedSchema } };
  const begin = (taskId: string): JsonObject => ({ ...task("working", { taskId }), resultType: "task" });
  const end = (taskId: string, structuredContent: JsonObject): JsonObject =>
    task("completed", { taskId, result: complete({ structuredContent }) });
  return serveModern([tool("report"), tool("asks")], {
    report: () => begin("report"),
    asks: () => begin("asks"),
    "tasks/get": ({ params: { taskId } }) => {
      if (taskId === "report") return world.isDone ? end("report", { pages: 7 }) : task("working", { taskId });
      if (world.answered !== null) return end("asks", world.answered);
      return task("input_required", { taskId: "asks", inputRequests: { sure } });
    },
    "tasks/update": ({ params }) => {
      const { inputResponses } = params as { readonly inputResponses: { readonly sure: { content: JsonObject } } };
      world.answered = inputResponses.sure.content;
      return { resultType: "complete" };
    },
  });
}
