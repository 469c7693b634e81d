import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { LiveMap, LiveSet } from "./live-map.ts";

/** What young collections leave of 80 MB that went through a map, a hundred entries at a time; in a process of its own,
 *  since what others leave behind in the same one is collected meanwhile. */
const measuring = `
  const { LiveMap } = await import(${JSON.stringify(new URL("live-map.ts", import.meta.url).href)});
  const map = process.argv[1] === "live" ? new LiveMap() : new Map();
  for (let key = -100; key < 0; key++) map.set(key, null);
  // Twice, and the map is old.
  for (let round = 0; round < 2; round++) gc({ type: "major" });
  const before = process.memoryUsage().heapUsed;
  for (let key = 0; key < 10_000; key++) {
    map.set(key, Array.from({ length: 1000 }, () => key));
    map.delete(key - 100);
    if (key % 500 === 0) gc({ type: "minor" });
  }
  gc({ type: "minor" });
  console.log((process.memoryUsage().heapUsed - before) / 1e6);
`;

function megabytesLeft(kind: "live" | "plain"): number {
  // With room enough that nothing but what is asked for is collected.
  const room = ["--initial-old-space-size=1024", "--max-old-space-size=2048"];
  const flags = ["--expose-gc", "--no-warnings", ...room, "--input-type=module", "--eval", measuring];
  return Number(execFileSync(process.execPath, [...flags, kind], { encoding: "utf8" }));
}

describe("a map of what comes and goes", () => {
  test("holds what was put there and not deleted, in its order, however often it is renewed", () => {
    const [map, plain] = [new LiveMap([[-1, "first"]]), new Map([[-1, "first"]])];
    for (let key = 0; key < 5000; key++) {
      const gone = (key * 7) % 4999;
      map.set(key, `value ${key}`);
      plain.set(key, `value ${key}`);
      expect(map.delete(gone)).toBe(plain.delete(gone));
    }
    expect([...map]).toEqual([...plain]);
    expect([...map.keys()]).toEqual([...plain.keys()]);
    expect([...map.values()]).toEqual([...plain.values()]);
    expect(map.size).toBe(plain.size);
    expect(map.get(-1)).toBe("first");
    expect([map.has(0), map.has(-1)]).toEqual([false, true]);
    map.clear();
    expect([map.size, ...map]).toEqual([0]);
  });

  test("whoever walks through it may delete what it finds", () => {
    const map = new LiveMap(Array.from({ length: 500 }, (_none, key) => [key, key] as const));
    const found: number[] = [];
    for (const [key] of map) {
      found.push(key);
      map.delete(key);
      map.delete(key + 1);
    }
    expect(found).toEqual(Array.from({ length: 250 }, (_none, at) => at * 2));
    expect(map.size).toBe(0);
  });

  test("what was deleted does not hang from a table that has become old", () => {
    // A map of the language: if it keeps no more than that, LiveMap is not needed any more.
    const plain = megabytesLeft("plain");
    expect(plain).toBeGreaterThan(15);
    expect(megabytesLeft("live")).toBeLessThan(plain / 3);
  });
});

describe("a set of what comes and goes", () => {
  test("holds what was put there and not deleted, in its order, however often it is renewed", () => {
    const [set, plain] = [new LiveSet<number>(), new Set<number>()];
    for (let value = 0; value < 5000; value++) {
      set.add(value);
      plain.add(value);
      const gone = (value * 7) % 4999;
      expect(set.delete(gone)).toBe(plain.delete(gone));
    }
    expect([...set]).toEqual([...plain]);
    expect(set.size).toBe(plain.size);
    expect(set.has(4998)).toBe(plain.has(4998));
    set.clear();
    expect([set.size, ...set]).toEqual([0]);
  });
});
