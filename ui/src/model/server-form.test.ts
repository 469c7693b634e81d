import { describe, expect, test } from "vitest";
import { emptyServer, nextPasted, readPairs, readPasted, readServer } from "./server-form.ts";

describe("a program", () => {
  const program = (command: string, environment = "") => readServer({ ...emptyServer, command, environment });

  test("is its first word, and the others are its arguments", () => {
    expect(program(`npx -y "a server" \${ROOT}`, "TOKEN=${TOKEN}\n# a note\n\nEMPTY=")).toEqual({
      settings: { command: "npx", args: ["-y", "a server", "${ROOT}"], env: { TOKEN: "${TOKEN}", EMPTY: "" } },
      problems: {},
    });
    expect(program("server").settings).toEqual({ command: "server", args: [] });
  });

  test("that is not said yet is missing, and nothing is wrong with it", () => {
    expect(program("  ")).toEqual({ settings: null, problems: {} });
  });

  test("with a quote too many or a variable before it is told at its field", () => {
    expect(program("node 'x").problems.command).toMatch(/not closed/);
    expect(program("TOKEN=hush-hush node x").problems.command).toMatch(/belongs to the environment/);
    expect(program("TOKEN=hush-hush node x").settings).toBeNull();
    expect(JSON.stringify(program("TOKEN=hush-hush node x"))).not.toContain("hush-hush");
    expect(program("node x", "TOKEN").problems).toEqual({ environment: "Line 1 is no NAME=VALUE." });
  });
});

describe("an address", () => {
  const address = (url: string, headers = "") => readServer({ ...emptyServer, way: "address", url, headers });

  test("takes headers with = and with a colon", () => {
    expect(address(" https://example.com/mcp ", "Authorization=Bearer ${T}:x\nX-Kind: a=b")).toEqual({
      settings: { url: "https://example.com/mcp", headers: { Authorization: "Bearer ${T}:x", "X-Kind": "a=b" } },
      problems: {},
    });
  });

  test("begins with http or https, or is filled in", () => {
    expect(address("example.com").problems.url).toMatch(/begins with http/);
    expect(address("${MCP_URL}").settings).toEqual({ url: "${MCP_URL}" });
    expect(address("")).toEqual({ settings: null, problems: {} });
  });
});

test("a name is one by which steps can call", () => {
  expect(readServer({ ...emptyServer, name: "a b" }).problems.name).toMatch(/letters, digits/);
  expect(readServer({ ...emptyServer, name: "my-server_2" }).problems).toEqual({});
});

test("a value that is wrong is never repeated, and one that is said twice is", () => {
  expect(readPairs("hush-hush", "=")).toEqual({ ok: false, problem: "Line 1 is no NAME=VALUE." });
  expect(readPairs("=hush-hush", "=")).toEqual({ ok: false, problem: "Line 1 is no NAME=VALUE." });
  expect(readPairs("A=1\nA=2", "=")).toEqual({ ok: false, problem: "Line 2 says A once more." });
  expect(readPairs("A = b=c \r\n", "=")).toEqual({ ok: true, value: { A: "b=c" } });
});

describe("what is pasted", () => {
  const files = { command: "npx", args: ["-y", "files"] };
  const docs = { url: "https://example.com/mcp" };

  test.each([
    { what: "mcpServers", text: { mcpServers: { files, docs } } },
    { what: "servers", text: { servers: { files, docs } } },
    { what: "mcp.servers", text: { mcp: { servers: { files, docs } } } },
    { what: "mcp.servers as one key", text: { "mcp.servers": { files, docs } } },
    { what: "the map alone", text: { files, docs } },
  ])("may be a file with $what", ({ text }) => {
    expect(readPasted(`// mine\n${JSON.stringify(text).replace(/\}$/, ", }")}`)).toEqual({
      ok: true,
      value: [
        { name: "files", settings: files, target: "npx -y files" },
        { name: "docs", settings: docs, target: "https://example.com/mcp" },
      ],
    });
  });

  test("may be one server, or a member without the braces around it", () => {
    expect(readPasted(JSON.stringify(files))).toMatchObject({ value: [{ name: "", settings: files }] });
    expect(readPasted(`"files": ${JSON.stringify(files)},`)).toMatchObject({ value: [{ name: "files" }] });
  });

  test("brings the questions of an editor along", () => {
    const inputs = [{ id: "key", password: true }];
    expect(readPasted(JSON.stringify({ inputs, servers: { files } }))).toMatchObject({
      value: [{ settings: { ...files, inputs } }],
    });
  });

  test("is given a name that it can have here", () => {
    const named = { "io.github.upstash/context7": docs, other: { ...docs, as: "mine" } };
    expect(readPasted(JSON.stringify({ mcpServers: named }))).toMatchObject({
      value: [{ name: "io_github_upstash_context7" }, { name: "mine" }],
    });
  });

  test.each([
    { text: "not json", problem: /no JSON/ },
    { text: '{ "mcpServers": { } }', problem: /no server in it/ },
    { text: '{ "a": { "b": 1 }, "__proto__": { "command": 1 } }', problem: /no server in it/ },
    { text: "[]", problem: /no server in it/ },
  ])("and holds no server is told so: $text", ({ text, problem }) => {
    expect(readPasted(text)).toMatchObject({ ok: false, problem: expect.stringMatching(problem) });
  });

  test("is read as the one that is chosen", () => {
    const draft = { ...emptyServer, way: "paste", pasted: JSON.stringify({ files, docs }), chosen: 1 } as const;
    expect(readServer(draft)).toEqual({ settings: docs, problems: {} });
    expect(readServer({ ...draft, chosen: 5 }).settings).toBeNull();
    expect(readServer({ ...draft, pasted: "{" }).problems.pasted).toMatch(/no JSON/);
    expect(readServer({ ...draft, pasted: " " })).toEqual({ settings: null, problems: {} });
  });

  test("is taken one after another, until none is left", () => {
    const text = JSON.stringify({ files, docs });
    expect(nextPasted(text, new Set())).toEqual({ chosen: 0, name: "files" });
    expect(nextPasted(text, new Set([0]))).toEqual({ chosen: 1, name: "docs" });
    expect(nextPasted(text, new Set([0, 1]))).toBeNull();
    expect(nextPasted("{", new Set())).toBeNull();
    // Whoever has typed a name for one that has none keeps it.
    expect(nextPasted(JSON.stringify(files), new Set())).toEqual({ chosen: 0 });
  });
});
