// A short run of `npm run crash`; RELIABILITY.md has the figures of the long one.

import { beforeAll, describe, expect, it } from "vitest";
import { warmUp, withFile, type PartOptions } from "./crash/part.ts";
import { runGuests, tooSlow } from "./crash/parts/guests.ts";
import { runKills } from "./crash/parts/kills.ts";
import { runPoints } from "./crash/parts/points.ts";

const options: PartOptions = {
  kills: 5,
  runs: 60,
  hits: 1,
  rounds: 1,
  seed: 7,
  withPlace: withFile,
  say: () => {},
};

describe("an engine that is killed", () => {
  beforeAll(warmUp);

  it("at named points loses nothing, does nothing twice and leaves nothing behind", async () => {
    const { problems } = await runPoints(options, ["in-transaction", "after-commit-before-act", "before-settle"]);
    expect(problems).toEqual([]);
  });

  it("at random points keeps all that it acknowledged, and finishes it", async () => {
    const { problems } = await runKills(options);
    expect(problems).toEqual([]);
  });

  it("with a guest waiting is followed by the guest, which answers what had been asked", async () => {
    const { problems } = await runGuests(options);
    // How fast is for `npm run crash` to say: here other tests run at the same time.
    expect(problems.filter((problem) => !problem.includes(tooSlow))).toEqual([]);
  });
});
