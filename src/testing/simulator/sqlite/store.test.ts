import { describe, expect, it } from "vitest";
import { soundDuties } from "../executor.ts";
import { addSeed, emptyTally } from "../report.ts";
import { simulate } from "../simulate.ts";
import { soundCode, type StoreCode } from "./code.ts";
import { createSqliteStore } from "./store.ts";

/** The store's own code, which counts what it answers. */
function counting(counts: Map<string, number>): StoreCode {
  const count = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
  return {
    ...soundCode,
    write(database, statements, flat) {
      const committed = soundCode.write(database, statements, flat);
      count(committed.kind === "refused" ? committed.reason : committed.kind);
      return committed;
    },
    load(database, runs) {
      count("loaded");
      return soundCode.load(database, runs);
    },
    bring(database, run, needs) {
      for (const { kind } of needs) count(kind);
      return soundCode.bring(database, run, needs);
    },
  };
}

describe("the simulator on the SQLite store", () => {
  it("finds nothing to object to in some seeds, with every kind of commit that fails among them", () => {
    const tally = emptyTally();
    const counts = new Map<string, number>();
    for (let seed = 1; seed <= 30; seed++) addSeed(tally, seed, (world) => createSqliteStore(world, counting(counts)));
    expect(tally.failed.map(({ seed, violation }) => `${seed}: ${violation.oracle}: ${violation.message}`)).toEqual([]);
    expect(tally.crashes).toBeGreaterThan(100);
    const missing = ["committed", "unknown", "constraint", "stale", "busy", "full", "behind"].filter(
      (name) => !counts.has(name),
    );
    expect(missing).toEqual([]);
    expect(["loaded", "row", "items", "undo"].filter((name) => (counts.get(name) ?? 0) < 10)).toEqual([]);
  }, 180_000);

  it("makes the same world from the same seed", () => {
    const [first, second] = [simulate(9, soundDuties, createSqliteStore), simulate(9, soundDuties, createSqliteStore)];
    expect(second.hash).toBe(first.hash);
    expect(second.events).toBeGreaterThan(10);
  }, 60_000);
});
