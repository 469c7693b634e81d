// What people call runs and steps. One by one: a question to a file costs less than a list of ids as text.

import type { DatabaseSync } from "node:sqlite";
import type { RowId, RunId } from "../../run/model.ts";
import type { Names, RunName } from "../store.ts";

export type NameQueries = {
  readonly listNames: (runs: readonly RunId[], rows: readonly RowId[]) => Names;
};

export function createNameQueries(database: DatabaseSync): NameQueries {
  const run = database.prepare("select name, created_by from runs where id = :run");
  const row = database.prepare("select coalesce(name, step) as name from steps where id = :row");
  return {
    listNames: (runs, rows) => {
      const names = { runs: new Map<RunId, RunName>(), rows: new Map<RowId, string>() };
      for (const id of runs) {
        const found = run.get({ ":run": id });
        if (found !== undefined)
          names.runs.set(id, { name: String(found["name"]), createdBy: String(found["created_by"]) });
      }
      for (const id of rows) {
        const found = row.get({ ":row": id });
        if (found !== undefined) names.rows.set(id, String(found["name"]));
      }
      return names;
    },
  };
}
