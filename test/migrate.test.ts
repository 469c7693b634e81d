// A store that is moved in the middle of everything goes on where it was.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { migrateStore } from "../src/store/copy/migrate.ts";
import { createTestDatabase } from "../src/testing/postgres.ts";
import { differences } from "./migrate/observe.ts";
import { beginOn, endOn } from "./migrate/sides.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stepwell-migrate-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

/** Each kind of run twice. */
const count = 38;

test("a file is moved to a server, and from there to a file, and everything ends as it does where it was", async () => {
  await using database = await createTestDatabase();
  const [from, twin, back] = [join(folder, "from.db"), join(folder, "twin.db"), join(folder, "back.db")];
  const begun = await beginOn(from, count);
  await migrateStore(from, twin, { keep: true });
  await migrateStore(from, database.url);
  await migrateStore(database.url, back, { keep: true });
  const expected = await endOn(twin, begun);
  expect(differences(await endOn(back, begun), expected)).toEqual([]);
  expect(differences(await endOn(database.url, begun), expected)).toEqual([]);
});

test("what began on a server ends on a file as it does on a server", async () => {
  await using database = await createTestDatabase();
  const [from, twin, to] = [database.url, `${database.url}?schema=twin`, join(folder, "to.db")];
  const begun = await beginOn(from, count);
  await migrateStore(from, twin, { keep: true });
  await migrateStore(from, to);
  expect(differences(await endOn(to, begun), await endOn(twin, begun))).toEqual([]);
});
