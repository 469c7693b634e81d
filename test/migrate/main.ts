// `npm run migrate:check -- --runs 10000`: a file with so many live runs of every kind is moved to a server, and its twin
// stays on a file; both go on to the end, and every run must show the same. Then the server's store is moved back.

import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { migrateStore } from "../../src/store/copy/migrate.ts";
import { createTestDatabase } from "../../src/testing/postgres.ts";
import { differences } from "./observe.ts";
import { beginOn, endOn } from "./sides.ts";

const { values } = parseArgs({ options: { runs: { type: "string", default: "10000" } } });
const count = Number(values.runs);

async function timed<Result>(what: string, act: () => Promise<Result>): Promise<Result> {
  const began = performance.now();
  const result = await act();
  const memory = Math.round(process.memoryUsage().rss / 1_000_000);
  console.log(`${what}: ${((performance.now() - began) / 1000).toFixed(1)} s (${memory} MB)`);
  return result;
}

const folder = mkdtempSync(join(tmpdir(), "stepwell-migrate-"));
await using database = await createTestDatabase();
try {
  const [from, twin, back] = ["from.db", "twin.db", "back.db"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const begun = await timed(`${count} runs begun`, () => beginOn(from, count));
  console.log(`the file: ${Math.round(statSync(from).size / 1_000_000)} MB`);
  await timed("file to file, compared", () => migrateStore(from, twin, { keep: true }));
  const { tables } = await timed("file to server, compared", () => migrateStore(from, database.url));
  console.log(tables.map(({ name, rows }) => `${name} ${rows}`).join(", "));
  await timed("server to file, compared", () => migrateStore(database.url, back, { keep: true }));
  const expected = await timed("the twin ended on its file", () => endOn(twin, begun));
  const found = await timed("the moved one ended on the server", () => endOn(database.url, begun));
  const returned = await timed("the one that came back ended on its file", () => endOn(back, begun));
  const differ = [...differences(found, expected), ...differences(returned, expected)];
  const statuses = Map.groupBy(expected.runs, (run) => ("status" in run ? String(run.status) : ""));
  console.log([...statuses].map(([status, runs]) => `${runs.length} ${status}`).join(", "));
  console.log(
    differ.length === 0 ? "every run is the same" : `${differ.length} differences:\n${differ.slice(0, 20).join("\n")}`,
  );
  process.exitCode = differ.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}
