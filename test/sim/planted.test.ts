// The table of planted bugs is true: each is found, by an oracle that is named for it, within its seeds, and the README
// shows the same table.

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { findBug, plantedBugs } from "./planted.ts";

it("there are at least fifteen planted bugs, each with a name of its own", () => {
  expect(new Set(plantedBugs.map(({ name }) => name)).size).toBe(plantedBugs.length);
  expect(plantedBugs.length).toBeGreaterThanOrEqual(15);
});

it.each(plantedBugs)("the simulator finds: $name", (bug) => {
  const found = findBug(bug) ?? { oracle: `none within ${bug.within} seeds` };
  expect(bug.foundBy).toContain(found.oracle);
});

it("the README lists every planted bug with the oracles that find it and the seeds that are enough", () => {
  const readme = readFileSync(new URL("../../src/testing/README.md", import.meta.url), "utf8");
  const listed = readme.split("\n").flatMap((line) => {
    const [, name = "", oracles = "", seeds = ""] = /^\| (.+?) +\| (.+?) +\| +(\d+) +\|$/.exec(line) ?? [];
    return name === "" ? [] : [`${name} | ${oracles} | ${seeds}`];
  });
  expect(listed).toEqual(
    plantedBugs.map(({ name, foundBy, within }) => `${name} | ${foundBy.join(" or ")} | ${within}`),
  );
});
