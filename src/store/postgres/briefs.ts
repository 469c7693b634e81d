// Rows without what may be large in them, and counts of rows.

import type { BriefRequests } from "../brief.ts";
import {
  briefColumns,
  briefTexts,
  itemsText,
  shortColumns,
  standingColumns,
  standingTexts,
  toBrief,
  toChild,
  toCounts,
  toMoment,
  toNewest,
  toShortRow,
  toStandings,
  toWaits,
  waitsText,
} from "../columns/brief.ts";
import type { Pool } from "./connection.ts";

/** Exported for the test of the plans. */
export const stepCountsText: string = `select run_id, status, count(*) from (
    select distinct on (run_id, step, visit) run_id, status
    from steps where run_id = any($1) and role = 'step' order by run_id, step, visit, id desc
  ) as newest group by run_id, status`;

export const textOfItems: string = itemsText((ids) => `= any(array(${ids}))`);

const textOfWaitsWith = (hasStates: boolean): string => `select found.* from unnest(cast($1 as bigint[])) as wanted (id)
  cross join lateral (${waitsText("wanted.id", { hasStates })}) as found order by found.id + 0`;

export const textOfWaits: string = textOfWaitsWith(true);
export const textOfPeoplesWaits: string = textOfWaitsWith(false);

export const textOfStandings: string = `select ${standingColumns("cast(runs.more as json)")}, (
    select 1 from steps where steps.run_id = runs.id and steps.is_live = 1 and ${standingTexts.isCall} limit 1
  ) from runs where runs.id = any($1)`;

/** By themselves: unlike with a file, nobody here waits while a server passes by the same rows twice. */
export const textOfStandingRows: string = `select found.* from unnest(cast($1 as bigint[])) as wanted (id)
  cross join lateral (
    select ${briefColumns} from steps
    where steps.run_id = wanted.id and steps.is_live = 1 and ${standingTexts.isQuiet}
    order by ${standingTexts.rank}, steps.id + 0 limit $2
  ) as found order by found.id + 0`;

export const textOfShort: string = `select ${shortColumns} from steps where steps.id = any($1)`;

export function createBriefQueries(pool: Pool): BriefRequests {
  return {
    listBriefs: async (run, limitMax) =>
      (await pool.rows("briefs", briefTexts.briefs, [run, limitMax])).map(toBrief).toReversed(),
    listArrivals: async (run, fork) =>
      (await pool.rows("brief_arrivals", briefTexts.arrivals, [run, fork])).map(toBrief),
    findNewest: async (run, step) => toNewest(await pool.rows("brief_newest", briefTexts.newest, [run, step])),
    listWaits: async ({ runs, after = 0, limitMax, hasStates = true }) => {
      if (runs.length === 0) return new Map();
      const [name, text] = hasStates ? ["brief_waits", textOfWaits] : ["brief_peoples_waits", textOfPeoplesWaits];
      return toWaits(await pool.rows(name, text, [runs, after, limitMax]));
    },
    listStandings: async ({ runs, limitMax }) => {
      if (runs.length === 0) return new Map();
      const [found, rows] = await Promise.all([
        pool.rows("brief_standings", textOfStandings, [runs]),
        pool.rows("brief_standing_rows", textOfStandingRows, [runs, limitMax]),
      ]);
      return toStandings(found, toWaits(rows));
    },
    findShort: async (rows) => {
      const found = rows.length === 0 ? [] : await pool.rows("brief_short", textOfShort, [rows]);
      return new Map(found.map(toShortRow).map((short) => [short.row.id, short]));
    },
    listMoments: async ({ run, skip, limitMax, bytesMax }) =>
      (await pool.rows("brief_moments", briefTexts.moments, [run, skip, limitMax, bytesMax])).map(toMoment),
    listItems: async ({ run, each, status, after, limitMax }) => {
      const given = [run, each, after ?? -1, status ?? null, limitMax];
      return (await pool.rows("brief_items", textOfItems, given)).map(toBrief);
    },
    countItems: async (run) => toCounts(await pool.rows("brief_item_counts", briefTexts.itemCounts, [run])),
    countSteps: async (runs) =>
      runs.length === 0 ? new Map() : toCounts(await pool.rows("brief_step_counts", stepCountsText, [runs])),
    listChildren: async (run, limitMax) =>
      (await pool.rows("brief_children", briefTexts.children, [run, limitMax])).map(toChild),
  };
}
