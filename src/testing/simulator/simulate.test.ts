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

  it.each([
    [9_003_042, "a call that went on elsewhere was given to the fallback when its circuit had opened"],
    [9_017_944, "the same, and nothing was on record of the first call"],
    [9_002_320, "a probe that went on elsewhere was cut off three times"],
    [9_014_748, "a branch that was given up began again and failed at once, and its join came again"],
  ])("finds nothing to object to in seed %i any more: %s", (seed) => {
    const { violations } = simulate(seed);
    expect(violations.map(({ oracle, message }) => `${oracle}: ${message}`)).toEqual([]);
  });

  it("makes the same world from the same seed", () => {
    const [first, second, other] = [simulate(7), simulate(7), simulate(8)];
    expect(second.hash).toBe(first.hash);
    expect(second.lastEvents).toEqual(first.lastEvents);
    expect(other.hash).not.toBe(first.hash);
  });
});
