// What became of calls, from their rows: no index serves it, so that no step costs more. It is looked for among the newest
// steps, and rated ones from their ratings outward.

import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { AuditPruning } from "../audit.ts";
import { columnTexts, toAuditEntry, toCount, toOutcome, toRating } from "../columns/outcome.ts";
import { ratedMax, type OutcomeQueries, type OutcomeQuery } from "../outcome.ts";

/** A row of which a call was made, or should have been, and which is over: an each has no arguments of its own, only its
 *  items do. Not one that was taken over from another run. */
const isCall = `steps.tool is not null and steps.completed_at is not null and steps.args is not null
  and (steps.started_at is not null or steps.more ->> '$.copiedFrom' is null)
  and (:tool is null or steps.tool = :tool) and (:workflow is null or its.name = :workflow)
  and (:createdBy is null or its.created_by = :createdBy)`;

/** The steps decide the order in which the tables are gone through, and so the order of the rows. */
const newest = `steps cross join runs as its on its.id = steps.run_id where steps.id >= :floor and steps.id < :before`;
const rated = `(select distinct run_id from ratings order by run_id desc limit ${ratedMax}) as rated
  cross join steps on steps.run_id = rated.run_id cross join runs as its on its.id = steps.run_id
  where steps.id < :before`;

const floorText = "select id from steps where id < :before order by id desc limit 1 offset :offset";

/** First which, then all of them: what is shown is only read of those that are. */
function pageText(from: string, quality: string): string {
  return `with picked (id) as materialized (
      select steps.id from ${from} and ${isCall} and ${quality} order by steps.id desc limit :limit
    )
    select ${columnTexts.outcome}
    from picked cross join steps on steps.id = picked.id cross join runs as its on its.id = steps.run_id
    order by picked.id desc`;
}

const texts = {
  any: pageText(newest, "true"),
  neutral: pageText(newest, `${columnTexts.quality} is null`),
  up: pageText(rated, `${columnTexts.quality} = 'up'`),
  down: pageText(rated, `${columnTexts.quality} = 'down'`),
} as const;

const countText = `with calls (tool, workflow, flow, step, status, duration_ms, quality) as (
    select steps.tool, its.name, its.flow, case when :isByStep = 1 then steps.step end, steps.status,
      steps.completed_at - steps.started_at, ${columnTexts.quality}
    from ${newest} and ${isCall}
  )
  select ${columnTexts.count} from calls group by calls.tool, calls.workflow, calls.flow, calls.step order by 1, 2, 3, 4`;

const newestId = Number.MAX_SAFE_INTEGER;

export function createOutcomeQueries(database: DatabaseSync): OutcomeQueries {
  const ratings = prepare(database, `select ${columnTexts.rating} from ratings where run_id = ? order by step_id, by`);
  const floor = database.prepare(floorText);
  // Seldom asked for: prepared when it is.
  const known = new Map<string, StatementSync>();
  const statementOf = (text: string): StatementSync => {
    const statement = known.get(text) ?? prepare(database, text);
    known.set(text, statement);
    return statement;
  };
  const read = (text: string, values: Record<string, SQLInputValue>): readonly (readonly unknown[])[] =>
    statementOf(text).all(values) as unknown as readonly (readonly unknown[])[];
  const floorOf = ({ lookedAtMax }: OutcomeQuery): number =>
    Number(floor.get({ ":before": newestId, ":offset": lookedAtMax - 1 })?.["id"] ?? 0);
  return {
    listRatings: (run) => (ratings.all(run) as unknown as readonly (readonly unknown[])[]).map(toRating),
    listOutcomes: (page) => {
      const { quality, before = newestId, limitMax } = page;
      const isRated = quality === "up" || quality === "down";
      const given = { ...filterOf(page), ":before": before, ":limit": limitMax };
      return read(texts[quality ?? "any"], isRated ? given : { ...given, ":floor": floorOf(page) }).map(toOutcome);
    },
    countOutcomes: (query) => {
      const window = { ":before": newestId, ":floor": floorOf(query) };
      return read(countText, { ...filterOf(query), ...window, ":isByStep": query.isByStep === true ? 1 : 0 }).map(
        toCount,
      );
    },
    listAudit: ({ limitMax, before = newestId, ...filter }) => {
      const wanted = auditFilters.filter(([name]) => filter[name] !== undefined);
      const conditions = wanted.map(([name, column]) => `and ${column} = :${name}`).join(" ");
      const text = `select ${columnTexts.audit} from audit where no < :before ${conditions} order by no desc limit :limit`;
      const values = Object.fromEntries(wanted.map(([name]) => [`:${name}`, filter[name] ?? null]));
      return read(text, { ...values, ":before": before, ":limit": limitMax }).map(toAuditEntry);
    },
  };
}

const auditFilters = [
  ["subject", "subject"],
  ["user", "by"],
  ["verb", "verb"],
] as const;

function prepare(database: DatabaseSync, text: string): StatementSync {
  const statement = database.prepare(text);
  statement.setReturnArrays(true);
  return statement;
}

function filterOf({ tool, workflow, createdBy }: OutcomeQuery): Record<string, SQLInputValue> {
  return { ":tool": tool ?? null, ":workflow": workflow ?? null, ":createdBy": createdBy ?? null };
}

/** Whether the oldest entry may go; what is younger stays at least as long. */
export function hasOldAudit(database: DatabaseSync, { before, keepMax }: AuditPruning): boolean {
  const found = database
    .prepare("select no, at, (select max(no) from audit) as last from audit order by no limit 1")
    .get();
  if (found === undefined) return false;
  return Number(found["at"]) < before || Number(found["no"]) <= Number(found["last"]) - keepMax;
}
