// What people call runs and steps: a list of ids each, since every question is a way to the server and back.

import type { RowId, RunId } from "../../run/model.ts";
import type { Names } from "../store.ts";
import type { Pool } from "./connection.ts";

export type NameQueries = {
  readonly listNames: (runs: readonly RunId[], rows: readonly RowId[]) => Promise<Names>;
};

/** Exported for the test of the plans. */
export const nameTexts: { readonly [name in "runs" | "rows"]: string } = {
  runs: "select id, name, created_by from runs where id = any($1)",
  rows: "select id, coalesce(name, step) from steps where id = any($1)",
};

export function createNameQueries(pool: Pool): NameQueries {
  return {
    listNames: async (runs, rows) => {
      const [foundRuns, foundRows] = await Promise.all([
        runs.length === 0 ? [] : pool.rows("run_names", nameTexts.runs, [runs]),
        rows.length === 0 ? [] : pool.rows("row_names", nameTexts.rows, [rows]),
      ]);
      return {
        runs: new Map(
          foundRuns.map(([id, name, createdBy]) => [Number(id), { name: String(name), createdBy: String(createdBy) }]),
        ),
        rows: new Map(foundRows.map(([id, name]) => [Number(id), String(name)])),
      };
    },
  };
}
