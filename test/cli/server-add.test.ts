// Servers that are added by a command: tried out first, there for every command after it, and removed again.

import { existsSync, readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fileURLToPath } from "node:url";
import { openInside, refusalOf, type Inside } from "./inside.ts";

const badtool = fileURLToPath(new URL("../mcp/badtool.ts", import.meta.url));
let inside: Inside;

beforeEach(() => {
  inside = openInside();
});

afterEach(() => inside.remove());

test("a server that is added is called by later commands, until it is removed", async () => {
  const added = await inside.call("server", "add", "parrot", "--env", "NAME=${HOME}", "--", process.execPath, badtool);
  expect([added.exitCode, added.stdout]).toEqual([0, expect.stringContaining("parrot: ready, 2 tools")]);
  const file = JSON.parse(readFileSync(`${inside.store}-servers.json`, "utf8"));
  expect(file.mcpServers.parrot).toMatchObject({
    command: process.execPath,
    args: [badtool],
    env: { NAME: "${HOME}" },
  });
  expect((await inside.call("tool", "list")).stdout).toContain("parrot.echo");
  expect((await inside.call("tool", "call", "parrot.echo", "a=1")).stdout).toContain('"a"');
  expect((await refusalOf(inside, "server", "add", "parrot", "--", process.execPath, badtool)).slice(0, 2)).toEqual([
    "REFUSED",
    10,
  ]);
  expect((await inside.call("server", "remove", "parrot")).exitCode).toBe(0);
  expect((await inside.list("server", "list")).length).toBe(0);
});

test("one that does not answer is not added, and what it said last is told", async () => {
  const script = "process.stderr.write('no licence was found'); process.exit(3)";
  const { exitCode, stderr } = await inside.call("server", "add", "broken", "--", process.execPath, "-e", script);
  expect(exitCode).toBe(1);
  expect(stderr).toContain("broken was not added: Its program has ended with code 3. Its last words: no licence");
  expect(existsSync(`${inside.store}-servers.json`)).toBe(false);
});

test("what cannot be meant is refused, without what may be a secret", async () => {
  const refused = (...args: string[]): Promise<readonly unknown[]> => refusalOf(inside, "server", "add", ...args);
  expect(await refused("docs", "https://example.com/mcp", "--header", "hush-hush")).toEqual([
    "USAGE",
    2,
    "--header takes NAME=VALUE.",
  ]);
  expect((await refused("docs", "https://example.com/mcp", "more"))[0]).toBe("USAGE");
  expect((await refused("files", "files-server", "--header", "a=b"))[0]).toBe("USAGE");
  expect((await refused("files"))[0]).toBe("USAGE");
});
