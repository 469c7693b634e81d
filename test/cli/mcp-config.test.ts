// stepwell mcp config: what goes into the file of another program.

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readServers } from "../../src/tool/mcp/config.ts";
import { openInside, refusalOf, type Inside } from "./inside.ts";

let inside: Inside;

beforeAll(() => {
  inside = openInside({ environment: { STEPWELL_STORE: "" } });
});

afterAll(() => inside.remove());

test.each([
  ["claude", "mcpServers", {}, ".mcp.json"],
  ["cursor", "mcpServers", {}, ".cursor/mcp.json"],
  ["vscode", "servers", { type: "stdio" }, ".vscode/mcp.json"],
])("for %s names the store by its whole path", async (host, key, extra, place) => {
  const { exitCode, stdout, stderr } = await inside.call("mcp", "config", host, "--store", "data/own.db");
  const server = { ...extra, command: "stepwell", args: ["mcp", "--store", resolve("data/own.db")] };
  expect([exitCode, JSON.parse(stdout)]).toEqual([0, { [key]: { stepwell: server } }]);
  expect(stderr).toContain(place);
  // What is printed can be read again, by us too.
  const { servers } = await readServers({ mcpConfig: inside.write(`${host}.json`, stdout) });
  expect(servers.map(({ entry }) => entry.key)).toEqual(["stepwell"]);
});

test("names the files with tools that are in use here by their whole paths", async () => {
  const config = inside.write("stepwell.config.json", '{ "mcp": "more.json" }');
  const told = openInside({ environment: { STEPWELL_STORE: "own.db", STEPWELL_CONFIG: config } });
  const print = async (...flags: readonly string[]): Promise<unknown> =>
    JSON.parse((await told.call("mcp", "config", "claude", ...flags)).stdout).mcpServers.stepwell;
  const args = ["mcp", "--store", resolve("own.db")];
  const env = { STEPWELL_CONFIG: config };
  expect(await print()).toEqual({ command: "stepwell", args, env });
  expect(await print("--mcp", "one.json", "--mcp", "/two.json", "--tools", "own.ts")).toEqual({
    command: "stepwell",
    args: [...args, "--tools", resolve("own.ts"), "--mcp", resolve("one.json"), "--mcp", "/two.json"],
    env,
  });
  told.remove();
  const other = openInside({ environment: { STEPWELL_MCP: "one.json", STEPWELL_LOCK: "lock.json" } });
  const { stdout } = await other.call("mcp", "config", "vscode", "--store", "own.db");
  expect(JSON.parse(stdout).servers.stepwell).toMatchObject({
    args: [...args, "--mcp", resolve("one.json")],
    env: { STEPWELL_LOCK: resolve("lock.json") },
  });
  other.remove();
});

test("in a clone, where no command is installed, names what it runs by its whole path", async () => {
  const clone = openInside({ environment: { STEPWELL_STORE: "own.db", npm_lifecycle_event: "start" } });
  const { stdout } = await clone.call("mcp", "config", "claude");
  const { command, args } = JSON.parse(stdout).mcpServers.stepwell;
  expect([command, args.slice(1)]).toEqual([process.execPath, ["mcp", "--store", resolve("own.db")]]);
  expect(existsSync(args[0])).toBe(true);
  clone.remove();
});

test("leaves the password of a server out", async () => {
  const address = "postgres://ann:pass-word@db.example.com/app";
  const { stdout, stderr } = await inside.call("mcp", "config", "claude", "--store", address);
  expect(stdout).toContain("postgres://ann@db.example.com/app");
  expect(stdout + stderr).not.toContain("pass-word");
  expect(stderr).toContain("PGPASSWORD");
});

test("is refused for a program that nobody knows", async () => {
  expect((await refusalOf(inside, "mcp", "config", "emacs")).slice(0, 2)).toEqual(["USAGE", 2]);
  expect((await refusalOf(inside, "mcp", "config"))[2]).toBe("Say for which program.");
});
