// What a batch becomes: one statement for each kind of change, however many there are of it. Each finds its rows by their
// keys, and stops the transaction when one of them is not as the writer believed.
//
// `key = any (array[given.key])` and not `key = given.key`: for a table that is empty the server would begin with the
// table, and go on like that when it has grown. Of this comparison it knows only one way to go: by the index.

import { startedColumns, startedItemColumns, type FlatBatch, widths } from "../columns/batch.ts";
import { storedColumns, type Scalar } from "../columns/row.ts";
import { changingRunColumns, fixedRunColumns } from "../columns/run.ts";
import { behindCode, defineList, foreignCode, type ListStatement } from "./list-statement.ts";

/** First in each transaction: the store is still ours, and nothing is missing. */
export const commitText: string = `insert into commits (no, at, last_id, changes)
  select $1::bigint, $2::bigint, $3::bigint, $4::text
  where case
    when (select count(*) from partitions where epoch = $5::text) <> 64
      then refuse('${foreignCode}', 'Another process has taken the store.')
    when coalesce((select no from commits order by no desc limit 1), 0) + 1 <> $1
      then refuse('${behindCode}', 'Batch ' || $1 || ' does not come after the last commit: the one before it is missing.')
    else true
  end`;

const toldAtFinish = ["version", "result", "outcome", "completed_at", "finished_no"] as const;

/** The run's id is for those who follow; the row is found without it. */
function finishedColumns(): readonly (string | null)[] {
  return ["id", null, "before", ...toldAtFinish];
}

/** In the order in which they are written. */
export const listStatements: readonly ListStatement[] = [
  defineList("flows", {
    width: 4,
    columns: ["hash", "name", "source", "created_at"],
    text: ({ given, columns }) =>
      `insert into flows (${columns}) select ${columns} from ${given} on conflict do nothing`,
  }),
  defineList("newRuns", {
    width: widths.newRuns,
    columns: [...fixedRunColumns, ...changingRunColumns],
    derived: { anchor: anchorsOf },
    text: ({ given, columns }) => `insert into runs (${columns}, partition)
      select ${columns}, coalesce((select partition from runs where runs.id = given.anchor), given.anchor % 64)
      from ${given}`,
  }),
  defineList("runs", {
    width: widths.runs,
    columns: [...changingRunColumns, "id"],
    // Its counters change its version without a write: all that is known of the one on disk is that it is older.
    text: ({ given, assigned, guard }) =>
      guard(`update runs set ${assigned(changingRunColumns)}
      from ${given} where runs.id = any (array[given.id]) and runs.version < given.version`),
  }),
  defineList("finished", {
    width: widths.finished,
    columns: finishedColumns(),
    text: ({ given, assigned, guard, at }) => guard(finishText({ given, at, assigned: assigned(toldAtFinish) })),
  }),
  defineList("left", {
    width: widths.left,
    columns: [...finishedColumns(), "arrived_at", "ended"],
    text: ({ given, assigned, guard, at }) =>
      guard(finishText({ given, at, assigned: assigned([...toldAtFinish, "arrived_at", "ended"]) })),
  }),
  defineList("started", {
    width: widths.started,
    columns: startedColumns,
    text: (parts) => startText(parts, "step"),
  }),
  defineList("startedItems", {
    width: widths.startedItems,
    columns: [...startedColumns, ...startedItemColumns],
    text: (parts) => startText(parts, "item"),
  }),
  defineList("newRows", {
    width: widths.newRows,
    columns: storedColumns,
    text: ({ given, columns }) => `insert into steps (${columns}) select ${columns} from ${given}`,
  }),
  defineList("rows", {
    width: widths.rows,
    columns: ["before", ...storedColumns],
    mayKeep: ["args", "result"],
    text: ({ given, assigned, guard }) =>
      guard(`update steps set ${assigned(storedColumns.slice(2))}
      from ${given} where steps.id = any (array[given.id]) and steps.version = given.before`),
  }),
  defineList("droppedBlobs", {
    width: 2,
    columns: ["step_id", "column_name"],
    text: ({ given }) => `delete from blobs using ${given}
      where blobs.step_id = any (array[given.step_id]) and blobs.column_name = any (array[given.column_name])`,
  }),
  defineList("blobs", {
    width: 3,
    columns: ["step_id", "column_name", "body"],
    text: ({ given, columns }) => `insert into blobs (${columns}) select ${columns} from ${given}
      on conflict (step_id, column_name) do update set body = excluded.body`,
  }),
  defineList("events", {
    width: 7,
    columns: ["run_id", "id", "kind", "at", "step_id", "by", "value"],
    textual: ["id"],
    text: ({ given, columns }) => `insert into events (${columns}) select ${columns} from ${given}
      on conflict (run_id, id) do nothing`,
  }),
  defineList("signalRuns", {
    width: 1,
    columns: ["run_id"],
    text: ({ given }) => `delete from signals using ${given} where signals.run_id = any (array[given.run_id])`,
  }),
  defineList("signals", {
    width: 5,
    columns: ["run_id", "position", "id", "name", "value"],
    textual: ["id"],
    text: ({ given, columns }) => `insert into signals (${columns}) select ${columns} from ${given}`,
  }),
  defineList("visits", {
    width: 5,
    columns: ["run_id", "step", "all_count", "since_rest", "rest"],
    text: ({ given, columns }) => `insert into visits (${columns}) select ${columns} from ${given}
      on conflict (run_id, step) do update
        set all_count = excluded.all_count, since_rest = excluded.since_rest, rest = excluded.rest`,
  }),
  defineList("answers", {
    width: 2,
    columns: ["answer", "id"],
    text: ({ given }) => `update inbox set answer = given.answer from ${given}
      where inbox.id = any (array[given.id]) and coalesce(inbox.answer, '') = ''`,
  }),
  defineList("entries", {
    width: 5,
    columns: ["kind", "key", "version", "updated_at", "value"],
    text: ({ given, columns, guard }) =>
      guard(`insert into entries (${columns}) select ${columns} from ${given}
      on conflict (kind, key) do update
        set version = excluded.version, updated_at = excluded.updated_at, value = excluded.value
        where entries.version < excluded.version`),
  }),
  defineList("droppedEntries", {
    width: 2,
    columns: ["kind", "key"],
    text: ({ given }) => `delete from entries using ${given}
      where entries.kind = any (array[given.kind]) and entries.key = any (array[given.key])`,
  }),
  defineList("droppedRatings", {
    width: 2,
    columns: ["run_id", "by"],
    text: ({ given }) => `delete from ratings using ${given}
      where ratings.run_id = any (array[given.run_id]) and ratings.by = given.by`,
  }),
  // Its run may have gone meanwhile.
  defineList("ratings", {
    width: 6,
    columns: ["run_id", "step_id", "by", "quality", "feedback", "at"],
    text: ({ given, columns }) => `insert into ratings (${columns}) select ${columns} from ${given}
      where (select runs.id from runs where runs.id = given.run_id) is not null
      on conflict (run_id, step_id, by) do update
        set quality = excluded.quality, feedback = excluded.feedback, at = excluded.at`,
  }),
  defineList("audit", {
    width: 7,
    columns: ["at", "by", "via", "source", "verb", "subject", "details"],
    text: ({ given, columns }) => `insert into audit (${columns}) select ${columns} from ${given}`,
  }),
  // A run that has not ended, or is gone already, stays as it is.
  defineList("pruned", {
    width: 1,
    columns: ["id"],
    text: ({ given }) => `with
      gone as (delete from runs using ${given}
        where runs.id = any (array[given.id]) and runs.completed_at is not null returning runs.id),
      rows as (delete from steps where run_id = any (array(select id from gone))
        returning steps.id, steps.args = '' or steps.result = '' as has_blobs),
      bodies as (delete from blobs where step_id = any (array(select id from rows where has_blobs))),
      counts as (delete from visits where run_id = any (array(select id from gone))),
      told as (delete from events where run_id = any (array(select id from gone))),
      sent as (delete from signals where run_id = any (array(select id from gone))),
      rated as (delete from ratings where run_id = any (array(select id from gone)))
    select tell_counts()`,
  }),
];

type StartParts = { readonly given: string; readonly at: string; readonly columns: string };

function startText({ given, at, columns }: StartParts, role: "step" | "item"): string {
  return `insert into steps (${columns}, updated_at, ready_at, started_at, role, status, attempt, is_live)
    select ${columns}, ${at}, created_at, created_at, '${role}', 'running', 1, 1 from ${given}`;
}

type FinishParts = { readonly given: string; readonly at: string; readonly assigned: string };

function finishText({ given, at, assigned }: FinishParts): string {
  return `update steps set status = 'done', epoch = null, timeout_at = null, is_live = 0, updated_at = ${at}, ${assigned}
    from ${given} where steps.id = any (array[given.id]) and steps.version = given.before`;
}

/** Of each new run the one whose part it shares: its nearest ancestor that is on disk, or the root that comes with it. */
function isOlder(parent: Scalar | undefined, child: Scalar): parent is number {
  return typeof parent === "number" && typeof child === "number" && parent < child;
}

function anchorsOf({ newRuns }: FlatBatch): readonly Scalar[] {
  const parentAt = fixedRunColumns.indexOf("parent_run");
  const parents = new Map<Scalar, Scalar>();
  for (let from = 0; from < newRuns.length; from += widths.newRuns)
    parents.set(newRuns[from] ?? null, newRuns[from + parentAt] ?? null);
  return [...parents.keys()].map((id) => {
    let anchor = id;
    // A parent is older, so this ends.
    for (let parent = parents.get(id); isOlder(parent, anchor); parent = parents.get(parent)) anchor = parent;
    return anchor;
  });
}
