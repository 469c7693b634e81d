import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../../flow/json.ts";
import { createBuiltinTools } from "../builtin/builtin.ts";
import { readServers, type ServersReading, type ServerSettings } from "./config.ts";
import { builtinGroups, parseServers, parseServersFile } from "./parse-servers.ts";
import { findUnpinned } from "./unpinned.ts";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "stepwell-mcp-"));
});

afterAll(() => rmSync(folder, { recursive: true }));

/** A file of this name with this text. */
function write(name: string, text: string): string {
  const path = join(folder, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const read = (name: string, text: string): Promise<ServersReading> => readServers({ mcpConfig: write(name, text) });

/** What is wrong with one server. */
function refusalOf(value: Json): string {
  const { servers, findings } = parseServers({ one: value }, { file: null, folder });
  expect(servers).toEqual([]);
  return findings.map(({ message }) => message).join(" ");
}

describe("a file that people have already", () => {
  test("is that of Claude Code", async () => {
    const text =
      '{ "mcpServers": { "files": { "command": "npx", "args": ["-y", "pkg@1.2.3"], "env": { "A": "${B}" } }, "web": { "type": "http", "url": "https://x/mcp", "headers": { "Authorization": "Bearer ${T}" } } } }';
    const path = write(".mcp.json", text);
    const { servers, refused, warnings } = await readServers({ mcpConfig: path });
    expect([refused, warnings]).toEqual([[], []]);
    expect(servers.map(({ entry }) => entry)).toEqual([
      {
        key: "files",
        target: { kind: "stdio", command: "npx", args: ["-y", "pkg@1.2.3"], env: { A: "${B}" }, cwd: null },
        isDisabled: false,
        timeoutMs: null,
        era: "auto",
        callsMax: null,
        effects: {},
        file: path,
      },
      {
        key: "web",
        target: { kind: "http", url: "https://x/mcp", headers: { Authorization: "Bearer ${T}" } },
        isDisabled: false,
        timeoutMs: null,
        era: "auto",
        callsMax: null,
        effects: {},
        file: path,
      },
    ]);
    expect(servers[0]?.folder).toBe(folder);
  });

  test("is that of VS Code, with comments, inputs and the project around it", async () => {
    const text =
      '{ // mine\n "inputs": [{ "id": "key", "type": "promptString", "default": "d" }, 3],\n "servers": { "one": { "command": "x", "envFile": ".env", }, }, }';
    const { servers } = await read("project/.vscode/mcp.json", text);
    expect(servers).toMatchObject([
      { envFile: ".env", folder: join(folder, "project"), inputs: [{ id: "key", fallback: "d" }] },
    ]);
  });

  test.each([
    ["the settings of VS Code", '{ "mcp": { "servers": { "one": { "command": "x" } } } }', { kind: "stdio" }],
    ["one that says serverUrl", '{ "mcpServers": { "one": { "serverUrl": "http://x" } } }', { url: "http://x" }],
    ["one that says httpUrl", '{ "mcpServers": { "one": { "httpUrl": "http://x" } } }', { url: "http://x" }],
    ["one of Cline", '{ "mcpServers": { "one": { "type": "streamable_http", "url": "http://x" } } }', { kind: "http" }],
    ["one with a type", '{ "servers": { "one": { "type": "streamableHttp", "url": "http://x" } } }', { kind: "http" }],
    [
      "YAML",
      "mcpServers:\n  one: { command: x, env: { PORT: 80, ON: true, OFF: null } }\n",
      { env: { PORT: "80", ON: "true" } },
    ],
  ])("is %s", async (_, text, target) => {
    const { servers } = await read(text.startsWith("{") ? "other.json" : "other.yaml", text);
    expect(servers.map(({ entry }) => entry.target)).toMatchObject([target]);
  });

  test("says what is disabled, how long to wait, how many calls at once, and what tools do", async () => {
    const entries = {
      a: { command: "x", disabled: true, timeout: 60, era: "modern", effects: { get: "read" } },
      b: { command: "x", enabled: false, timeout: 30_000, concurrency: 4 },
      d: { command: "x", disabled: "false" },
      e: { command: "x", enabled: "False" },
      c: { command: "x", enabled: true, timeout: "5s", protocolEra: "legacy" },
    } as unknown as Readonly<Record<string, ServerSettings>>;
    const { servers } = await readServers({ mcpServers: entries });
    const told = servers.map(({ entry: { isDisabled, timeoutMs, era, callsMax, effects } }) => [
      isDisabled,
      timeoutMs,
      era,
      callsMax,
      effects,
    ]);
    expect(told).toEqual([
      [true, 60_000, "modern", null, { get: "read" }],
      [true, 30_000, "auto", 4, {}],
      [false, null, "auto", null, {}],
      [true, null, "auto", null, {}],
      [false, 5000, "legacy", null, {}],
    ]);
  });
});

describe("the file in which Claude Code keeps everything", () => {
  const server = (command: string): Json => ({ type: "stdio", command });
  const parse = (document: Json, current: string): readonly (readonly [string, string, string])[] =>
    parseServersFile(document, { file: "claude.json", folder: "/users/me", current }).servers.map(
      ({ entry: { key, target }, folder: at }) => [key, target.kind === "stdio" ? target.command : "", at],
    );
  const document: { readonly [key: string]: Json } = {
    numStartups: 3,
    projects: {
      "/users/me": { mcpServers: { far: server("far") } },
      "/users/me/p": { mcpServers: { near: server("near"), both: server("of the project") } },
      "/users/me/other": { mcpServers: { no: server("no") } },
      "/users/me/p/none": {},
    },
    mcpServers: { both: server("of all"), all: server("all") },
  };

  test("has servers for all projects and for this one, whose own count first", () => {
    const own = [
      ["near", "near", "/users/me/p"],
      ["both", "of the project", "/users/me/p"],
      ["all", "all", "/users/me"],
    ];
    expect(parse(document, "/users/me/p")).toEqual(own);
    expect(parse(document, "/users/me/p/src/deep")).toEqual(own);
    expect(parse(document, "/users/me/p2")).toEqual([
      ["far", "far", "/users/me"],
      ["both", "of all", "/users/me"],
      ["all", "all", "/users/me"],
    ]);
    expect(parse(document, "/elsewhere").map(([key]) => key)).toEqual(["both", "all"]);
  });

  test("one of this project that cannot be used is not replaced by one of all that is called alike", () => {
    const projects = { "/users/me/p": { mcpServers: { both: { urll: "https://x" } } } };
    expect(parse({ ...document, projects }, "/users/me/p").map(([key]) => key)).toEqual(["all"]);
  });

  test("may have some for this project alone, or for others alone", () => {
    const { mcpServers: _, ...alone } = document;
    expect(parse(alone, "/users/me/p").map(([key]) => key)).toEqual(["near", "both"]);
    const { findings } = parseServersFile(alone, { file: "claude.json", folder: "/users/me", current: "/elsewhere" });
    expect(findings).toMatchObject([
      { server: null, message: expect.stringContaining("for other folders than /elsewhere") },
    ]);
  });
});

describe("what is wrong with a server", () => {
  test.each<readonly [Json, string]>([
    ["x", "expected a map with command or url, got text"],
    [{}, "has neither command nor url"],
    [{ comand: "x" }, 'did you mean "command" by "comand"?'],
    [{ command: 3 }, "command of it: expected text, got a number"],
    [{ command: "" }, "command of it: is empty"],
    [{ command: "a\0b" }, "command of it:"],
    [{ command: "x", url: "http://x" }, "both a command and a url"],
    [{ type: "sse", url: "http://x" }, "given up"],
    [{ type: "websocket", url: "http://x" }, 'expected stdio or http, got "websocket"'],
    [{ type: "http", command: "x" }, "a service without a url"],
    [{ type: "stdio", url: "http://x" }, "a program without a command"],
    [{ command: "x", args: "y" }, "args of it: expected a list of texts"],
    [{ command: "x", args: [{ a: 1 }] }, "args of it: expected a list of texts"],
    [{ command: "x", env: { A: { b: 1 } } }, "env.A of it: expected text, got a map"],
    [{ command: "x", env: [] }, "env of it: expected a map of texts"],
    [{ url: "http://x", headers: "y" }, "headers of it: expected a map of texts"],
    [{ command: "x", disabled: "yes" }, "disabled of it: expected true or false"],
    [{ command: "x", timeout: "soon" }, "timeout of it: expected milliseconds"],
    [{ command: "x", era: "old" }, "era of it: expected legacy, modern or auto"],
    [{ command: "x", concurrency: 0 }, "concurrency of it: expected how many calls"],
    [{ command: "x", concurrency: "many" }, "concurrency of it: expected how many calls"],
    [{ command: "x", effects: { get: "none" } }, "effects.get of it: expected read, idempotent or write"],
  ])("%j is told", (value, message) => {
    expect(refusalOf(value)).toContain(message);
  });

  test("stands with its place, and the others are taken", async () => {
    const { servers, refused } = await read(
      "places.json",
      '{ "mcpServers": {\n  "good": { "command": "x" },\n  "bad": { "command": "x",\n    "args": 3, "cwd": 4 }\n} }',
    );
    expect(servers.map(({ entry }) => entry.key)).toEqual(["good"]);
    const path = join(folder, "places.json");
    expect(refused).toEqual([
      {
        key: "bad",
        file: path,
        problem: `${path}:4:5 The server "bad", args of it: expected a list of texts. ${path}:4:16 The server "bad", cwd of it: expected text, got a number.`,
      },
    ]);
  });

  test.each(["a.b", "a b", "", "ä", "x".repeat(65), "text", "demo"])("may be its name: %j", (key) => {
    const { servers, findings } = parseServers({ [key]: { command: "x" } }, { file: null, folder });
    expect([servers, findings.map(({ severity }) => severity)]).toEqual([[], ["error"]]);
  });

  test.each([
    ["io.github.upstash/context7", "io_github_upstash_context7"],
    ["time", "mcp-time"],
    [" ä ", "mcp"],
    ["x".repeat(65), "x".repeat(64)],
  ])("is told with the name that it could have: %j", (key, name) => {
    const { findings } = parseServers({ [key]: { command: "x" } }, { file: null, folder });
    expect(findings).toMatchObject([{ server: key, message: expect.stringContaining(`write "as": "${name}" in it`) }]);
    const { servers } = parseServers({ [key]: { command: "x", as: name } }, { file: null, folder });
    expect(servers.map(({ entry }) => entry.key)).toEqual([name]);
  });

  test("may be the name that it was given here", () => {
    const { findings } = parseServers({ one: { command: "x", as: "a.b" } }, { file: null, folder });
    expect(findings.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^The server "one", as of it: is no name/),
    ]);
  });

  test("is never a name that only looks dangerous", () => {
    const value = JSON.parse('{ "__proto__": { "command": "x" }, "constructor": { "command": "x" } }') as Json;
    const { servers } = parseServers(value, { file: null, folder });
    expect(servers.map(({ entry }) => entry.key)).toEqual(["__proto__", "constructor"]);
  });

  test("is told of every name that built-in tools have, and of no other", () => {
    const tools = createBuiltinTools({ now: () => 0, say: () => {}, filesFolder: folder });
    expect(new Set(tools.map(({ name }) => name.split(".")[0]))).toEqual(builtinGroups);
  });
});

describe("what is wrong with a file", () => {
  test.each([
    ["broken.json", '{ "mcpServers": ', /broken\.json:1:\d+ /],
    ["empty.json", " \n", /empty\.json is empty\./],
    ["other.json", '{ "servers": [] }', /other\.json:1:1 There are no servers in it/],
    ["large.json", " ".repeat(1_048_577), /larger than 1 MB/],
    ["deep.json", "[".repeat(100_000), /deep\.json:1:\d+ /],
    ["list.json", "[]", /There are no servers in it/],
    [
      "many.json",
      JSON.stringify({ servers: Object.fromEntries(Array.from({ length: 101 }, (_, no) => [`s${no}`, {}])) }),
      /There are 101 servers/,
    ],
  ])("%s is told, and nothing of it is used", async (name, text, message) => {
    await expect(read(name, text)).rejects.toMatchObject({
      code: "INPUT_INVALID",
      message: expect.stringMatching(message),
    });
  });

  test("is also that it is not there, or a folder", async () => {
    await expect(readServers({ mcpConfig: join(folder, "none.json") })).rejects.toMatchObject({
      code: "FILE_NOT_FOUND",
    });
    await expect(readServers({ mcpConfig: folder })).rejects.toMatchObject({ code: "INPUT_INVALID" });
  });

  test("one that cannot be used is not replaced by one of another file, under whatever name steps call it", async () => {
    const first = write(
      "first.json",
      '{ "mcpServers": { "Git Hub": { "as": "github", "type": "sse", "url": "https://x" } } }',
    );
    const other = write("other.json", '{ "mcpServers": { "github": { "command": "elsewhere" } } }');
    const { servers, refused } = await readServers({ mcpConfig: [first, other] });
    expect(servers).toEqual([]);
    expect(refused).toMatchObject([{ key: "github", file: first, problem: expect.stringContaining('"Git Hub"') }]);
  });

  test("is only told when it stands twice, in one file or in two", async () => {
    const first = write("first.json", '{ "mcpServers": { "a": { "command": "x" }, "a": { "command": "y" } } }');
    const second = write("second.json", '{ "mcpServers": { "a": { "command": "z" } } }');
    const { servers, warnings } = await readServers({ mcpConfig: [first, second] });
    expect(servers.map(({ entry }) => entry.target)).toMatchObject([{ command: "y" }]);
    expect(warnings).toEqual([
      expect.stringContaining('The key "a" stands twice'),
      `The server "a" stands in ${first} and in ${second}; the first of them is taken.`,
    ]);
  });
});

test.each([
  ["npx", ["-y", "pkg"], "pkg"],
  ["npx", ["--yes", "@scope/pkg@latest", "folder"], "@scope/pkg@latest"],
  ["npx", ["-y", "@scope/pkg@1.2.3"], undefined],
  ["npx", ["--package=pkg", "bin"], "pkg"],
  ["npx", ["-p", "pkg@2.0.0", "bin"], undefined],
  ["npx", ["./local.js"], undefined],
  ["npx", ["${PACKAGE}"], undefined],
  ["/usr/bin/npx", ["pkg"], "pkg"],
  ["npx.cmd", ["pkg"], "pkg"],
  ["uvx", ["--python", "3.12", "pkg"], "pkg"],
  ["uvx", ["pkg==1.0"], undefined],
  ["node", ["pkg"], undefined],
  ["npx", [], undefined],
])("of %s %j, %s has no version", (command, args, unpinned) => {
  expect(findUnpinned({ command, args })).toBe(unpinned);
});

test("a program that is fetched without a version is warned of", async () => {
  const { servers, warnings } = await readServers({
    mcpServers: { a: { command: "npx", args: ["-y", "pkg@latest"] } },
  });
  expect(servers).toHaveLength(1);
  expect(warnings).toEqual([expect.stringContaining("Write it as pkg@1.2.3")]);
});
