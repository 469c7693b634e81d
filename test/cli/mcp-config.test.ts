// stepwell mcp config: what goes into the file of another program.

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
