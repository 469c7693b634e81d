// Servers that are added, removed and tried out at the same time, or while the engine stops: one after the other, and never
// in a process that does not own the store any more.

import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../../src/engine/clock.ts";
import { openEngine, type ServedEngine } from "../../src/open-engine.ts";
import { LateServers } from "../../src/tool/late-servers.ts";
import { createToolServers } from "../../src/tool/mcp/tool-servers.ts";
import { createToolBox } from "../../src/tool/registry.ts";
import type { ServerMeans, ToolServers } from "../../src/tool/servers.ts";
import { listRunning } from "./processes.ts";
import { configured } from "./servers.ts";

let folder: string;
let store: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stepwell-at-once-"));
  store = join(folder, "stepwell.db");
  file = `${store}-servers.json`;
});

afterEach(() => rmSync(folder, { recursive: true }));

const open = (): Promise<ServedEngine> => openEngine({ store, durability: "fast", onProblem: () => {} });
/** A good one that is told from all others by its command line. */
const marked = (mark: string): ReturnType<typeof configured> => configured("good", `${folder}#${mark}`);
const programs = (): readonly string[] =>
  listRunning().flatMap(({ line }) => (line.includes(`${folder}#`) ? [line.slice(line.indexOf("#") + 1)] : []));
const writtenKeys = (): readonly string[] =>
  existsSync(file) ? Object.keys(JSON.parse(readFileSync(file, "utf8")).mcpServers) : [];

describe("at the same time", () => {
  test("of two servers of one name the first is added, and the other is never started", async () => {
    await using engine = await open();
    const both = [engine.servers.add("parrot", marked("one")), engine.servers.add("parrot", marked("two"))];
    const [first, second] = await Promise.allSettled(both);
    expect(first).toMatchObject({ status: "fulfilled", value: { key: "parrot", status: "ready" } });
    expect(second).toMatchObject({ status: "rejected", reason: { code: "REFUSED" } });
    expect(programs()).toEqual(["one"]);
  });

  test("one that is added while its namesake is removed is there as a whole", async () => {
    await using engine = await open();
    await engine.servers.add("parrot", marked("one"));
    const removing = engine.servers.remove("parrot");
    const adding = engine.servers.add("parrot", marked("two"));
    await Promise.all([removing, adding]);
    expect(await engine.servers.list()).toMatchObject([{ key: "parrot", status: "ready", isAdded: true }]);
    expect(await engine.tools.call("parrot.echo", { a: 1 })).toMatchObject({ result: { a: 1 } });
    expect((await engine.lock.show()).servers.map(({ key }) => key)).toEqual(["parrot"]);
    expect([writtenKeys(), programs()]).toEqual([["parrot"], ["two"]]);
  });

  test("a second removal finds nothing", async () => {
    await using engine = await open();
    await engine.servers.add("parrot", marked("one"));
    const both = await Promise.allSettled([engine.servers.remove("parrot"), engine.servers.remove("parrot")]);
    expect(both).toMatchObject([
      { status: "fulfilled" },
      { status: "rejected", reason: { code: "TOOL_SERVER_NOT_FOUND" } },
    ]);
    expect([writtenKeys(), programs()]).toEqual([[], []]);
  });
});

describe("while the store is given up", () => {
  const means = (): ServerMeans => ({
    findSecret: () => undefined,
    mask: (text) => text,
    problem: () => {},
    onAgreed: () => {},
    notes: { find: () => undefined, list: () => [], put: () => {} },
  });
  const create = (): Promise<ToolServers> =>
    createToolServers({
      reading: { servers: [], refused: [], warnings: [] },
      lockPath: join(folder, "stepwell.lock.json"),
      addedPath: file,
      ownStore: null,
      version: "0.0.0",
      tools: createToolBox({}),
      clock: systemClock,
      onProblem: () => {},
    });
  const kinds: readonly { readonly what: string; readonly make: () => Promise<ToolServers> }[] = [
    { what: "servers", make: create },
    { what: "servers that are loaded late", make: async () => new LateServers({ create, isWanted: () => false }) },
  ];

  test.each(kinds)("nothing is written or started any more, by $what", async ({ make }) => {
    const servers = await make();
    await servers.open(means());
    const asked = [servers.add("one", marked("one")), servers.tryOut("two", marked("two"))];
    await servers.close();
    // What was begun in time may say so; it has ended all the same.
    await Promise.allSettled(asked);
    expect([writtenKeys(), programs()]).toEqual([[], []]);
    for (const late of [servers.add("one", marked("one")), servers.tryOut("two", marked("two"))])
      await expect(late).rejects.toMatchObject({ code: "ENGINE_STOPPED" });
    expect([writtenKeys(), programs()]).toEqual([[], []]);
  });

  test.each(kinds)(
    "a removal that the owner has died over is done again, and is done then, by $what",
    async ({ make }) => {
      const before = await create();
      await before.open(means());
      const { target } = await before.add("one", marked("one"));
      await before.close();
      // It was written down no more, and came no further.
      rmSync(file);
      const noted = [{ key: "removed:one", value: { target }, updatedAt: Date.now() }];
      const servers = await make();
      await servers.open({ ...means(), notes: { ...means().notes, list: () => noted } });
      await servers.remove("one");
      expect(servers.lock.servers).toEqual([]);
      await expect(servers.remove("one")).rejects.toMatchObject({ code: "TOOL_SERVER_NOT_FOUND" });
      await expect(servers.remove("two")).rejects.toMatchObject({ code: "TOOL_SERVER_NOT_FOUND" });
      await servers.close();
    },
  );

  test("what is being removed is removed as a whole before it is given up", async () => {
    const servers = await create();
    await servers.open(means());
    await servers.add("one", marked("one"));
    const removing = servers.remove("one");
    // It has begun by then.
    await Promise.resolve();
    await Promise.allSettled([servers.close(), removing]);
    const isThere = servers.list().some(({ key }) => key === "one");
    expect(writtenKeys().includes("one")).toBe(isThere);
    expect(servers.lock.servers.some(({ key }) => key === "one")).toBe(isThere);
    expect(programs()).toEqual([]);
  });
});
