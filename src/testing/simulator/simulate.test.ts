import { describe, expect, it } from "vitest";
import { addSeed, describeTally, emptyTally } from "./report.ts";
import { simulate } from "./simulate.ts";

describe("the simulator", () => {
  it("finds nothing to object to in some hundred seeds", () => {
    const tally = emptyTally();
    for (let seed = 1; seed <= 200; seed++) addSeed(tally, seed);
    expect(tally.failed.map(({ seed, violation }) => `${seed}: ${violation.oracle}: ${violation.message}`)).toEqual([]);
    expect(tally.crashes).toBeGreaterThan(500);
    expect(describeTally(tally, 1000)).toContain("violations             0");
  });

  it("makes the same world from the same seed", () => {
    const [first, second, other] = [simulate(7), simulate(7), simulate(8)];
    expect(second.hash).toBe(first.hash);
    expect(second.lastEvents).toEqual(first.lastEvents);
    expect(other.hash).not.toBe(first.hash);
  });
});
