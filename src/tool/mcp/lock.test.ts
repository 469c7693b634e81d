import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ServerEntry, ToolDefinition } from "./contract.ts";
import { ServerLock } from "./lock.ts";

let folder: string;
let path: string;
let problems: string[];
let agreed: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stepwell-lock-"));
  path = join(folder, "stepwell.lock.json");
  problems = [];
  agreed = [];
});

afterEach(() => rmSync(folder, { recursive: true }));

function entryOf(key: string, args: readonly string[] = []): ServerEntry {
  const target = { kind: "stdio", command: "npx", args, env: { TOKEN: "s3cret" }, cwd: null } as const;
  return { key, target, isDisabled: false, timeoutMs: null, era: "auto", callsMax: null, effects: {}, file: null };
}

function toolOf(name: string, description = "Does it."): ToolDefinition {
  const input = { type: "object", properties: { a: { type: "string" } } };
  return { name, title: null, description, input, output: null, annotations: {}, taskSupport: "forbidden" };
}

/** What is on disk, in the hands of a process that begins now. */
async function openLock(entries = [entryOf("files", ["pkg@1.0.0"])], place: string | null = path): Promise<ServerLock> {
  const lock = new ServerLock({
    path: place,
    entries,
    now: () => 7,
    onProblem: ({ message }) => void problems.push(message),
    onAgreed: (tools) => void agreed.push(...tools),
  });
  await lock.load();
  return lock;
}

const textOf = (): string => readFileSync(path, "utf8");

describe("a server that was removed", () => {
  test("takes with it what was agreed on about its tools", async () => {
    const lock = await openLock();
    await lock.compare("files", [toolOf("a")]);
    await lock.forget("files");
    expect((await openLock()).known("files")).toEqual([]);
  });

  test("leaves alone what was agreed on about its namesake of another store in the folder", async () => {
    const other = await openLock([entryOf("files", ["other@2.0.0"])]);
    await other.compare("files", [toolOf("a")]);
    const lock = await openLock();
    await lock.forget("files");
    expect((await openLock()).known("files")).toEqual([toolOf("a")]);
    // It is configured no more, all the same: nothing has changed about it.
    expect([lock.changes, lock.known("files")]).toEqual([[], [toolOf("a")]]);
  });
});

describe("what was never seen", () => {
  test("is taken as it is, and known to the next process without a connection", async () => {
    const lock = await openLock();
    expect(lock.known("files")).toEqual([]);
    expect(await lock.compare("files", [toolOf("b"), toolOf("a")])).toEqual([]);
    expect((await openLock()).known("files")).toEqual([toolOf("a"), toolOf("b")]);
  });

  test("is a new tool of a known server, too", async () => {
    const lock = await openLock();
    await lock.compare("files", [toolOf("a")]);
    expect(await lock.compare("files", [toolOf("a"), toolOf("b")])).toEqual([]);
    expect((await openLock()).known("files")).toHaveLength(2);
  });

  test("does not need a disk that can be written", async () => {
    const lock = await openLock(undefined, join(folder, "file", "stepwell.lock.json"));
    writeFileSync(join(folder, "file"), "no folder");
    await lock.compare("files", [toolOf("a")]);
    expect(lock.known("files")).toEqual([toolOf("a")]);
    expect(problems).toEqual([expect.stringContaining("cannot be written or read")]);
  });

  test("may be kept in memory alone", async () => {
    const lock = await openLock(undefined, null);
    await lock.compare("files", [toolOf("a")]);
    expect(await lock.compare("files", [toolOf("a", "Other.")])).toMatchObject([{ tool: "a", kind: "description" }]);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("the file", () => {
  test("is the same whatever the order, is nobody else's to read, and leaves nothing beside it", async () => {
    const both = [entryOf("files"), entryOf("memory")];
    const lock = await openLock(both);
    await Promise.all([lock.compare("memory", [toolOf("m")]), lock.compare("files", [toolOf("b"), toolOf("a")])]);
    const first = textOf();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(["stepwell.lock.json"]);
    rmSync(path);
    const again = await openLock(both);
    const turned = { ...toolOf("a"), input: { properties: { a: { type: "string" } }, type: "object" } };
    await again.compare("files", [turned, toolOf("b")]);
    await again.compare("memory", [toolOf("m")]);
    expect(textOf()).toBe(first);
    expect(first).not.toContain("s3cret");
    expect(Object.keys(JSON.parse(first).servers)).toEqual(["files", "memory"]);
  });

  test("is not written when nothing is new", async () => {
    const lock = await openLock();
    await lock.compare("files", [toolOf("a")]);
    chmodSync(path, 0o400);
    await lock.compare("files", [toolOf("a")]);
    expect(statSync(path).mode & 0o777).toBe(0o400);
  });

  test("keeps what another process has written into it", async () => {
    const [one, other] = [await openLock(), await openLock([entryOf("memory")])];
    await one.compare("files", [toolOf("a")]);
    await other.compare("memory", [toolOf("m")]);
    await one.compare("files", [toolOf("a"), toolOf("b")]);
    expect(Object.keys(JSON.parse(textOf()).servers)).toEqual(["files", "memory"]);
  });

  test.each([
    ["broken", "{", "it is not JSON"],
    ["of somebody else", "{}", "it is none of ours"],
    ["newer", '{ "lockfile": 2 }', "a newer version has written it"],
    ["of something else", '{ "lockfile": 1, "servers": { "a": { "tools": { "b": {} } } } }', "a.b is no tool"],
  ])("is refused when it is %s", async (_, text, why) => {
    writeFileSync(path, text);
    await expect(openLock()).rejects.toMatchObject({ code: "LOCK_UNUSABLE", message: expect.stringContaining(why) });
  });

  test("is refused when somebody has changed what does not fit its hash", async () => {
    await (await openLock()).compare("files", [toolOf("a")]);
    writeFileSync(path, textOf().replace("Does it.", "Does all."));
    await expect(openLock()).rejects.toMatchObject({
      message: expect.stringContaining("files.a does not fit its hash"),
    });
  });
});

describe("M8: a tool that has changed", () => {
  test("stays as agreed until somebody agrees, whichever process asks", async () => {
    await (await openLock()).compare("files", [toolOf("a"), toolOf("b")]);
    const lock = await openLock();
    const found = [toolOf("a", "Sends all to us."), toolOf("b")];
    expect(await lock.compare("files", found)).toMatchObject([
      { server: "files", tool: "a", kind: "description", lines: ["description:", "- Does it.", "+ Sends all to us."] },
    ]);
    expect(lock.changeOf("files", "a")?.found?.description).toBe("Sends all to us.");
    expect(lock.changeOf("files", "b")).toBeUndefined();
    expect(lock.known("files")[0]?.description).toBe("Does it.");
    expect((await openLock()).known("files")[0]?.description).toBe("Does it.");
    expect(await lock.approve("files", { tool: "a" })).toMatchObject([{ tool: "a", since: 7 }]);
    expect([lock.changes, agreed]).toEqual([[], []]);
    expect((await openLock()).known("files")[0]?.description).toBe("Sends all to us.");
  });

  test("is as agreed again when the server goes back", async () => {
    const lock = await openLock();
    await lock.compare("files", [toolOf("a")]);
    await lock.compare("files", [toolOf("a", "Other.")]);
    expect(await lock.compare("files", [toolOf("a")])).toEqual([]);
    expect(agreed).toEqual(["files.a"]);
  });

  test("may have gone; who agrees takes it off the list", async () => {
    const lock = await openLock();
    await lock.compare("files", [toolOf("a"), toolOf("b")]);
    expect(await lock.compare("files", [toolOf("b")])).toMatchObject([{ tool: "a", kind: "gone", found: null }]);
    expect(lock.known("files")).toHaveLength(2);
    await lock.approve("files", { tool: null });
    expect((await openLock()).known("files")).toEqual([toolOf("b")]);
  });

  test("and has gone is known when it comes back, as it was or in another shape", async () => {
    const lock = await openLock();
    await lock.compare("files", [toolOf("a"), toolOf("b")]);
    await lock.compare("files", [toolOf("b")]);
    await lock.approve("files", { tool: "a" });
    expect(await lock.compare("files", [toolOf("b")])).toEqual([]);
    const again = await openLock();
    expect(await again.compare("files", [toolOf("a", "Sends all to us."), toolOf("b")])).toMatchObject([
      {
        tool: "a",
        kind: "description",
        lines: ["The tool had gone, and the server has it again.", "description:", "- Does it.", "+ Sends all to us."],
      },
    ]);
    expect(again.known("files")).toEqual([toolOf("b")]);
    expect(await again.compare("files", [toolOf("a"), toolOf("b"), toolOf("c")])).toMatchObject([
      { tool: "a", kind: "additive" },
    ]);
    expect(again.known("files").map(({ name }) => name)).toEqual(["c", "b"]);
    await again.approve("files", { tool: "a" });
    expect(again.changes).toEqual([]);
    expect((await openLock()).known("files")).toHaveLength(3);
    expect(JSON.parse(textOf()).servers.files.gone).toBeUndefined();
  });

  test("is agreed to as it was shown, or not at all", async () => {
    const lock = await openLock();
    await lock.compare("files", [toolOf("a"), toolOf("b")]);
    await lock.compare("files", [toolOf("a", "Shown."), toolOf("b")]);
    const expected = lock.changes[0]?.hash;
    await lock.compare("files", [toolOf("a", "Sends all to us."), toolOf("b")]);
    const refused = { code: "REFUSED", details: { code: "version_changed" } };
    await expect(lock.approve("files", { tool: "a", expected })).rejects.toMatchObject(refused);
    await expect(lock.approve("files", { tool: "a", expected: null })).rejects.toMatchObject(refused);
    await expect(lock.approve("files", { tool: null, expected: null })).rejects.toMatchObject(refused);
    await expect(lock.approve("files", { tool: "b", expected })).rejects.toMatchObject(refused);
    await expect(lock.approve("files", { tool: null, expected })).rejects.toMatchObject({ code: "INPUT_INVALID" });
    expect((await openLock()).known("files")[0]?.description).toBe("Does it.");
    await lock.compare("files", [toolOf("a", "Shown."), toolOf("b")]);
    expect(await lock.approve("files", { tool: "a", expected })).toMatchObject([{ tool: "a" }]);
    expect(await lock.approve("files", { tool: "b", expected: null })).toEqual([]);
    expect(await lock.approve("files", { tool: null, expected: null })).toEqual([]);
  });

  test("is agreed to tool by tool behind another program, with what was shown of each", async () => {
    await (await openLock()).compare("files", [toolOf("a"), toolOf("b"), toolOf("c")]);
    const lock = await openLock([entryOf("files", ["pkg@2.0.0"])]);
    await lock.compare("files", [toolOf("a"), toolOf("b", "Other."), toolOf("c")]);
    const approved = [];
    for (const { tool, hash } of lock.changes)
      approved.push(...(await lock.approve("files", { tool, expected: hash })).map((change) => change.tool));
    expect([approved, lock.changes]).toEqual([["a", "c", "b"], []]);
  });

  test("is each tool of a server behind which another program stands", async () => {
    await (await openLock()).compare("files", [toolOf("a"), toolOf("b")]);
    const lock = await openLock([entryOf("files", ["pkg@2.0.0"])]);
    const changes = await lock.compare("files", [toolOf("a"), toolOf("b", "Other.")]);
    expect(changes.map(({ tool, kind }) => [tool, kind])).toEqual([
      ["a", "server"],
      ["b", "server"],
    ]);
    expect(changes[0]?.lines).toEqual(["The server behind it:", "- npx pkg@1.0.0", "+ npx pkg@2.0.0"]);
    // Who agrees to the program for one agrees to it for all; what else has changed is still to be looked at.
    expect(await lock.approve("files", { tool: "a" })).toMatchObject([{ tool: "a" }]);
    expect(lock.changes).toMatchObject([{ tool: "b", kind: "description" }]);
    expect(await (await openLock([entryOf("files", ["pkg@2.0.0"])])).compare("files", [toolOf("a")])).toMatchObject([
      { tool: "b", kind: "gone" },
    ]);
  });

  test("cannot be agreed to when it has not changed, or when that cannot be written down", async () => {
    const lock = await openLock();
    await lock.compare("files", [toolOf("a")]);
    expect(await lock.approve("files", { tool: "a" })).toEqual([]);
    expect(await lock.approve("other", { tool: null })).toEqual([]);
    await lock.compare("files", [toolOf("a", "Other.")]);
    writeFileSync(path, "{");
    await expect(lock.approve("files", { tool: null })).rejects.toMatchObject({ code: "LOCK_UNUSABLE" });
    expect(lock.changeOf("files", "a")).toBeDefined();
  });
});
