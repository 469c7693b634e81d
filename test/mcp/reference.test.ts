import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findLastingPort } from "../../scripts/lasting-port.ts";
import type { Json } from "../../src/flow/json.ts";
import type { McpServers } from "../../src/tool/mcp/server-pool.ts";
import type { Question, ToolAnswer } from "../../src/tool/tool.ts";
import { call, compiled, createServers, done, entryOf, programOf, resultOf, type Told } from "./servers.ts";

const require = createRequire(import.meta.url);
const everything = require.resolve("@modelcontextprotocol/server-everything/dist/index.js");
const filesystem = require.resolve("@modelcontextprotocol/server-filesystem/dist/index.js");
const memory = require.resolve("@modelcontextprotocol/server-memory/dist/index.js");

describe("the reference servers over stdio", () => {
  let folder: string;
  let servers: McpServers & Told;
  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "stepwell-mcp-")));
    servers = createServers([
      programOf("everything", [everything, "stdio"]),
      programOf("files", [filesystem, folder]),
      entryOf("memory", {
        kind: "stdio",
        command: process.execPath,
        args: [memory],
        env: { ...compiled, MEMORY_FILE_PATH: join(folder, "memory.json") },
        cwd: folder,
      }),
    ]);
    await servers.open();
  });
  afterAll(async () => {
    await servers.stop();
    await rm(folder, { recursive: true });
  });

  test("all are ready, and their hints say what their tools do", () => {
    expect(servers.health().map(({ key, status, era }) => `${key} ${status} ${era}`)).toEqual([
      "everything ready legacy",
      "files ready legacy",
      "memory ready legacy",
    ]);
    const effects = Object.fromEntries(servers.tools().map(({ name, effect }) => [name, effect]));
    expect(effects).toMatchObject({
      "files.read_text_file": "read",
      "files.write_file": "idempotent",
      "memory.read_graph": "read",
    });
  });

  test("texts, structure, pictures and failures come back as results", async () => {
    expect(await call(servers, "everything.echo", { input: { message: "hello" } })).toEqual(done("Echo: hello"));
    const weather = await call(servers, "everything.get-structured-content", { input: { location: "New York" } });
    expect(resultOf(weather)).toMatchObject({ temperature: expect.any(Number) });
    const picture = resultOf(await call(servers, "everything.get-tiny-image"));
    expect(picture).toMatchObject({
      content: [{ type: "text" }, { type: "image", mimeType: "image/png" }, { type: "text" }],
    });
    const refused = await call(servers, "files.read_text_file", { input: { path: "/etc/hostname" } });
    expect(refused).toMatchObject({ kind: "failed", code: "tool_failed", isFinal: false });
    const wrong = await call(servers, "everything.get-sum", { input: { a: 1 } });
    expect(wrong).toMatchObject({ kind: "failed", code: "bad_args", isFinal: true });
  });

  test("one server's result is another's argument", async () => {
    const path = join(folder, "note.txt");
    const content = textOf(await call(servers, "everything.echo", { input: { message: "kept" } }));
    await call(servers, "files.write_file", { input: { path, content } });
    expect(await readFile(path, "utf8")).toBe("Echo: kept");
    const entity = { name: "note", entityType: "file", observations: [content] };
    expect(await call(servers, "memory.create_entities", { input: { entities: [entity] } })).toMatchObject({
      kind: "done",
    });
    expect(resultOf(await call(servers, "memory.read_graph"))).toMatchObject({ entities: [entity] });
  });

  test("M1: progress is told, and keeps the call alive", async () => {
    const told: (number | null)[] = [];
    let extended = 0;
    const input = { duration: 0.2, steps: 2 };
    const more = {
      progress: (fraction: number | null) => void told.push(fraction),
      extend: () => void (extended += 1),
    };
    await call(servers, "everything.trigger-long-running-operation", { input, ...more });
    // The last one may come together with the result, which ends the call.
    expect(told.slice(0, 1)).toEqual([0.5]);
    expect(extended).toBe(told.length);
  });

  test("a question in the middle of a call is put to people, and their answer goes back", async () => {
    const asked: Question[] = [];
    const ask = (question: Question): Promise<{ kind: "accepted"; content: Json }> => {
      asked.push(question);
      return Promise.resolve({ kind: "accepted", content: { name: "Ada", check: true } });
    };
    const answer = await call(servers, "everything.trigger-elicitation-request", { ask });
    expect(asked).toMatchObject([
      { message: "Please provide inputs for the following fields:", form: { type: "object" } },
    ]);
    expect(JSON.stringify(resultOf(answer))).toContain("Ada");
    const declined = await call(servers, "everything.trigger-elicitation-request");
    expect(JSON.stringify(resultOf(declined))).toContain("declined");
  });
});

describe("everything over HTTP", () => {
  let program: ChildProcess;
  let servers: McpServers & Told;
  beforeAll(async () => {
    const port = await findLastingPort();
    program = spawn(process.execPath, [everything, "streamableHttp"], {
      env: { PORT: String(port) },
      stdio: ["ignore", "ignore", "pipe"],
    });
    await new Promise<void>((resolve) => {
      program.stderr?.on("data", (chunk: Buffer) => {
        if (chunk.toString().includes("listening")) resolve();
      });
    });
    servers = createServers([entryOf("web", { kind: "http", url: `http://127.0.0.1:${port}/mcp`, headers: {} })]);
    await servers.open();
  });
  afterAll(async () => {
    await servers.stop();
    program.kill("SIGKILL");
  });

  test("its tools are called, in the way that it was found to speak", async () => {
    expect(servers.problems).toEqual([]);
    expect(servers.health()).toMatchObject([{ status: "ready", era: "legacy" }]);
    expect(await call(servers, "web.get-sum", { input: { a: 2, b: 3 } })).toMatchObject({ kind: "done" });
  });

  test("a tool that is a task is kept before it is followed, asks people, and ends with its result", async () => {
    const events: string[] = [];
    const answer = await call(servers, "web.simulate-research-query", {
      input: { topic: "tides", ambiguous: true },
      keep: (handle) => {
        events.push(`keep ${Object.keys(handle as object).join(" ")}`);
        return Promise.resolve();
      },
      progress: (_, message) => void events.push(message ?? ""),
      ask: ({ key, message }) => {
        events.push(`ask ${key.length > 0} ${message.slice(0, 32)}`);
        return Promise.resolve({ kind: "accepted", content: { interpretation: "general" } });
      },
    });
    expect(textOf(answer)).toContain("# Research Report: tides (general)");
    expect(events[0]).toBe("keep kind server task era");
    expect(events).toContain('ask true The research query "tides" could');
    expect(events.filter((event) => event.startsWith("ask"))).toHaveLength(1);
    expect(events).toContain("Gathering sources...");
  });
});

function textOf(answer: ToolAnswer): string {
  const text = resultOf(answer);
  return typeof text === "string" ? text : "";
}
