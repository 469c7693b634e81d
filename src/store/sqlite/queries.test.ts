import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { listMigrations, migrate } from "./migrate.ts";
import { createQueries } from "./queries.ts";

/** A connection that keeps the texts of what is prepared on it. */
class Recording extends DatabaseSync {
  readonly texts: string[] = [];
  override prepare(...given: Parameters<DatabaseSync["prepare"]>): ReturnType<DatabaseSync["prepare"]> {
    this.texts.push(given[0]);
    return super.prepare(...given);
  }
}

function openRecording(): Recording {
  const database = new Recording(":memory:");
  migrate(database, { path: ":memory:", migrations: listMigrations(), now: 1 });
  database.texts.length = 0;
  return database;
}

function planOf(database: DatabaseSync, text: string): string {
  return database
    .prepare(`explain query plan ${text}`)
    .all()
    .map(({ detail }) => String(detail))
    .join("\n");
}

describe("what people ask", () => {
  test("is found by an index, and no table is read through", () => {
    const database = openRecording();
    createQueries(database);
    const texts = [...database.texts];
    expect(texts.length).toBeGreaterThan(15);
    for (const text of texts)
      // What was found already, by an index, and put aside may be: of an each its items, of a run what is live; so may a list of ids.
      expect(`${text}\n${planOf(database, text)}`).not.toMatch(
        /\n(?:SCAN (?!.*COVERING|CONSTANT|\(subquery|ranked|live\b|json_each))/,
      );
    database.close();
  });

  test("of runs with a status that is rare does not look at those that have completed", () => {
    const database = openRecording();
    createQueries(database);
    const lists = database.texts.filter((text) => /[^+]runs.status = '(?!completed)/.test(text));
    expect(lists).toHaveLength(10);
    for (const text of lists) expect(planOf(database, text)).toContain("USING INDEX runs_by_status");
    database.close();
  });
});

describe("what one user has started", () => {
  test("is found among everybody's by an index, in its order", () => {
    const database = openRecording();
    createQueries(database);
    const lists = database.texts.filter((text) => text.includes(" runs.created_by = :createdBy"));
    expect(lists).toHaveLength(5);
    for (const text of lists) expect(planOf(database, text)).toMatch(/^SEARCH runs USING INDEX runs_by_creator[^\n]*$/);
    database.close();
  });
});

describe("the poll", () => {
  test("E0-03, E0-35: finds ready steps by a partial index, in their order", () => {
    const database = openRecording();
    const index = database.prepare("select sql from sqlite_schema where name = 'steps_ready'").get()?.["sql"];
    expect(index).toMatch(/on steps \(.*ready_at\) where status = 'ready'$/);
    const plan = planOf(database, "select id from steps where status = 'ready' order by ready_at limit 50");
    expect(plan).toMatch(/^(?:SCAN|SEARCH) steps USING (?:COVERING )?INDEX steps_ready[^\n]*$/);
    database.close();
  });
});
