import { describe, expect, it } from "vitest";
import { allConstructs, constructsOf } from "./constructs.ts";
import { followersOf, notationOf, reachedFrom, stepsOf, targetsOf, findStep } from "./document-view.ts";
import { randomFlow } from "./random-flow.ts";
import { createRandom } from "./random.ts";

const flows = Array.from({ length: 2000 }, (_, seed) => randomFlow(createRandom(seed)));

describe("random flows", () => {
  it("use every construct of the language", () => {
    const used = new Set(flows.flatMap((flow) => constructsOf(flow)));
    expect(allConstructs.filter((construct) => !used.has(construct))).toEqual([]);
    expect([...used].filter((construct) => !allConstructs.includes(construct))).toEqual([]);
  });

  it("are the same for the same seed and differ for others", () => {
    expect(randomFlow(createRandom(41))).toEqual(randomFlow(createRandom(41)));
    expect(new Set(flows.map((flow) => JSON.stringify(flow))).size).toBeGreaterThan(1950);
  });

  it("come in the notation that is asked for, and about as long as they may be", () => {
    for (const notation of ["flow", "bare", "pipeline", "machine"] as const) {
      for (let seed = 0; seed < 50; seed += 1) {
        const flow = randomFlow(createRandom(seed), { notation, maxSteps: 5 });
        expect(notationOf(flow)).toBe(notation);
        expect(stepsOf(flow).length).toBeLessThan(40);
      }
    }
  });

  it("name only steps that exist, and lead to each of them", () => {
    for (const flow of flows) {
      const steps = stepsOf(flow);
      const sites = steps.flatMap(targetsOf);
      expect(sites.filter(({ target }) => target !== "end" && findStep(steps, target) === undefined)).toEqual([]);
      const side = sites.filter(({ kind }) => kind === "escalate" || kind === "cleanup");
      const starts = side.flatMap(({ target }) => findStep(steps, target) ?? []);
      const entered = new Set([...steps.flatMap((view) => followersOf(steps, view)), ...reachedFrom(steps, starts)]);
      expect(steps.filter((view) => !entered.has(view)).length).toBeLessThanOrEqual(1);
    }
  });
});
