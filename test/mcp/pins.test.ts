// Tools of a server from its configuration to the hand of whoever agrees: through the library, the service and the command
// line, which is a guest of the engine meanwhile.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/flow/json.ts";
import { openEngine, type ServedEngine } from "../../src/open-engine.ts";
import { createApp } from "../../src/server/app.ts";
import { openInside, type Inside } from "../cli/inside.ts";

const badtool = fileURLToPath(new URL("badtool.ts", import.meta.url));

let inside: Inside;
let config: string;
let lock: string;
let engine: ServedEngine;
const problems: string[] = [];

beforeAll(async () => {
  inside = openInside({ environment: { STEPWELL_INPUT_MODE: "good" } });
  lock = join(inside.folder, "agreed.json");
  config = inside.write(
    "mcp.json",
    `{ // as an editor has it
      "servers": {
        "bad": { "command": ${JSON.stringify(process.execPath)}, "args": [${JSON.stringify(badtool)}, "\${input:mode}"] },
        "rests": { "command": "nothing", "disabled": true },
        "unset": { "url": "https://127.0.0.1:1/", "headers": { "Authorization": "Bearer \${STEPWELL_TEST_NOT_SET}" } },
        "text": { "command": "nothing" },
      },
    }`,
  );
  process.env["STEPWELL_INPUT_MODE"] = "good";
  engine = await openEngine({
    store: inside.store,
    mcpConfig: config,
    lock,
    onProblem: ({ message }) => void problems.push(message),
  });
});

afterAll(async () => {
  delete process.env["STEPWELL_INPUT_MODE"];
  await engine.stop();
  inside.remove();
});

async function ask(method: string, path: string, body?: JsonObject): Promise<JsonObject & readonly JsonObject[]> {
  const app = createApp(engine, { isLoopback: true });
  const response = await app.request(`http://localhost${path}`, {
    method,
    headers: { host: "localhost", "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await response.json()) as JsonObject & readonly JsonObject[];
}

const statusOf = async (key: string): Promise<string | undefined> =>
  (await engine.servers.list()).find((server) => server.key === key)?.status;

describe("servers", () => {
  test("are connected to, or refused each for itself, and say so", async () => {
    expect(await Promise.all(["bad", "rests", "unset", "text"].map(statusOf))).toEqual([
      "ready",
      "disabled",
      "refused",
      "refused",
    ]);
    expect(problems.join("\n")).toContain("${STEPWELL_TEST_NOT_SET} stands in headers.Authorization");
    expect(problems.join("\n")).toContain(`${config}:6:9 The server "text" is taken by the tools text.*`);
    expect(await ask("GET", "/api/servers")).toMatchObject([
      { key: "bad", status: "ready", tool_count: 2, changed_count: 0, file: config },
      { key: "rests" },
      { key: "unset", problem: expect.stringContaining("is not set") },
      { key: "text" },
    ]);
    expect(await ask("GET", "/api/tools")).toMatchObject([
      { name: "bad.echo", server: "bad", effect: "write" },
      { name: "bad.pid", server: "bad", effect: "read" },
    ]);
  });

  test("are tested and started anew, through the owner", async () => {
    const listed = await inside.call("server", "list");
    expect([listed.exitCode, listed.stderr]).toEqual([0, expect.stringContaining("as a guest")]);
    expect(listed.stdout).toMatch(/^bad +ready +2 +- /m);
    const tested = await inside.call("server", "test", "bad", "unset");
    expect([tested.exitCode, tested.stdout]).toEqual([1, expect.stringContaining("bad: ready, 2 tools")]);
    const before = await engine.tools.call("bad.pid");
    expect(await inside.json("server", "restart", "bad")).toMatchObject({ status: "ready", restarts: 1 });
    expect((await engine.tools.call("bad.pid")).result).not.toEqual(before.result);
    expect(await ask("POST", "/api/servers/bad/test")).toMatchObject({ status: "ready" });
    const missing = await inside.call("server", "restart", "bat");
    expect([missing.exitCode, missing.stderr]).toEqual([3, expect.stringContaining('Did you mean "bad"?')]);
  });

  test("show their tools to who only looks, as they are agreed on", async () => {
    const shown = await inside.call("tool", "list", "--mcp", config);
    expect(shown.stdout).not.toContain("bad.echo");
    expect(shown.stderr).toContain("not connected to yet: bad, unset");
    const agreed = openInside({ environment: { STEPWELL_LOCK: lock, STEPWELL_MCP: config } });
    expect((await agreed.call("tool", "list")).stdout).toMatch(/^bad\.echo +write +Says what it was told/m);
    expect((await agreed.call("tool", "show", "bad.pid")).stdout).toContain("bad.pid  read");
    agreed.remove();
  });

  test("are completed by their keys", async () => {
    const { stdout } = await inside.call("complete", "--", "server", "restart", "--mcp", config, "");
    expect(stdout).toBe("bad\tserver\nrests\tserver\nunset\tserver\n:plain\n");
  });
});

describe("M8: a tool that changes under a running flow", () => {
  test("holds the steps that call it, and no other, until somebody agrees", async () => {
    const flow = {
      turn: { tool: "bad.echo", args: { switch: "changes-description" }, next: "again" },
      again: { tool: "bad.echo", args: { hello: "again" }, done: true },
    };
    const { id } = await engine.start(flow);
    await waitUntil(id, "tool_changed");
    expect((await engine.tools.call("bad.pid")).error).toBeNull();

    const [item, held] = await ask("GET", "/api/inbox");
    expect(item).toMatchObject({
      kind: "changed_tool",
      workflow_id: null,
      message: expect.stringContaining("- Says what it was told\n+ "),
      actions: [{ method: "POST", path: "/api/lock/approve", body: { name: "bad.echo" } }],
    });
    expect(held).toMatchObject({ kind: "tool_changed", workflow_id: id, step: "again" });
    expect((await inside.call("inbox")).stdout).toContain("lock approve bad.echo");

    const diff = await inside.call("lock", "diff", "bad");
    expect([diff.exitCode, diff.stdout]).toEqual([1, expect.stringContaining("bad.echo  description: only words")]);
    expect((await inside.call("lock", "show")).stdout).toMatch(/^bad\.echo +[0-9a-f]{16} +changed$/m);

    const [change] = await engine.lock.changes();
    expect(item?.["actions"]).toMatchObject([{ body: { name: "bad.echo", hash: change?.hash } }]);
    expect(await ask("POST", "/api/lock/approve", { name: "bad.echo", hash: "0" })).toMatchObject({
      status: 409,
      details: { code: "version_changed" },
    });
    await expect(engine.lock.approve("bad", { expected: null })).rejects.toMatchObject({ code: "REFUSED" });
    const approved = await inside.call("lock", "approve", "bad.echo");
    expect([approved.exitCode, approved.stdout]).toEqual([0, "bad.echo\n"]);
    expect(await engine.result(id)).toMatchObject({ status: "completed", output: { hello: "again" } });
    expect(await ask("GET", "/api/inbox")).toEqual([]);
    expect(await ask("GET", "/api/lock")).toMatchObject({ file: lock, changes: [], servers: [{ key: "bad" }] });
    expect((await engine.tools.get("bad.echo")).description).not.toBe("Says what it was told");
    expect(readFileSync(lock, "utf8")).toMatch(/"target": "#[0-9a-f]{8}\/node #[0-9a-f]{8} \$\{input:mode\}"/);
    expect(await engine.access.audit({ limitMax: 1 })).toMatchObject([{ verb: "lock.approve", subject: "bad.echo" }]);
  });

  test("is agreed to by those alone who may say who may do what", async () => {
    await engine.access.save("bob", { keys: ["130001.read", "130001.operate"] });
    const bob = engine.as("bob");
    expect(await bob.lock.changes()).toEqual([]);
    await expect(bob.lock.approve("bad")).rejects.toMatchObject({ code: "NOT_ALLOWED" });
    await expect(engine.lock.approve("bat")).rejects.toMatchObject({ code: "TOOL_SERVER_NOT_FOUND" });
    await expect(engine.lock.approve("bad.bat")).rejects.toMatchObject({ code: "TOOL_NOT_FOUND" });
    expect(await engine.lock.approve("bad")).toEqual([]);
    await engine.access.remove("bob");
  });
});

/** As soon as the run wants a person for this. */
async function waitUntil(run: number, code: string): Promise<void> {
  for await (const _ of engine.watch(run)) if ((await engine.get(run)).attention?.code === code) return;
}
