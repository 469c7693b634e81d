import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AddedFile } from "./added-file.ts";

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stepwell-added-file-"));
  path = join(folder, "stepwell.db-servers.json");
});

afterEach(() => rmSync(folder, { recursive: true }));

const write = (document: unknown): void => writeFileSync(path, JSON.stringify(document));
const read = (): unknown => JSON.parse(readFileSync(path, "utf8"));

describe("a file that somebody has mended by hand", () => {
  test("keeps what else stands in it, also when the last server goes", async () => {
    const inputs = [{ id: "token", password: true }];
    write({ inputs, mcpServers: { one: { command: "a" } } });
    const file = new AddedFile(path);
    await file.put("two", { command: "b" });
    expect(read()).toEqual({ inputs, mcpServers: { one: { command: "a" }, two: { command: "b" } } });
    await file.remove("one");
    await file.remove("two");
    expect(read()).toEqual({ inputs, mcpServers: {} });
  });

  test.each([
    { what: "under servers", document: { servers: { one: { command: "a" } } } },
    { what: "under mcp", document: { mcp: { servers: { one: { command: "a" } } } } },
    { what: "under mcp.servers", document: { "mcp.servers": { one: { command: "a" } } } },
    { what: "under projects", document: { projects: { "/": { mcpServers: { one: { command: "a" } } } } } },
    { what: "in a list", document: [{ command: "a" }] },
    { what: "as a list under mcpServers", document: { mcpServers: [{ command: "a" }] } },
  ])("with its servers $what is not written over", async ({ document }) => {
    write(document);
    const file = new AddedFile(path);
    for (const change of [() => file.put("two", { command: "b" }), () => file.remove("one")])
      await expect(change()).rejects.toMatchObject({
        code: "TOOL_SERVER_TROUBLE",
        message: expect.stringContaining(`${path} was changed by hand`),
      });
    expect(read()).toEqual(document);
  });

  test("that is no JSON is left as it is, and nothing of it is told", async () => {
    const text = '{ "mcpServers": { "one": { "env": { "TOKEN": hush-hush } } } }';
    writeFileSync(path, text);
    const refused = await new AddedFile(path).put("two", { command: "b" }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "TOOL_SERVER_TROUBLE", message: expect.stringContaining("it is no JSON") });
    expect(String(refused)).not.toContain("hush");
    expect(readFileSync(path, "utf8")).toBe(text);
  });

  test("has its servers found and removed by the name under which steps call them", async () => {
    write({ mcpServers: { "io.example/one": { command: "a", as: "one" }, other: { command: "b", as: "two" } } });
    const file = new AddedFile(path);
    expect(await Promise.all(["one", "two", "other"].map((key) => file.find(key)))).toEqual([
      { command: "a", as: "one" },
      { command: "b", as: "two" },
      undefined,
    ]);
    await expect(file.put("other", { command: "c" })).rejects.toMatchObject({ code: "REFUSED" });
    await file.remove("one");
    expect(read()).toEqual({ mcpServers: { other: { command: "b", as: "two" } } });
  });
});

describe("a disk that cannot be written", () => {
  // Just short enough for the file, and too long for what is written beside it first.
  const unwritable = (): string => join(folder, `${"x".repeat(230)}-servers.json`);

  test("is told in a sentence, by who adds and by who removes", async () => {
    const file = new AddedFile(unwritable());
    await expect(file.put("one", { command: "a" })).rejects.toMatchObject({
      code: "TOOL_SERVER_TROUBLE",
      message: expect.stringMatching(
        /^The server "one" was not added: .*-servers\.json cannot be written \(ENAMETOOLONG\)\.$/,
      ),
      hint: expect.stringContaining("try again"),
    });
    expect(existsSync(unwritable())).toBe(false);
    const text = JSON.stringify({ mcpServers: { one: { command: "a" }, two: { command: "b" } } });
    writeFileSync(unwritable(), text);
    await expect(file.remove("one")).rejects.toMatchObject({
      code: "TOOL_SERVER_TROUBLE",
      message: expect.stringMatching(/^The server "one" was not removed: /),
    });
    expect(readFileSync(unwritable(), "utf8")).toBe(text);
  });
});
