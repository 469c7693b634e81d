import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPostgresPlace, type PostgresPlace } from "../../testing/postgres-place.ts";
import { endRun, makeRow, makeRun, newRow, newRun } from "../conformance/subject.ts";
import type { Space } from "../store.ts";
import { createPool, type Pool } from "./connection.ts";
import { measureSpace, tidySpace } from "./space.ts";

let place: PostgresPlace;
let writer: Pool;

beforeEach(async () => {
  place = await createPostgresPlace({ durability: "fast" });
  writer = createPool(place.settings, "write");
});

afterEach(async () => {
  await writer.close();
  await place[Symbol.asyncDispose]();
});

const usedIn = ({ fileBytes, walBytes, freeBytes }: Space): number => fileBytes + walBytes - freeBytes;

/** Ended runs with ten rows each, of which one has a result of 20 KB that cannot be made smaller. */
async function fill(count: number): Promise<readonly number[]> {
  const ids = Array.from({ length: count }, (_, index) => (index + 1) * 100);
  for (const id of ids) {
    const rows = Array.from({ length: 10 }, (_, index) =>
      makeRow(id + index, {
        status: "done",
        token: null,
        result: index === 0 ? randomBytes(10_000).toString("hex") : "ok",
      }),
    );
    await place.write({ runs: [newRun(endRun(makeRun(id)))], rows: rows.map((row) => newRow(id, row)) });
  }
  // As a batch that removes something does: others see the counts at once.
  await place.write({ pruned: [1] });
  return ids;
}

describe("what counts as used", () => {
  test("falls at once by what is removed, and does not rise again when the server has tidied up", async () => {
    const empty = usedIn(await measureSpace(place.pool));
    const ids = await fill(100);
    const full = usedIn(await measureSpace(place.pool));
    const content = full - empty;
    expect(content).toBeGreaterThan(1_000_000);
    await place.write({ pruned: ids.slice(0, 50) });
    const half = usedIn(await measureSpace(place.pool));
    expect(half - empty).toBeLessThan(content * 0.65);
    expect(half - empty).toBeGreaterThan(content * 0.35);
    await place.session.run("vacuum");
    await place.session.run("analyze");
    const tidied = usedIn(await measureSpace(place.pool));
    expect(tidied - empty).toBeLessThan(content * 0.65);
    expect(tidied - empty).toBeGreaterThan(content * 0.25);
    await place.write({ pruned: ids });
    expect(usedIn(await measureSpace(place.pool)) - empty).toBeLessThan(content * 0.1);
  });

  test("never exceeds what is there", async () => {
    await fill(20);
    const { fileBytes, freeBytes, walBytes } = await measureSpace(place.pool);
    expect(freeBytes).toBeGreaterThanOrEqual(0);
    expect(freeBytes).toBeLessThan(fileBytes);
    expect(walBytes).toBe(0);
  });
});

describe("tidying", () => {
  test("gives back what a table no longer needs, and then has nothing to do", async () => {
    const ids = await fill(150);
    await place.write({ pruned: ids });
    const before = await measureSpace(place.pool);
    expect(before.freeBytes).toBeGreaterThan(1_000_000);
    const work = { reader: place.pool, writer, now: 1 };
    for (let round = 0; round < 5; round += 1) await tidySpace(work);
    const after = await measureSpace(place.pool);
    expect(after.fileBytes).toBeLessThan(before.fileBytes - 1_000_000);
    expect(after.freeBytes).toBeLessThan(1_000_000);
  });
});
