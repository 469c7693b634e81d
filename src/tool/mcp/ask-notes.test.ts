import { expect, test } from "vitest";
import type { Json } from "../../flow/json.ts";
import { createAskNotes } from "./ask-notes.ts";
import type { AskMemory } from "./mcp-server.ts";

const dayMs = 86_400_000;

type World = { readonly kept: Map<string, Json>; target: string; now: number; readonly open: () => AskMemory };

/** A store, and the processes that own it one after another. */
function createWorld(): World {
  const kept = new Map<string, Json>();
  const notes = {
    find: (key: string): Json | undefined => kept.get(key),
    put: (key: string, value: Json): void => void kept.set(key, value),
  };
  const world: World = {
    kept,
    target: "one",
    now: 1000 * dayMs,
    open: () => createAskNotes({ notes: () => notes, targetOf: () => world.target, now: () => world.now }),
  };
  return world;
}

test("that a server has asked is known in the next process, under its own key", () => {
  const world = createWorld();
  expect(world.open().recall("a")).toBe(false);
  world.open().remember("a");
  expect([world.open().recall("a"), world.open().recall("b")]).toEqual([true, false]);
});

test("another program under the same key has not asked", () => {
  const world = createWorld();
  world.open().remember("a");
  world.target = "other";
  expect(world.open().recall("a")).toBe(false);
  world.open().remember("a");
  expect(world.open().recall("a")).toBe(true);
  world.target = "one";
  expect(world.open().recall("a")).toBe(false);
});

test("it is known for thirty days after it has asked last", () => {
  const world = createWorld();
  const asks = world.open();
  asks.remember("a");
  world.now += 29 * dayMs;
  expect(asks.recall("a")).toBe(true);
  asks.remember("a");
  world.now += 29 * dayMs;
  expect(asks.recall("a")).toBe(true);
  world.now += 1 * dayMs;
  expect(asks.recall("a")).toBe(false);
});

test("it is written down once a day, however often it asks", () => {
  const world = createWorld();
  const asks = world.open();
  asks.remember("a");
  const written = world.kept.get("asks:a");
  world.now += dayMs - 1;
  asks.remember("a");
  expect(world.kept.get("asks:a")).toBe(written);
  world.now += 1;
  asks.remember("a");
  expect(world.kept.get("asks:a")).toEqual({ target: "one", at: world.now });
});

test("a note that says neither of what nor since when is none", () => {
  const world = createWorld();
  world.kept.set("asks:a", true);
  expect(world.open().recall("a")).toBe(false);
});
