// `npm run mcp:peers`: clients that others have written, against our server: the Inspector lists, calls and follows a task
// to its end, and `mcpdo` answers a gate, each over stdio and over HTTP. peers.test.ts runs it.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Json } from "../../src/flow/json.ts";
import { openEngine } from "../../src/open-engine.ts";
import { createApp } from "../../src/server/app.ts";
import { listen } from "../../src/server/serve.ts";
import { createBuiltinTools } from "../../src/tool/builtin/builtin.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "stepwell-peers-"));
const store = join(folder, "stepwell.db");
const launcher = `${root}node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js`;

const slow: Json = { steps: { start: { tool: "demo.sleep", args: { ms: 1500 }, next: "end" }, end: end("slept") } };
const gated: Json = {
  steps: {
    start: {
      gate: { title: "Go on?", form: { type: "object", properties: { confirm: { type: "boolean" } } } },
      next: "end",
    },
    end: end("went on"),
  },
};

function end(output: string): Json {
  return { set: {}, done: { output } };
}

type Told = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** Peers keep what they know in the user's folder: this one is ours. */
async function run(words: readonly string[]): Promise<Told> {
  const env = { ...process.env, HOME: folder };
  const child = spawn(process.execPath, [...words], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (text: Buffer) => (stdout += String(text)));
  child.stderr.on("data", (text: Buffer) => (stderr += String(text)));
  const code = await new Promise<number | null>((resolve) => {
    child.on("close", resolve);
  });
  return { code, stdout, stderr };
}

function inspect(target: readonly string[], ...rest: readonly string[]): Promise<Told> {
  return run([launcher, "--cli", ...target, ...rest, "--format", "json"]);
}

function mcpdo(...words: readonly string[]): Promise<Told> {
  return run([`${root}node_modules/.bin/mcpdo`, ...words]);
}

async function answerGate(about: string, name: string, era: string, target: readonly string[]): Promise<void> {
  const connected = await mcpdo("connect", "--connection", name, "--era", era, ...target);
  assert.equal(connected.code, 0, connected.stdout + connected.stderr);
  const asked = await mcpdo(`@${name}`, "tools/call", "workflow_gated");
  const told = asked.stdout + asked.stderr;
  assert.match(told, /elicitation/i, told);
  const [, id = ""] = /elicitation\/respond\s+(\S+)/u.exec(told) ?? /"id":\s*"([^"]+)"/u.exec(told) ?? [];
  // In the old way of speaking the form asks for the answer's name as well.
  const fields = era === "legacy" ? ['choice:="approved"', "confirm:=true"] : ["confirm:=true"];
  const answered = await mcpdo(`@${name}`, "elicitation/respond", id, ...fields);
  assert.match(answered.stdout + answered.stderr, /went on/, `${told}\n${answered.stdout}${answered.stderr}`);
  passed(`mcpdo answers a gate: ${about}`);
}

function passed(what: string): void {
  process.stdout.write(`✓ ${what}\n`);
}

const builtin = createBuiltinTools({ now: Date.now, say: () => {}, httpHosts: [] });
const engine = await openEngine({ store, tools: builtin });
await engine.save(slow, { name: "slow" });
await engine.save(gated, { name: "gated" });
const { text: token } = await engine.access.tokens.create({ user: "ann", name: "peers", scopes: ["run", "approve"] });
const ending = new AbortController();
const app = createApp(engine, { isLoopback: true, live: { ending: ending.signal } });
const listener = await listen({ host: "127.0.0.1", port: 0 });
listener.handle((request, env) => app.fetch(request, env));
const url = `http://127.0.0.1:${listener.port}/mcp`;
const header = `Authorization: Bearer ${token}`;

try {
  const places: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ["HTTP", [url], ["--header", header, "--transport", "http"]],
    ["stdio", [process.execPath, `${root}src/cli/main.ts`, "mcp", "--store", store], []],
  ];
  for (const [name, target, rest] of places) {
    const list = await inspect(target, "--method", "tools/list", "--protocol-era", "modern", ...rest);
    assert.match(list.stdout, /workflow_slow/, list.stderr);
    passed(`Inspector lists our tools over ${name}`);
    const call = ["--method", "tools/call", "--tool-name", "workflow_slow", "--protocol-era", "modern", ...rest];
    const called = await inspect(target, ...call);
    assert.equal(called.code, 0, called.stderr);
    assert.match(called.stdout, /slept/, called.stderr);
    passed(`Inspector calls a workflow over ${name}, and follows its task to its end`);
  }
  const program = [process.execPath, `${root}src/cli/main.ts`, "mcp", "--store", store, "--approve"];
  const gates: readonly (readonly [string, "modern" | "legacy", readonly string[]])[] = [
    ["HTTP", "modern", [url, "--header", header]],
    ["stdio", "modern", ["--", ...program]],
    ["stdio", "legacy", ["--", ...program]],
  ];
  for (const [name, era, target] of gates) await answerGate(`${name}, ${era}`, `${name}-${era}`, era, target);
} finally {
  await mcpdo("daemon", "stop");
  ending.abort();
  await listener.close();
  await engine.stop({ now: true });
  rmSync(folder, { recursive: true, force: true });
}
