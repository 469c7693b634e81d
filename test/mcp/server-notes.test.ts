// What an engine keeps of its servers with its store, for the process that owns it next.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openEngine } from "../../src/open-engine.ts";
import { openStore } from "../../src/store/open.ts";
import { configured } from "./servers.ts";

let folder = "";
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "stepwell-notes-"))));
afterAll(() => rmSync(folder, { recursive: true }));

async function notesOf(store: string): Promise<readonly unknown[]> {
  await using opened = await openStore(store, { durability: "fast", clock: () => 0, onProblem: () => {} });
  return (await opened.listEntries("server_note")).map(({ key, value }) => [key, value]);
}

test("a program that speaks the newest revision alone is started once in the next process, not twice", async () => {
  const store = join(folder, "eras.db");
  const starts = join(folder, "starts");
  const { command, args } = configured("modern-only");
  const script = `echo started >> "$0"; exec "$@"`;
  const mcpServers = { new: { command: "sh", args: ["-c", script, starts, command, ...args] } };
  const countStarts = (): number => readFileSync(starts, "utf8").split("\n").length - 1;
  await using first = await openEngine({ store, mcpServers });
  expect(await first.servers.test("new")).toMatchObject({ status: "ready", era: "modern" });
  const before = countStarts();
  await first.stop();
  expect(await notesOf(store)).toEqual([["era:new", "modern"]]);
  await using next = await openEngine({ store, mcpServers });
  expect(await next.servers.test("new")).toMatchObject({ status: "ready", era: "modern" });
  expect([before, countStarts()]).toEqual([2, 3]);
});

test("that a server asks without saying for which call is known in the next process", async () => {
  const store = join(folder, "asks.db");
  const mcpServers = { bad: configured() };
  await using engine = await openEngine({ store, mcpServers });
  const { id } = await engine.start({
    steps: { ask: { tool: "bad.echo", args: { switch: "asks", about: "it" }, done: true } },
  });
  const findGate = async (): Promise<number | undefined> => {
    const question = (await engine.list()).find(({ run }) => run.id !== id);
    const { steps } = question === undefined ? { steps: [] } : await engine.get(question.run.id);
    return steps.find(({ gate }) => gate !== null)?.id;
  };
  await expect.poll(findGate).toBeDefined();
  await engine.approve((await findGate()) ?? 0, { by: "ann" });
  expect(await engine.result(id)).toMatchObject({ output: { about: "it", action: "accept" } });
  await engine.stop();
  const target = expect.stringMatching(/^[0-9a-f]{64}$/) as unknown;
  expect(await notesOf(store)).toEqual([["asks:bad", { target, at: expect.any(Number) as unknown }]]);
});
