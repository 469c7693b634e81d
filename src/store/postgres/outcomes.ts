// What became of calls, from their rows: no index serves it, so that no step costs more. It is looked for among the newest
// steps, and rated ones from their ratings outward.

import type { AuditPruning } from "../audit.ts";
import { columnTexts, toAuditEntry, toCount, toOutcome, toRating } from "../columns/outcome.ts";
import { ratedMax, type OutcomeRequests, type OutcomeQuery } from "../outcome.ts";
import type { Pool } from "./connection.ts";

/** A row of which a call was made, or should have been, and which is over: an each has no arguments of its own, only its
 *  items do. Not one that was taken over from another run.
 *  The run is looked up for each row by itself, so that no plan begins with the runs. */
const calls = `cross join lateral (select name, flow, created_by from runs where runs.id = steps.run_id offset 0) as its
  where steps.tool is not null and steps.completed_at is not null and steps.args is not null
  and (steps.started_at is not null or steps.more is null or to_readable(steps.more) ->> 'copiedFrom' is null)
  and ($1::text is null or steps.tool = $1) and ($2::text is null or its.name = $2)
  and ($3::text is null or its.created_by = $3)`;

const newest = `steps ${calls} and steps.id < $4 and steps.id >= $5`;
const rated = `(select distinct run_id from ratings order by run_id desc limit ${ratedMax}) as rated
  cross join lateral (select * from steps where steps.run_id = rated.run_id offset 0) as steps ${calls} and steps.id < $4`;

/** First which, then all of them: what is shown is only read of those that are. */
function pageText(from: string, condition: string, limit: string): string {
  return `with picked as materialized (
      select steps.id from ${from} and ${condition} order by steps.id desc limit ${limit}
    )
    select ${columnTexts.outcome}
    from picked
      cross join lateral (select * from steps where steps.id = picked.id offset 0) as steps
      cross join lateral (select name, flow from runs where runs.id = steps.run_id offset 0) as its
    order by picked.id desc`;
}

/** Exported for the test that looks at how they are carried out. */
export const outcomeTexts: {
  readonly [name in "ratings" | "floor" | "any" | "neutral" | "up" | "down" | "count" | "oldest"]: string;
} = {
  ratings: `select ${columnTexts.rating} from ratings where run_id = $1 order by step_id, by`,
  floor: "select id from steps where id < $1 order by id desc limit 1 offset $2",
  any: pageText(newest, "true", "$6"),
  neutral: pageText(newest, `${columnTexts.quality} is null`, "$6"),
  up: pageText(rated, `${columnTexts.quality} = 'up'`, "$5"),
  down: pageText(rated, `${columnTexts.quality} = 'down'`, "$5"),
  count: `with calls (tool, workflow, flow, step, status, duration_ms, quality) as (
      select steps.tool, its.name, its.flow, case when $6::boolean then steps.step end, steps.status,
        steps.completed_at - steps.started_at, ${columnTexts.quality}
      from ${newest}
    )
    select ${columnTexts.count} from calls group by calls.tool, calls.workflow, calls.flow, calls.step
    order by calls.tool collate "C", calls.workflow collate "C", calls.flow, calls.step collate "C"`,
  oldest: `select no, at, (select newest.no from audit as newest order by newest.no desc limit 1) as last
    from audit order by audit.no limit 1`,
};

/** One text for each choice of filters, so that each finds its index. Exported, as `outcomeTexts` is. */
export function auditText(wanted: readonly AuditFilter[]): string {
  const conditions = wanted.map((name, index) => `${auditFilters[name]} = $${index + 3} and`).join(" ");
  const page = wanted.length === 0 ? "no < $1 order by no desc" : "-no > -($1::bigint) order by -no";
  return `select ${columnTexts.audit} from audit where ${conditions} ${page} limit $2`;
}

type AuditFilter = "subject" | "user" | "verb";
const auditFilters: Readonly<Record<AuditFilter, string>> = { subject: "subject", user: "by", verb: "verb" };

const newestId = Number.MAX_SAFE_INTEGER;

export function createOutcomeQueries(pool: Pool): OutcomeRequests {
  const floorOf = async ({ lookedAtMax }: OutcomeQuery): Promise<number> => {
    const [[id] = []] = await pool.rows("outcome_floor", outcomeTexts.floor, [newestId, lookedAtMax - 1]);
    return Number(id ?? 0);
  };
  return {
    listRatings: async (run) =>
      Number.isSafeInteger(run) ? (await pool.rows("ratings", outcomeTexts.ratings, [run])).map(toRating) : [],
    listOutcomes: async (page) => {
      const { quality, before = newestId, limitMax } = page;
      if (!canBeThere(page.tool, page.workflow, page.createdBy)) return [];
      const name = quality ?? "any";
      const window = quality === "up" || quality === "down" ? [] : [await floorOf(page)];
      const given = [...filterOf(page), before, ...window, limitMax];
      return (await pool.rows(`outcomes_${name}`, outcomeTexts[name], given)).map(toOutcome);
    },
    countOutcomes: async (query) => {
      if (!canBeThere(query.tool, query.workflow, query.createdBy)) return [];
      const given = [...filterOf(query), newestId, await floorOf(query), query.isByStep === true];
      return (await pool.rows("outcomes_count", outcomeTexts.count, given)).map(toCount);
    },
    listAudit: async ({ limitMax, before = newestId, ...filter }) => {
      const wanted = (["subject", "user", "verb"] as const).filter((name) => filter[name] !== undefined);
      const values = wanted.map((name) => filter[name] ?? "");
      if (!canBeThere(...values)) return [];
      const name = `audit_${wanted.join("_")}`;
      return (await pool.rows(name, auditText(wanted), [before, limitMax, ...values])).map(toAuditEntry);
    },
  };
}

/** No text of PostgreSQL has a NUL in it. */
function canBeThere(...texts: readonly (string | undefined)[]): boolean {
  return texts.every((text) => text === undefined || !text.includes("\0"));
}

function filterOf({ tool, workflow, createdBy }: OutcomeQuery): readonly (string | null)[] {
  return [tool ?? null, workflow ?? null, createdBy ?? null];
}

const pruneText = `delete from audit where no = any (array(select no from audit order by no limit $3))
  and (at < $1 or no <= (select no from audit order by no desc limit 1) - $2::bigint)`;

/** Looks first: nearly always nothing may go. */
export async function pruneAudit(
  pools: { readonly reader: Pool; readonly writer: Pool },
  pruning: AuditPruning,
): Promise<boolean> {
  const { before, keepMax, rowsMax } = pruning;
  const [[no, at, last] = []] = await pools.reader.rows("audit_oldest", outcomeTexts.oldest, []);
  if (no === undefined || (Number(at) >= before && Number(no) > Number(last) - keepMax)) return false;
  await pools.writer.rows("prune_audit", pruneText, [before, keepMax, rowsMax]);
  return true;
}
