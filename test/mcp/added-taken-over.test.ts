// Servers of a store that changes hands: who takes it over knows what was added, removed and agreed to since it was opened.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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

  test("goes on by what it knows to be agreed on when the lock file has been broken since, and tells of it", async () => {
    const described = join(folder, "description.txt");
    writeFileSync(described, "Says what it was told");
    const mcpServers = { own: configured("described-in", described), other: configured() };
    const problems: unknown[] = [];
    const owner = await open({ mcpServers });
    await using guest = await open({ mcpServers, onProblem: (error) => void problems.push(error) });
    writeFileSync(join(folder, "stepwell.lock.json"), "<<<<<<< HEAD\n");
    writeFileSync(described, "Says it louder");
    await takeOver(owner, guest);
    const { id } = await guest.start({ go: { tool: "other.echo", args: { a: 1 }, done: true } });
    expect(await guest.result(id)).toMatchObject({ status: "completed", output: { a: 1 } });
    const told = expect.objectContaining({ code: "LOCK_UNUSABLE" });
    await expect.poll(() => problems, patience).toContainEqual(told);
    await guest.servers.test("own");
    expect((await guest.lock.changes()).map(({ tool }) => tool)).toContain("own.echo");
  });

  test("goes on without what was added meanwhile when the lock file is broken, until that is mended", async () => {
    const problems: unknown[] = [];
    const owner = await open();
    await using guest = await open({ onProblem: (error) => void problems.push(error), tools: { work: () => 1 } });
    await owner.servers.add("parrot", configured());
    const lock = join(folder, "stepwell.lock.json");
    const agreed = readFileSync(lock);
    writeFileSync(lock, "<<<<<<< HEAD\n");
    await takeOver(owner, guest);
    const { id } = await guest.start({ go: { tool: "work", done: true } });
    expect(await guest.result(id)).toMatchObject({ status: "completed", output: 1 });
    const told = expect.objectContaining({ code: "LOCK_UNUSABLE" });
    await expect.poll(() => problems, patience).toContainEqual(told);
    await expect(guest.servers.add("second", configured())).rejects.toMatchObject({ code: "LOCK_UNUSABLE" });
    writeFileSync(lock, agreed);
    await guest.servers.add("second", configured());
    expect(await keysOf(guest)).toEqual(["parrot", "second"]);
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
