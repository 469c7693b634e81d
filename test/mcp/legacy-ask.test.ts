// What a run waits for, pushed to the client that most programs still have: over stdio and over HTTP, on one store.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  CallToolResultSchema,
  CreateTaskResultSchema,
  ElicitRequestSchema,
  GetTaskResultSchema,
  type ElicitRequest,
  type ElicitResult,
} from "@modelcontextprotocol/sdk/types.js";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Engine } from "../../src/engine/engine.ts";
import type { Json } from "../../src/flow/json.ts";
import { openEngine } from "../../src/open-engine.ts";
import { createApp } from "../../src/server/app.ts";
import { listen, type Listener } from "../../src/server/serve.ts";
import { compiled } from "./servers.ts";

const program = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const related = "io.modelcontextprotocol/related-task";

const flows: Readonly<Record<string, Json>> = {
  gated: {
    steps: {
      start: { gate: { title: "Go on?", message: "It costs 5" }, routes: { later: "wait" }, next: "end" },
      wait: { set: {}, done: { output: "later" } },
      end: { set: {}, done: { output: "went on" } },
    },
  },
  form: {
    steps: {
      start: {
        gate: {
          title: "Which one?",
          form: {
            type: "object",
            properties: {
              id: { type: "string", format: "uuid", pattern: "-" },
              count: { type: "integer", minimum: 1, exclusiveMaximum: 10 },
            },
            required: ["id", "count"],
          },
        },
        next: "end",
      },
      end: { set: {}, done: { output: "{{ steps.start.result.count }}" } },
    },
  },
  both: {
    steps: {
      start: { gate: { title: "First?" }, next: "second" },
      second: { gate: { title: "Second?" }, next: "end" },
      end: { set: {}, done: { output: "both" } },
    },
  },
  others: {
    steps: { start: { gate: { title: "Yours?", self_approval: false }, next: "end" }, end: { set: {}, done: true } },
  },
};

let folder: string;
let store: string;
let engine: Engine;
let listener: Listener;
const ending = new AbortController();
const clients: Client[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "stepwell-legacy-"));
  store = join(folder, "stepwell.db");
  engine = await openEngine({ store, tools: {}, breaker: false });
  for (const [name, flow] of Object.entries(flows)) await engine.save(flow, { name });
  const app = createApp(engine, { isLoopback: true, rate: null, live: { ending: ending.signal } });
  listener = await listen({ host: "127.0.0.1", port: 0 });
  listener.handle((request, env) => app.fetch(request, env));
});

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

afterAll(async () => {
  ending.abort();
  await listener.close();
  await engine.stop({ now: true });
  rmSync(folder, { recursive: true, force: true });
});

type Door = "stdio" | "HTTP";
type Asked = {
  readonly params: ElicitRequest["params"];
  /** Resolves when it was taken back. */
  readonly withdrawn: Promise<void>;
  readonly say: (result: ElicitResult) => void;
};
type Wish = { readonly grants?: readonly string[]; readonly isAskable?: boolean };
type Asking = { readonly client: Client; readonly next: () => Promise<Asked>; readonly count: () => number };

async function open(door: Door, { grants = ["run", "approve"], isAskable = true }: Wish = {}): Promise<Asking> {
  const client = new Client(
    { name: "old", version: "1" },
    { capabilities: isAskable ? { elicitation: { form: {} } } : {} },
  );
  clients.push(client);
  const asked: Asked[] = [];
  const waiting: ((one: Asked) => void)[] = [];
  let count = 0;
  if (isAskable)
    client.setRequestHandler(ElicitRequestSchema, ({ params }, { signal }) => {
      const { promise, resolve } = Promise.withResolvers<ElicitResult>();
      const withdrawn = new Promise<void>((settle) => signal.addEventListener("abort", () => settle()));
      const one = { params, withdrawn, say: resolve };
      count += 1;
      const taker = waiting.shift();
      if (taker === undefined) asked.push(one);
      else taker(one);
      return promise;
    });
  await client.connect(door === "stdio" ? overStdio(grants) : await overHttp(grants));
  const next = (): Promise<Asked> => {
    const first = asked.shift();
    return first === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(first);
  };
  return { client, next, count: () => count };
}

function overStdio(grants: readonly string[]): StdioClientTransport {
  const rest = grants.includes("approve") ? ["--approve"] : [];
  const args = [program, "mcp", "--store", store, ...rest];
  return new StdioClientTransport({
    command: process.execPath,
    args,
    env: { ...compiled },
    cwd: folder,
    stderr: "ignore",
  });
}

async function overHttp(grants: readonly string[]): Promise<StreamableHTTPClientTransport> {
  const { text } = await engine.access.tokens.create({ user: "ann", name: "agent", scopes: [...grants] });
  const headers = { authorization: `Bearer ${text}` };
  return new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${listener.port}/mcp`), {
    requestInit: { headers },
  });
}

function call({ client }: Asking, workflow: string, signal?: AbortSignal): ReturnType<Client["callTool"]> {
  const params = { name: `workflow_${workflow}`, arguments: {} };
  return client.callTool(params, CallToolResultSchema, signal === undefined ? {} : { signal });
}

async function begin({ client }: Asking, workflow: string): Promise<string> {
  const params = { name: `workflow_${workflow}`, arguments: {}, task: {} };
  const { task } = await client.request({ method: "tools/call", params }, CreateTaskResultSchema);
  expect(task.status).toBe("working");
  return task.taskId;
}

function resultOf({ client }: Asking, taskId: string): ReturnType<Client["callTool"]> {
  return client.request({ method: "tasks/result", params: { taskId } }, CallToolResultSchema);
}

async function seeTask({ client }: Asking, taskId: string): Promise<{ status: string; statusMessage?: string }> {
  const { status, statusMessage } = await client.request(
    { method: "tasks/get", params: { taskId } },
    GetTaskResultSchema,
  );
  return { status, ...(statusMessage === undefined ? {} : { statusMessage }) };
}

/** Of the newest run of the workflow: where it waits. */
async function gateOf(workflow: string): Promise<{ readonly run: number; readonly step: number }> {
  const [newest] = (await engine.overview.search({ name: workflow, status: "all", limitMax: 1 })).runs;
  const run = newest?.run.id ?? 0;
  const step = (await engine.get(run)).steps.find(({ gate, status }) => gate !== null && status === "pending");
  return { run, step: step?.id ?? 0 };
}

const accept = (content: Record<string, string | number>): ElicitResult => ({ action: "accept", content });

describe.each<Door>(["stdio", "HTTP"])("over %s", (door) => {
  test("a call that meets a gate asks the person at its client, and comes back with what the answer led to", async () => {
    const asking = await open(door);
    const answer = call(asking, "gated");
    const { params, say } = await asking.next();
    expect(params).toMatchObject({
      mode: "form",
      message: "Go on?\n\nIt costs 5",
      requestedSchema: {
        properties: { choice: { enum: ["approved", "rejected", "later"] }, comment: { type: "string" } },
        required: ["choice"],
      },
    });
    expect(params).not.toHaveProperty(["_meta", related]);
    const { run } = await gateOf("gated");
    say(accept({ choice: "later", comment: "not today" }));
    expect(await answer).toMatchObject({ structuredContent: { status: "completed", output: "later" } });
    const { steps, createdBy } = await engine.get(run);
    expect(steps[0]?.gate?.answers).toMatchObject([{ by: createdBy, outcome: "later", comment: "not today" }]);
  });

  test("a task requires input while the gate is open, and asks on its result, as part of the task", async () => {
    const asking = await open(door);
    const taskId = await begin(asking, "both");
    expect(await seeTask(asking, taskId)).toMatchObject({ status: "input_required" });
    const result = resultOf(asking, taskId);
    for (const message of ["First?", "Second?"]) {
      const { params, say } = await asking.next();
      expect(params).toMatchObject({ message, _meta: { [related]: { taskId } } });
      say(accept({ choice: "approved" }));
    }
    expect(await result).toMatchObject({ structuredContent: { output: "both" }, _meta: { [related]: { taskId } } });
    expect(await seeTask(asking, taskId)).toMatchObject({ status: "completed" });
  });

  test("the client's own way to follow a task comes to the question and to its end", async () => {
    const asking = await open(door);
    await asking.client.listTools();
    const stream = asking.client.experimental.tasks.callToolStream({ name: "workflow_gated", arguments: {} });
    void asking.next().then(({ say }) => say(accept({ choice: "approved" })));
    const messages: unknown[] = [];
    for await (const message of stream) messages.push(message);
    expect(messages[0]).toMatchObject({ type: "taskCreated" });
    expect(messages.at(-1)).toMatchObject({ type: "result", result: { structuredContent: { output: "went on" } } });
  });

  test("a form asks for what it asks for beside the choice; what does not fit is asked again, with the reason", async () => {
    const asking = await open(door);
    const answer = call(asking, "form");
    const first = await asking.next();
    expect(first.params).toMatchObject({
      requestedSchema: {
        properties: {
          choice: { enum: ["approved", "rejected"], default: "approved" },
          id: { type: "string" },
          count: { type: "integer", minimum: 1 },
        },
        required: ["choice"],
      },
    });
    first.say(accept({ choice: "approved", id: "x", count: 3 }));
    const second = await asking.next();
    expect(second.params.message).toMatch(/^Which one\?\n\nThe answer before did not fit: "id" must match/);
    second.say(accept({ choice: "approved", id: "6f1b1c80-8f0e-4c53-9d2b-3b1c6f6ad6a1", count: 3 }));
    expect(await answer).toMatchObject({ structuredContent: { output: 3 } });
    const other = call(asking, "form");
    (await asking.next()).say(accept({ choice: "rejected" }));
    expect(await other).toMatchObject({ isError: true, structuredContent: { terminal_kind: "failure" } });
  });

  test.each(["decline", "cancel"] as const)("who says %s leaves the gate open, and is told so", async (action) => {
    const asking = await open(door);
    const answer = call(asking, "gated");
    (await asking.next()).say({ action });
    const { run, step } = await gateOf("gated");
    expect(await answer).toMatchObject({
      content: [{ text: expect.stringMatching(/"Go on\?" was not answered\. It stays open\.[^]*run_respond/) }],
      structuredContent: { status: "running", waiting: [{ step_id: String(step) }] },
    });
    expect(asking.count()).toBe(1);
    await engine.approve(step);
    expect((await engine.result(run)).output).toBe("went on");
  });

  test("what is answered elsewhere is withdrawn, and the call goes on", async () => {
    const asking = await open(door);
    const answer = call(asking, "gated");
    const { withdrawn } = await asking.next();
    await engine.approve((await gateOf("gated")).step);
    await withdrawn;
    expect(await answer).toMatchObject({ structuredContent: { output: "went on" } });
    const taskId = await begin(asking, "gated");
    const result = resultOf(asking, taskId);
    const again = await asking.next();
    await engine.approve((await gateOf("gated")).step);
    await again.withdrawn;
    expect(await result).toMatchObject({ structuredContent: { output: "went on" } });
  });

  test("who gives up on the call is not asked any more, and the gate stays open", async () => {
    const asking = await open(door);
    const leaving = new AbortController();
    const answer = call(asking, "gated", leaving.signal).catch((error: unknown) => error);
    const { withdrawn } = await asking.next();
    leaving.abort();
    await withdrawn;
    expect(await answer).toBeInstanceOf(Error);
    const { run, step } = await gateOf("gated");
    await engine.approve(step);
    expect((await engine.result(run)).output).toBe("went on");
  });

  test("a connection that breaks in the middle of a question changes nothing", async () => {
    const asking = await open(door);
    const taskId = await begin(asking, "gated");
    const result = resultOf(asking, taskId).catch((error: unknown) => error);
    await asking.next();
    await asking.client.close();
    expect(await result).toBeInstanceOf(Error);
    const other = await open(door);
    expect(await seeTask(other, taskId)).toMatchObject({ status: "input_required" });
    const again = resultOf(other, taskId);
    (await other.next()).say(accept({ choice: "approved" }));
    expect(await again).toMatchObject({ structuredContent: { output: "went on" } });
  });

  test("who may not answer is not asked, and is told what would change that", async () => {
    const asking = await open(door, { grants: ["run"] });
    expect(await call(asking, "gated")).toMatchObject({
      content: [
        {
          text: expect.stringMatching(
            door === "stdio"
              ? /It waits for a person: Go on\?[^]*stepwell mcp --approve/
              : /It waits for a person: Go on\?[^]*stepwell token create ann [^]*--scope approve/,
          ),
        },
      ],
      structuredContent: { status: "running" },
    });
    const taskId = await begin(asking, "gated");
    expect(await seeTask(asking, taskId)).toMatchObject({ status: "working" });
    expect(asking.count()).toBe(0);
  });

  test("a gate that does not take the answer of whoever has started the run asks them nothing", async () => {
    const asking = await open(door);
    expect(await call(asking, "others")).toMatchObject({ structuredContent: { status: "running" } });
    expect(asking.count()).toBe(0);
  });

  test("a client that shows no questions is told how to answer", async () => {
    const asking = await open(door, { isAskable: false });
    expect(await call(asking, "gated")).toMatchObject({ content: [{ text: expect.stringContaining("run_respond") }] });
    const taskId = await begin(asking, "gated");
    expect(await seeTask(asking, taskId)).toMatchObject({
      status: "working",
      statusMessage: expect.stringContaining("run_respond"),
    });
  });
});
