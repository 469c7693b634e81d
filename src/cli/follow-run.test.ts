import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { UserEngine } from "../engine/engine.ts";
import { StepwellError } from "../error.ts";
import { openEngine, type ServedEngine } from "../open-engine.ts";
import { followRun, type Following } from "./follow-run.ts";

let folder = "";
let engine: ServedEngine;
let run = 0;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "stepwell-follow-"));
  engine = await openEngine({ store: join(folder, "stepwell.db"), durability: "fast" });
  run = (await engine.start({ ask: { gate: {}, done: true } })).id;
});

afterEach(async () => {
  vi.restoreAllMocks();
  await engine.stop();
  rmSync(folder, { recursive: true });
});

const screen: Following["screen"] = {
  say: () => {},
  show: () => {},
  tick: () => {},
  settle: () => {},
  rest: () => () => {},
  [Symbol.dispose]: () => {},
};

/** It is read as the test says, and watched as it is. */
function readBy(get: UserEngine["get"]): UserEngine {
  return new Proxy<UserEngine>(engine, {
    get: (target, name) => {
      const found: unknown = name === "get" ? get : Reflect.get(target, name, target);
      return typeof found === "function" ? found.bind(target) : found;
    },
  });
}

test("whoever goes while the server is away gets what was seen last", async () => {
  const leaving = new AbortController();
  let reads = 0;
  const get: UserEngine["get"] = async (id) => {
    reads += 1;
    if (reads === 1) return engine.get(id);
    leaving.abort();
    return new Promise(() => {});
  };
  const seen = (): void => {
    if (reads === 1) void engine.pause(run);
  };
  const followed = await followRun({ engine: readBy(get), run, plan: null, screen, signal: leaving.signal, seen });
  expect([followed.run.id, reads]).toEqual([run, 2]);
});

test("whoever goes is not told that the server is away", async () => {
  const leaving = new AbortController();
  let reads = 0;
  const get: UserEngine["get"] = async (id) => {
    reads += 1;
    if (reads === 1) return engine.get(id);
    throw new StepwellError("SERVER_UNREACHABLE", "It is away.");
  };
  const following = { engine: readBy(get), run, plan: null, screen, signal: leaving.signal };
  const followed = followRun({ ...following, seen: () => void setImmediate(() => leaving.abort()) });
  expect((await followed).run.id).toBe(run);
  reads = 0;
  const seen = (): void => {
    if (reads === 1) void engine.pause(run);
  };
  const kept = followRun({ ...following, signal: new AbortController().signal, seen });
  await expect(kept).rejects.toMatchObject({ code: "SERVER_UNREACHABLE" });
});

test("after a read that took long nobody rests for long, and whoever goes is not kept by it", async () => {
  const leaving = new AbortController();
  let skippedMs = 0;
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + skippedMs);
  const get: UserEngine["get"] = async (id) => {
    skippedMs += 60_000;
    return engine.get(id);
  };
  const seen = (): void => void setImmediate(() => leaving.abort());
  const followed = await followRun({ engine: readBy(get), run, plan: null, screen, signal: leaving.signal, seen });
  expect(followed.run.status).toBe("running");
});
