import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { systemClock } from "../../src/engine/clock.ts";
import type { Json, JsonObject } from "../../src/flow/json.ts";
import { openEngine } from "../../src/open-engine.ts";
import { openStore } from "../../src/store/open.ts";
import { LeftPrograms } from "../../src/tool/mcp/left-programs.ts";
import type { ServerNotes } from "../../src/tool/servers.ts";
import { listRunning } from "./processes.ts";
import { configured, isRunning } from "./servers.ts";

const holder = fileURLToPath(new URL("holder.ts", import.meta.url));
/** Where nobody can tell whether a process is still the same, nothing is written down, and nothing ended. */
const canTell = existsSync("/proc/self/stat");

type Noted = ServerNotes & { readonly kept: Map<string, { readonly value: Json; readonly updatedAt: number }> };

function createNotes(): Noted {
  const kept: Noted["kept"] = new Map();
  return {
    kept,
    find: (key) => kept.get(key)?.value,
    list: () => [...kept].map(([key, entry]) => ({ key, ...entry })),
    put: (key, value) => void (value === null ? kept.delete(key) : kept.set(key, { value, updatedAt: 1000 })),
  };
}

/** In a group of its own; it does not go when it is asked to. */
async function startStubborn(): Promise<{ readonly pid: number; readonly child: ChildProcess }> {
  const program = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); console.log("here");';
  const child = spawn(process.execPath, ["-e", program], { detached: true, stdio: ["ignore", "pipe", "ignore"] });
  await once(child.stdout, "data");
  return { pid: child.pid ?? 0, child };
}

/** What an earlier process has left behind, of which nobody is there any more. */
async function leave(notes: Noted, pid: number): Promise<JsonObject> {
  new LeftPrograms(notes, systemClock).add(pid);
  const [value] = [...notes.kept.values()].map((entry) => entry.value as JsonObject);
  const gone = { pid: 4_194_304 + 1, began: 1 };
  return { ...value, owner: gone };
}

describe.runIf(canTell)("M7: what was started and has outlived its engine", () => {
  test("and the one that watched over it, is ended when the store is opened again", async () => {
    const folder = mkdtempSync(join(tmpdir(), "stepwell-left-"));
    const store = join(folder, "runs.db");
    const engine = spawn(process.execPath, [holder, "engine", store], { stdio: ["ignore", "pipe", "inherit"] });
    const [line] = (await once(createInterface({ input: engine.stdout }), "line")) as [string];
    const { pid } = JSON.parse(line) as { readonly pid: number };
    const watching = listRunning().find(({ parent, pid: id }) => parent === engine.pid && id !== pid);
    if (watching === undefined) throw new Error("nobody watches over the programs");
    // Stopped first: it must not come to its work.
    process.kill(watching.pid, "SIGSTOP");
    engine.kill("SIGKILL");
    await once(engine, "exit");
    process.kill(watching.pid, "SIGKILL");
    const isThere = (): boolean => listRunning().some((one) => one.pid === pid);
    expect(isThere()).toBe(true);
    const next = await openEngine({ store, mcpServers: { bad: configured("stays") }, onProblem: () => {} });
    await expect.poll(isThere).toBe(false);
    await next.stop();
    // Its own have ended with it: nothing is left to be ended.
    await using left = await openStore(store, { durability: "fast", clock: () => 0, onProblem: () => {} });
    expect(await left.listEntries("server_note")).toEqual([]);
    rmSync(folder, { recursive: true });
  });

  test("is asked to go, and killed when it does not", async () => {
    const { pid, child } = await startStubborn();
    const notes = createNotes();
    notes.put(`programs:${hostname()}`, await leave(notes, pid));
    const exited = once(child, "exit");
    await new LeftPrograms(notes, systemClock).end(1000);
    expect(await exited).toEqual([null, "SIGKILL"]);
    expect(notes.list()).toEqual([]);
  });

  test.each<[string, (left: JsonObject, pid: number) => Json]>([
    ["its number was given to somebody else", (left, pid) => ({ ...left, groups: [{ pid, began: 1 }] })],
    ["the machine has begun anew", (left) => ({ ...left, boot: "another" })],
    ["the process that started it is still there", (left) => ({ ...left, owner: ownProcess() })],
    ["what is written is none of ours", () => ({ groups: [{ pid: 0, began: 0 }] })],
  ])("is left alone when %s", async (_, change) => {
    const { pid, child } = await startStubborn();
    const notes = createNotes();
    notes.put(`programs:${hostname()}`, change(await leave(notes, pid), pid));
    await new LeftPrograms(notes, systemClock).end(1000);
    expect(isRunning(pid)).toBe(true);
    process.kill(-pid, "SIGKILL");
    await once(child, "exit");
  });

  test("is forgotten when it has ended, and machines that are not heard of any more are, too", async () => {
    const { pid, child } = await startStubborn();
    const notes = createNotes();
    notes.put("programs:another-machine", { boot: "b", owner: { pid: 7, began: 7 }, groups: [] });
    notes.put("era:files", "modern");
    const left = new LeftPrograms(notes, systemClock);
    left.add(pid);
    expect(notes.list()).toHaveLength(3);
    left.remove(pid);
    await new LeftPrograms(notes, systemClock).end(1000 + 31 * 86_400_000);
    expect(notes.list().map(({ key }) => key)).toEqual(["era:files"]);
    process.kill(-pid, "SIGKILL");
    await once(child, "exit");
  });
});

function ownProcess(): JsonObject {
  const fields = readFileSync(`/proc/${process.pid}/stat`, "latin1")
    .replace(/^.*\) /su, "")
    .split(" ");
  return { pid: process.pid, began: Number(fields[19]) };
}
