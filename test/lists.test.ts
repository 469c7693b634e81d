// R7: the same list of commands gives the same observable history on every store. `npm run lists` plays as many as one
// likes.

import { describe, expect, it } from "vitest";
import type { Pair } from "./lists/compare.ts";
import { drawList } from "./lists/draw.ts";
import { describeFinding, findDifference, type Seeds } from "./lists/find.ts";
import { createPostgresPlace } from "./lists/place-postgres.ts";
import { createFilePlace, createMemoryPlace, type Place } from "./lists/place.ts";
import { plant, plantedBugs } from "./lists/planted.ts";
import { play } from "./lists/play.ts";

/** What differs, in words; undefined: nothing does. */
async function tellDifference(
  createPlace: () => Place | Promise<Place>,
  { atOnce, ...seeds }: Seeds & { readonly atOnce: number },
): Promise<string | undefined> {
  await using closing = new AsyncDisposableStack();
  const pairs: Pair[] = [];
  for (let place = 0; place < atOnce; place++)
    pairs.push([closing.use(createMemoryPlace()), closing.use(await createPlace())]);
  const finding = await findDifference(pairs, seeds);
  const [pair] = pairs;
  return finding === undefined || pair === undefined ? undefined : describeFinding(finding, pair);
}

describe("the same list of commands gives the same history", () => {
  it("on PostgreSQL and on SQLite, for 2,000 lists", { timeout: 900_000 }, async () => {
    expect(await tellDifference(createPostgresPlace, { first: 1, count: 2000, atOnce: 3 })).toBeUndefined();
  });

  it("on a file and in memory", async () => {
    expect(await tellDifference(createFilePlace, { first: 1, count: 40, atOnce: 1 })).toBeUndefined();
  });

  it("when it is played twice", async () => {
    await using place = createMemoryPlace();
    for (const seed of [3, 4, 5]) expect(await play(drawList(seed), place)).toEqual(await play(drawList(seed), place));
  });
});

describe("a store that is wrong is found, and the list that shows it is short", () => {
  it.each(plantedBugs)("$name", async (bug) => {
    await using memory = createMemoryPlace();
    await using planted = plant(bug, createMemoryPlace());
    const finding = await findDifference([[memory, planted]], { first: 1, count: bug.within });
    expect(finding?.difference.path).toMatch(bug.shownAt);
    expect(finding?.list.commands.length).toBeLessThanOrEqual(bug.commandsMax);
  });

  it("is told with its seed, its commands and what differs", async () => {
    const bug = plantedBugs.find(({ name }) => name === "a start key is forgotten");
    if (bug === undefined) throw new Error("the bug is not planted any more");
    await using memory = createMemoryPlace();
    await using planted = plant(bug, createMemoryPlace());
    const finding = await findDifference([[memory, planted]], { first: 1, count: bug.within });
    if (finding === undefined) throw new Error("the bug was not found");
    const text = await describeFinding(finding, [memory, planted]);
    expect(text).toMatch(/^Seed \d+: another history on SQLite in memory, altered than on SQLite in memory\./);
    expect(text).toContain("1 of its");
    expect(text).toMatch(
      /\n {2}1\. start .*\nAfter "start .*startKey:\n.*"k\d"\n.*null\nAgain: npm run lists -- --seed \d+$/s,
    );
  });
});
