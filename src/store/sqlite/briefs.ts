// Rows without what may be large in them, and counts of rows. Of many runs, one by one: a question to a file costs less
// than a list of ids as text.

import type { DatabaseSync, SQLInputValue, SQLOutputValue } from "node:sqlite";
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

export type BriefQueries = {
  readonly [Name in keyof BriefRequests]: (
    ...given: Parameters<BriefRequests[Name]>
  ) => Awaited<ReturnType<BriefRequests[Name]>>;
};

type Values = readonly SQLOutputValue[];

/** All rows of a run are passed by once: what is live among them is kept aside, and found by its ids afterwards. */
const standingText = `with live as materialized (
    select id, role, status, epoch, more from steps where run_id = $1 and is_live = 1
  )
  select ${standingColumns("runs.more")},
    (select 1 from live where ${amongLive("isCall")} limit 1),
    (select group_concat(id) from (
      select id from live where ${amongLive("isQuiet")} order by ${amongLive("rank")}, id limit $2
    ))
  from runs where runs.id = $1`;

function amongLive(name: keyof typeof standingTexts): string {
  return standingTexts[name].replaceAll("steps.", "live.");
}

export function createBriefQueries(database: DatabaseSync): BriefQueries {
  const prepare = (text: string): ((...given: SQLInputValue[]) => readonly Values[]) => {
    const statement = database.prepare(text.replaceAll("$", "?"));
    statement.setReturnArrays(true);
    return (...given) => statement.all(...given) as unknown as readonly Values[];
  };
  const briefs = prepare(briefTexts.briefs);
  const arrivals = prepare(briefTexts.arrivals);
  const newest = prepare(briefTexts.newest);
  const waits = prepare(waitsText("$1", { hasStates: true }));
  const idsOfPeople = prepare(waitsText("$1", { hasStates: false, columns: "steps.id" }));
  const standings = prepare(standingText);
  const among = prepare(
    `select ${briefColumns} from steps where steps.id in (select value from json_each($1)) order by steps.id`,
  );
  const listAmong = (ids: readonly number[]): readonly Values[] => (ids.length === 0 ? [] : among(JSON.stringify(ids)));
  const short = prepare(`select ${shortColumns} from steps where steps.id = $1`);
  const moments = prepare(briefTexts.moments);
  const items = prepare(itemsText((ids) => `in (${ids})`));
  const itemCounts = prepare(briefTexts.itemCounts);
  const children = prepare(briefTexts.children);
  // The status is that of the row with the greatest id.
  const stepCounts = prepare(`select $1, status, count(*) from (
      select status, max(id) from steps where run_id = $1 and role = 'step' group by step, visit
    ) group by status`);
  return {
    listBriefs: (run, limitMax) => briefs(run, limitMax).map(toBrief).toReversed(),
    listArrivals: (run, fork) => arrivals(run, fork).map(toBrief),
    findNewest: (run, step) => toNewest(newest(run, step)),
    listWaits: ({ runs, after = 0, limitMax, hasStates = true }) =>
      toWaits(
        hasStates
          ? runs.flatMap((run) => waits(run, after, limitMax))
          : // In most runs nobody is asked: each column costs, also of no rows.
            listAmong(runs.flatMap((run) => idsOfPeople(run, after, limitMax)).map(([id]) => Number(id))),
      ),
    listStandings: ({ runs, limitMax }) => {
      const found = runs.flatMap((run) => standings(run, limitMax));
      const ids = found.flatMap((values) => (typeof values[5] === "string" ? values[5].split(",") : []));
      return toStandings(found, toWaits(listAmong(ids.map(Number))));
    },
    findShort: (rows) =>
      new Map(
        rows
          .flatMap((row) => short(row))
          .map(toShortRow)
          .map((found) => [found.row.id, found]),
      ),
    listMoments: ({ run, skip, limitMax, bytesMax }) => moments(run, skip, limitMax, bytesMax).map(toMoment),
    listItems: ({ run, each, status, after, limitMax }) =>
      items(run, each, after ?? -1, status ?? null, limitMax).map(toBrief),
    countItems: (run) => toCounts(itemCounts(run)),
    countSteps: (runs) => toCounts(runs.flatMap((run) => stepCounts(run))),
    listChildren: (run, limitMax) => children(run, limitMax).map(toChild),
  };
}
