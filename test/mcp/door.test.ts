// Our MCP server as programs have it: processes of their own on one file, over stdio and over HTTP, with the client that
// most programs still have.

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { CallToolResultSchema, CreateTaskResultSchema, GetTaskResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { JsonObject } from "../../src/flow/json.ts";
import { connectWire, tasks, type BareWire } from "../../src/testing/mcp-wire.ts";
import { makePlace, type Place, type Started } from "../cli/command.ts";
import { compiled } from "./servers.ts";

const program = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

let place: Place;
let service: Started;
let address: string;
let token: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  place = makePlace();
  service = place.start("up", "--port", "0");
  [, address = ""] = await service.said(/MCP +(http:\/\/\S+)/);
  await service.said(/Ctrl\+C stops it/);
  token = readFileSync(join(place.folder, ".stepwell/stepwell.db-mcp-token"), "utf8").trim();
}, 60_000);

afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await place.remove();
});

type Process = { readonly child: ChildProcess; readonly wire: BareWire };

async function startMcp(folder: string, ...args: readonly string[]): Promise<Process> {
  const child = spawn(process.execPath, [program, "mcp", ...args], { cwd: folder, stdio: ["pipe", "pipe", "ignore"] });
  children.push(child);
  return { child, wire: await connectWire({ input: child.stdin, output: child.stdout }, { capabilities: tasks }) };
}

/** A client of SDK 1.32.2. */
async function connectOld(transport: StdioClientTransport | StreamableHTTPClientTransport): Promise<Client> {
  const client = new Client({ name: "old", version: "1" });
  await client.connect(transport);
  return client;
}

function toService(): StreamableHTTPClientTransport {
  const headers = { authorization: `Bearer ${token}` };
  return new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers } });
}

describe("beside a service", () => {
  test("the token lies in a file that nobody else may read, and there is one for the next start as well", async () => {
    expect(statSync(join(place.folder, ".stepwell/stepwell.db-mcp-token")).mode & 0o777).toBe(0o600);
    expect((await fetch(address, { method: "POST", body: "{}" })).status).toBe(401);
  });

  test("SB-25: a task that an older client has begun over stdio is read by another process, over HTTP", async () => {
    const args = [program, "mcp"];
    const transport = new StdioClientTransport({
      command: process.execPath,
      args,
      env: { ...compiled },
      cwd: place.folder,
      stderr: "ignore",
    });
    const first = await connectOld(transport);
    const params = { name: "workflow_hello", arguments: { who: "Ada" }, task: { ttl: 60_000 } };
    const { task } = await first.request({ method: "tools/call", params }, CreateTaskResultSchema);
    await first.close();
    const second = await connectOld(toService());
    const asked = { taskId: task.taskId };
    const result = await second.request({ method: "tasks/result", params: asked }, CallToolResultSchema);
    expect(result).toMatchObject({ structuredContent: { run_id: task.taskId, terminal_kind: "success" } });
    const seen = await second.request({ method: "tasks/get", params: asked }, GetTaskResultSchema);
    expect(seen).toMatchObject({ status: "completed" });
    expect((await second.listTools()).tools.map(({ name }) => name)).toContain("workflow_hello");
    await second.close();
  });

  test("two programs that were started by their clients work with it on one file, and end with their input", async () => {
    const [one, other] = await Promise.all([startMcp(place.folder), startMcp(place.folder)]);
    const begin = ({ wire }: Process, who: string): Promise<JsonObject> => wire.call("workflow_hello", { who });
    const begun = await Promise.all([begin(one, "Ada"), begin(other, "Bob")]);
    const ids = begun.map((result) => runOf(result));
    for (const id of ids) {
      await ended(one.wire, id);
      expect(await other.wire.call("run_get", { run_id: id })).toMatchObject({
        structuredContent: { status: "completed" },
      });
    }
    for (const { child } of [one, other]) {
      const exit = once(child, "exit");
      child.stdin?.end();
      expect(await exit).toEqual([0, null]);
    }
  });
});

describe("alone on a file", () => {
  test("killed between the question and the answer, it is asked again by the next process, and the run completes once", async () => {
    const own = makePlace();
    try {
      const first = await startMcp(own.folder, "--approve", "--save");
      const flow_json = {
        steps: {
          start: { gate: { title: "Go on?" }, next: "end" },
          end: { tool: "time.now", done: { output: "went on" } },
        },
      };
      await first.wire.call("workflow_template_save", { name: "gated", flow_json });
      const { taskId, status } = (await first.wire.call("workflow_gated")) as JsonObject & { readonly taskId: string };
      expect(status).toBe("input_required");
      const before = (await first.wire.ask("tasks/get", { taskId })).result;
      first.child.kill("SIGKILL");
      await once(first.child, "exit");
      const second = await startMcp(own.folder, "--approve");
      const after = (await second.wire.ask("tasks/get", { taskId })).result;
      expect(after["inputRequests"]).toEqual(before["inputRequests"]);
      const [key = ""] = Object.keys(before["inputRequests"] as JsonObject);
      const inputResponses = { [key]: { action: "accept", content: { choice: "approved" } } };
      for (let times = 0; times < 2; times++)
        expect((await second.wire.ask("tasks/update", { taskId, inputResponses })).error).toBeNull();
      await ended(second.wire, taskId);
      const { structuredContent: run } = await second.wire.call("workflow_get", { id: taskId });
      expect(run).toMatchObject({ status: "completed", output: "went on" });
      const steps = (run as { readonly steps: readonly JsonObject[] }).steps.map(({ key: name, attempt }) => [
        name,
        attempt,
      ]);
      expect(steps).toEqual([
        ["start", 1],
        ["end", 1],
      ]);
    } finally {
      for (const child of children) child.kill("SIGKILL");
      await own.remove();
    }
  });
});

describe("a service alone on a file", () => {
  type Visit = { readonly address: string; readonly token: string };

  /** A request of 2026-07-28, by itself as all are. */
  async function ask({ address: url, token: shown }: Visit, method: string, params: JsonObject): Promise<JsonObject> {
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": tasks,
    };
    const named = [params["name"], params["taskId"]].find((given) => typeof given === "string") ?? "";
    const response = await fetch(url, {
      method: "POST",
      headers: {
        authorization: `Bearer ${shown}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": method,
        "mcp-name": named,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } }),
    });
    const { result, error } = (await response.json()) as { readonly result?: JsonObject; readonly error?: unknown };
    expect([response.status, error]).toEqual([200, undefined]);
    return result ?? {};
  }

  test("killed between the question and the answer, it is asked again by the next one, and the run completes once", async () => {
    const own = makePlace();
    try {
      const flow = join(own.folder, "gated.yaml");
      writeFileSync(
        flow,
        "name: gated\nsteps:\n  start: { gate: { title: Go on? }, next: end }\n  end: { tool: time.now, done: { output: went on } }\n",
      );
      const up = async (): Promise<{ readonly started: Started; readonly address: string }> => {
        const started = own.start("up", "--port", "0");
        const [, found = ""] = await started.said(/MCP +(http:\/\/\S+)/);
        await started.said(/Ctrl\+C stops it/);
        return { started, address: found };
      };
      const first = await up();
      expect((await own.run("workflow", "save", flow)).exitCode).toBe(0);
      const { stdout } = await own.run(
        "token",
        "create",
        "ann",
        "--name",
        "agent",
        "--scope",
        "run",
        "--scope",
        "approve",
      );
      const made = stdout.trim();
      const before = { address: first.address, token: made };
      const { taskId, status } = await ask(before, "tools/call", { name: "workflow_gated", arguments: {} });
      expect(status).toBe("input_required");
      const { inputRequests } = await ask(before, "tasks/get", { taskId: taskId ?? "" });
      first.started.child.kill("SIGKILL");
      await first.started.finished;
      const after = { address: (await up()).address, token: made };
      expect((await ask(after, "tasks/get", { taskId: taskId ?? "" }))["inputRequests"]).toEqual(inputRequests);
      const [key = ""] = Object.keys(inputRequests as JsonObject);
      const inputResponses = { [key]: { action: "accept", content: { choice: "approved" } } };
      for (let times = 0; times < 2; times++)
        await ask(after, "tasks/update", { taskId: taskId ?? "", inputResponses });
      const see = (): Promise<JsonObject> => ask(after, "tasks/get", { taskId: taskId ?? "" });
      await vi.waitUntil(async () => (await see())["status"] !== "working", patience);
      expect(await see()).toMatchObject({ status: "completed", result: { structuredContent: { output: "went on" } } });
      const got = await ask(after, "tools/call", { name: "workflow_get", arguments: { id: taskId ?? "" } });
      const { steps } = got["structuredContent"] as { readonly steps: readonly JsonObject[] };
      expect(steps.map(({ key: name, attempt }) => [name, attempt])).toEqual([
        ["start", 1],
        ["end", 1],
      ]);
    } finally {
      await own.remove();
    }
  });
});

test("a line that is too long ends it in good order, and says why", async () => {
  const own = makePlace();
  const child = spawn(process.execPath, [program, "mcp"], { cwd: own.folder, stdio: ["pipe", "ignore", "pipe"] });
  children.push(child);
  let told = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    told += text;
  });
  // It reads no more once it has hung up.
  child.stdin.on("error", () => {});
  child.stdin.write("x".repeat(12_000_000));
  const [exitCode] = await once(child, "close");
  expect([exitCode, told]).toEqual([1, expect.stringContaining("The connection was given up: ")]);
  const next = await startMcp(own.folder);
  expect((await next.wire.ask("tools/list")).error).toBeNull();
  next.child.kill("SIGKILL");
  await own.remove();
});

function runOf({ taskId, structuredContent }: JsonObject): string {
  const told = structuredContent as { readonly run_id: string } | undefined;
  return typeof taskId === "string" ? taskId : (told?.run_id ?? "");
}

/** Who asks without a pause keeps both processes from the work that is waited for. */
const patience = { timeout: 60_000, interval: 50 };

/** A call of an older kind waits until the run has ended; one that is here asks until it has. */
async function ended(wire: BareWire, taskId: string): Promise<void> {
  await vi.waitUntil(async () => {
    const { result } = await wire.ask("tasks/get", { taskId });
    return result["status"] !== "working";
  }, patience);
}
