-- The engine's memory: the tables and columns of sql/sqlite, in a schema of their own. What is different here has to do
-- with how PostgreSQL writes: a change of a row is a new row, and every index has to learn of it unless none of its
-- columns has changed and there is room left on the page. Nearly every step is one insert (`running`) and one update
-- (`done`), so no index has a column in it that changes when a call ends well, and half of each page is kept free.
--
-- Texts that are looked up or sorted are compared byte by byte, as SQLite does.

create table meta (
  name text collate "C" primary key,
  value text not null
);

-- Who owns what: 64 parts of the runs, all of one owner for now. Whoever holds the lock of a part writes its epoch here;
-- whoever writes looks whether it is still theirs. An empty epoch belongs to nobody.
create table partitions (
  no smallint primary key,
  epoch text not null,
  owner text,
  session_pid integer,
  heartbeat_at timestamptz
) with (fillfactor = 25, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

insert into partitions (no, epoch) select no, '' from generate_series(0, 63) as no;

create table flows (
  hash text collate "C" primary key,
  name text,
  source text not null check (source::json is not null),
  created_at bigint not null
);

create table runs (
  -- In the order of creation; the uid begins with it, so that a run is found by either without another index.
  id bigint primary key,
  created_at bigint not null,
  updated_at bigint not null,
  version bigint not null,
  rest_count integer not null,
  ended_count integer not null,
  -- Of a root id % 64, of a sub-run that of its parent.
  partition smallint not null,
  started_at bigint,
  completed_at bigint,
  cancelled_at bigint,
  -- The instant at which something of the run itself is due: its start, its time limit.
  due_at bigint,
  parent_run bigint,
  status text collate "C" not null
    check (status in ('running', 'completed', 'scheduled', 'failed', 'cancelled', 'paused')),
  uid text not null,
  flow text collate "C" not null,
  name text not null,
  input text not null,
  created_by text collate "C" not null,
  created_via text,
  terminal_kind text check (terminal_kind in ('success', 'failure', 'cancel')),
  output text,
  error text,
  start_key text collate "C",
  -- alarms, attention, ending, parent, data, seen, origin, keys: of few runs.
  more text,
  check ((completed_at is null) = (status in ('running', 'scheduled', 'paused')))
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);

create unique index runs_by_start_key on runs (start_key) where start_key is not null;
create index runs_due on runs (due_at) where due_at is not null;
-- Roots only: a sub-run goes when its root goes.
create index runs_ended on runs (completed_at, id) where completed_at is not null and parent_run is null;
create index runs_by_parent on runs (parent_run) where parent_run is not null;
-- Among many that have completed, all others are found at once, newest first.
create index runs_by_status on runs (status, id) where status <> 'completed';

-- The columns that every row has come first, then numbers, then texts: so they take the least room.
create table steps (
  id bigint primary key,
  run_id bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  version integer not null,
  visit integer not null,
  attempt integer not null,
  is_live smallint not null,
  -- A path of the run ended with this row: 1, and it gave the result; 2, and what it gave is in `more`.
  ended smallint,
  caused_by bigint,
  ready_at bigint,
  started_at bigint,
  completed_at bigint,
  -- When the call that runs has taken too long; the process that runs it watches it.
  timeout_at bigint,
  -- When something else is due: a retry, a sleep, a reminder.
  due_at bigint,
  -- The fork at whose join this row's branch has arrived.
  arrived_at bigint,
  serves bigint,
  finished_no integer,
  item integer,
  -- Its finished_no, as long as it can be undone.
  undo_no integer,
  -- 1: it may wait for an event.
  waits smallint,
  status text collate "C" not null
    check (status in ('running', 'done', 'ready', 'pending', 'failed', 'skipped', 'cancelled', 'uncertain')),
  role text collate "C" not null,
  step text collate "C" not null,
  scope text collate "C" not null,
  via text collate "C" not null,
  -- Null: the step's key is its name.
  name text,
  tool text,
  -- Of the try that runs: its token is `<id>.<epoch>`.
  epoch text collate "C",
  outcome text,
  -- An empty text in `args` or `result`: it stands in `blobs`.
  args text,
  result text,
  error text,
  more text,
  -- Its ready_at, as long as it is ready; unlike its status, nothing that a call's end changes.
  queued_at bigint generated always as (case when status = 'ready' then ready_at end) stored
) with (
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0.05,
  autovacuum_vacuum_insert_scale_factor = 0.1,
  autovacuum_analyze_scale_factor = 0.05
);

-- Calls under way have no index of their own: they are found through the runs that are alive.
create index steps_by_run on steps (run_id);
create index steps_ready on steps (queued_at, id) where queued_at is not null;
create index steps_due on steps (due_at) where due_at is not null;
create index steps_arrived on steps (arrived_at) where arrived_at is not null;
create index steps_serving on steps (serves) where serves is not null;
create index steps_ended on steps (run_id, id) where ended is not null;
create index steps_undoable on steps (run_id, undo_no) where undo_no is not null;
create index steps_waiting on steps (run_id) where waits is not null;

-- Results and arguments of more than 64 KB.
create table blobs (
  step_id bigint not null,
  column_name text collate "C" not null,
  body text not null,
  primary key (step_id, column_name)
);

-- Visits of a step after the first: a loop, or branches that share a step.
create table visits (
  run_id bigint not null,
  step text collate "C" not null,
  all_count integer not null,
  since_rest integer not null,
  rest integer not null,
  primary key (run_id, step)
) with (fillfactor = 50);

create table signals (
  run_id bigint not null,
  position integer not null,
  id text not null,
  name text not null,
  value text not null,
  primary key (run_id, position)
);

create table events (
  -- In the order in which they were written.
  no bigint generated by default as identity primary key,
  run_id bigint not null,
  id text collate "C" not null,
  kind text not null,
  at bigint not null,
  step_id bigint,
  by text,
  value text not null,
  unique (run_id, id)
);

-- One row for each transaction of the owner: what changed, for those who follow.
create table commits (
  no bigint primary key,
  at bigint not null,
  last_id bigint not null,
  changes text not null
) with (autovacuum_vacuum_scale_factor = 0.05);

create table inbox (
  id bigint generated by default as identity primary key,
  at bigint not null,
  by text not null,
  message text not null check (message::json is not null),
  answer text,
  -- Made by whoever posts it: a post that is repeated, because nobody knows whether it arrived, arrives once.
  uid text collate "C" unique
) with (autovacuum_vacuum_scale_factor = 0.05);

create index inbox_open on inbox (id) where answer is null;

-- Stops the transaction it is called in: what it should have changed is not as its writer believed.
create function refuse(code text, said text) returns boolean
language plpgsql as $$
begin
  raise exception using errcode = code, message = said;
end
$$;

-- Shows others at once what the transaction it is called in has added and removed: how much is alive decides what else
-- must go. Servers before version 15 do so by themselves.
create function tell_counts() returns void
language plpgsql as $$
begin
  perform pg_stat_force_next_flush();
exception when undefined_function then
  null;
end
$$;

-- What people may read with any SQL client; the columns are promised.
create view workflows as
select
  runs.id as id,
  runs.updated_at as updated_at,
  runs.name as name,
  flows.source as flow_json,
  runs.input as input_json,
  runs.status as status,
  runs.created_by as created_by,
  runs.completed_at as completed_at,
  runs.cancelled_at as cancelled_at
from runs left join flows on flows.hash = runs.flow;

create view workflow_steps as
select
  steps.id as id,
  steps.updated_at as updated_at,
  steps.run_id as workflow_id,
  coalesce(steps.name, steps.step) as name,
  steps.tool as tool,
  case steps.args
    when '' then (select body from blobs where step_id = steps.id and column_name = 'args')
    else coalesce(steps.args, '{}')
  end as args_json,
  case steps.result
    when '' then (select body from blobs where step_id = steps.id and column_name = 'result')
    else coalesce(steps.result, steps.error)
  end as result_json,
  steps.status as status,
  steps.attempt as attempt,
  steps.ready_at as ready_at,
  steps.started_at as started_at,
  steps.completed_at as completed_at
from steps
where steps.role <> 'items';

-- Saved workflows come with their own table; until then the view is there and empty.
create view workflow_templates as
select
  null::bigint as id,
  null::bigint as updated_at,
  null::text as name,
  null::text as flow_json,
  null::text as input_json,
  null::text as description,
  null::text as created_by,
  null::bigint as cancelled_at
where false;
