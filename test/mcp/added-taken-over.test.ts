// Servers of a store that changes hands: who takes it over knows what was added, removed and agreed to since it was opened.

import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openEngine, type EngineOptions, type ServedEngine } from "../../src/open-engine.ts";
import { configured } from "./servers.ts";

let folder: string;
let store: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stepwell-taken-over-"));
  store = join(folder, "stepwell.db");
});

afterEach(() => rmSync(folder, { recursive: true }));

const open = (more: Partial<EngineOptions> = {}): Promise<ServedEngine> =>
  openEngine({ store, durability: "fast", onProblem: () => {}, ...more });

const patience = { timeout: 30_000, interval: 20 };

async function takeOver(owner: ServedEngine, guest: ServedEngine): Promise<void> {
  await owner.stop();
  await expect.poll(() => guest.isOwner, patience).toBe(true);
}

const keysOf = async (engine: ServedEngine): Promise<readonly string[]> =>
  (await engine.servers.list()).map(({ key }) => key);

describe("who takes a store over", () => {
  test.each([
    { what: "with servers of its own", more: () => ({ mcpServers: { own: configured() } }) },
    { what: "without any", more: () => ({}) },
  ])("calls what was added meanwhile, $what", async ({ more }) => {
    const owner = await open(more());
    await using guest = await open(more());
    await owner.servers.add("parrot", configured());
    await takeOver(owner, guest);
    await expect.poll(() => keysOf(guest), patience).toContain("parrot");
    expect(await guest.tools.call("parrot.echo", { a: 1 })).toMatchObject({ result: { a: 1 } });
    await guest.servers.remove("parrot");
    expect(existsSync(`${store}-servers.json`)).toBe(false);
  });

  test("does not start what was removed meanwhile, and its tools are gone", async () => {
    const owner = await open();
    await owner.servers.add("parrot", configured());
    await using guest = await open();
    await owner.servers.remove("parrot");
    await takeOver(owner, guest);
    await expect.poll(() => keysOf(guest), patience).toEqual([]);
    expect((await guest.tools.list()).filter(({ server }) => server === "parrot")).toEqual([]);
    expect((await guest.lock.show()).servers).toEqual([]);
  });

  test("takes what was added anew as it is now", async () => {
    const owner = await open();
    await owner.servers.add("parrot", configured());
    await using guest = await open();
    await owner.servers.remove("parrot");
    const { target } = await owner.servers.add("parrot", configured("good", "another"));
    await takeOver(owner, guest);
    await expect.poll(async () => (await guest.servers.list())[0]?.target, patience).toBe(target);
    expect(await guest.tools.call("parrot.echo", { a: 1 })).toMatchObject({ result: { a: 1 } });
    expect(await guest.lock.changes()).toEqual([]);
  });

  test("holds nothing back that the owner before it has agreed to", async () => {
    const described = join(folder, "description.txt");
    writeFileSync(described, "Says what it was told");
    const mcpServers = { parrot: configured("described-in", described) };
    const owner = await open({ mcpServers });
    await using guest = await open({ mcpServers });
    writeFileSync(described, "Says it louder");
    await owner.servers.restart("parrot");
    expect((await owner.lock.approve("parrot")).map(({ tool }) => tool)).toEqual(["parrot.echo"]);
    await takeOver(owner, guest);
    await expect.poll(async () => (await guest.servers.list())[0]?.status, patience).not.toBe("starting");
    expect(await guest.tools.call("parrot.echo", { a: 1 })).toMatchObject({ error: null, result: { a: 1 } });
    expect(await guest.lock.changes()).toEqual([]);
  });
});
