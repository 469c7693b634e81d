-- The engine's memory. A run is a row, a step's attempt is a row; everything else serves these two. Live rows are found
-- by partial indexes, so that what has ended costs disk and nothing else.
--
-- A step costs one insert and one update. The columns of `steps` that nearly every row has are columns; what few rows
-- have stands in `more` as one JSON text, null when there is nothing of it. Text that would only repeat another column
-- (the default idempotency key, `previous` = what led here) is null.

create table meta (
  name text primary key,
  value text not null
) strict, without rowid;

create table flows (
  hash text primary key,
  name text,
  source text not null check (json_valid(source)),
  created_at integer not null
) strict, without rowid;

create table runs (
  -- In the order of creation; the uid begins with it, so that a run is found by either without another index.
  id integer primary key,
  uid text not null,
  flow text not null,
  name text not null,
  -- One comparison after another, the most common first: `in` builds a table of its own for each row that is written.
  status text not null check (
    status = 'running' or status = 'completed' or status = 'scheduled'
    or status = 'failed' or status = 'cancelled' or status = 'paused'
  ),
  version integer not null,
  updated_at integer not null,
  input text not null,
  created_by text not null,
  created_via text,
  created_at integer not null,
  started_at integer,
  completed_at integer,
  cancelled_at integer,
  terminal_kind text check (terminal_kind = 'success' or terminal_kind = 'failure' or terminal_kind = 'cancel'),
  output text,
  error text,
  -- The instant at which something of the run itself is due: its start, its time limit.
  due_at integer,
  parent_run integer,
  start_key text,
  rest_count integer not null,
  ended_count integer not null,
  -- alarms, attention, ending, parent, data, seen, origin, keys: of few runs.
  more text,
  check ((completed_at is null) = (status = 'running' or status = 'scheduled' or status = 'paused'))
) strict;

create unique index runs_by_start_key on runs (start_key) where start_key is not null;
create index runs_due on runs (due_at) where due_at is not null;
-- Roots only: a sub-run goes when its root goes.
create index runs_ended on runs (completed_at) where completed_at is not null and parent_run is null;
create index runs_by_parent on runs (parent_run) where parent_run is not null;
-- Among many that have completed, all others are found at once.
create index runs_by_status on runs (status) where status <> 'completed';

create table steps (
  id integer primary key,
  run_id integer not null,
  step text not null,
  -- Null: the step's key is its name.
  name text,
  role text not null,
  status text not null check (
    status = 'running' or status = 'done' or status = 'ready' or status = 'pending'
    or status = 'failed' or status = 'skipped' or status = 'cancelled' or status = 'uncertain'
  ),
  version integer not null,
  updated_at integer not null,
  visit integer not null,
  item integer,
  attempt integer not null,
  scope text not null,
  caused_by integer,
  via text not null,
  tool text,
  -- An empty text in `args` or `result`: it stands in `blobs`.
  args text,
  -- Of the try that runs: its token is `<id>.<epoch>`.
  epoch text,
  result text,
  outcome text,
  error text,
  created_at integer not null,
  ready_at integer,
  started_at integer,
  completed_at integer,
  finished_no integer,
  -- When the call that runs has taken too long; the process that runs it watches it.
  timeout_at integer,
  -- When something else is due: a retry, a sleep, a reminder.
  due_at integer,
  is_live integer not null,
  -- The fork at whose join this row's branch has arrived.
  arrived_at integer,
  serves integer,
  -- A path of the run ended with this row: 1, and it gave the result; 2, and what it gave is in `more`.
  ended integer,
  -- Its finished_no, as long as it can be undone.
  undo_no integer,
  -- 1: it may wait for an event.
  waits integer,
  more text
) strict;

create index steps_by_run on steps (run_id);
-- Of calls under way only; small, so that a step's insert and delete in it cost little.
create index steps_running on steps (timeout_at) where epoch is not null;
create index steps_ready on steps (ready_at) where status = 'ready';
create index steps_due on steps (due_at) where due_at is not null;
create index steps_arrived on steps (arrived_at) where arrived_at is not null;
create index steps_serving on steps (serves) where serves is not null;
create index steps_ended on steps (run_id) where ended is not null;
create index steps_undoable on steps (run_id, undo_no) where undo_no is not null;
create index steps_waiting on steps (run_id) where waits is not null;

-- Results and arguments of more than 64 KB.
create table blobs (
  step_id integer not null,
  column_name text not null,
  body text not null,
  primary key (step_id, column_name)
) strict, without rowid;

-- Visits of a step after the first: a loop, or branches that share a step.
create table visits (
  run_id integer not null,
  step text not null,
  all_count integer not null,
  since_rest integer not null,
  rest integer not null,
  primary key (run_id, step)
) strict, without rowid;

create table signals (
  run_id integer not null,
  position integer not null,
  id text not null,
  name text not null,
  value text not null,
  primary key (run_id, position)
) strict, without rowid;

create table events (
  -- In the order in which they were written.
  no integer primary key,
  run_id integer not null,
  id text not null,
  kind text not null,
  at integer not null,
  step_id integer,
  by text,
  value text not null,
  unique (run_id, id)
) strict;

-- One row for each transaction of the owner: what changed, for those who follow.
create table commits (
  no integer primary key,
  at integer not null,
  last_id integer not null,
  changes text not null
) strict;

create table inbox (
  id integer primary key autoincrement,
  at integer not null,
  by text not null,
  message text not null check (json_valid(message)),
  answer text
) strict;

create index inbox_open on inbox (id) where answer is null;

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
  null as id,
  null as updated_at,
  null as name,
  null as flow_json,
  null as input_json,
  null as description,
  null as created_by,
  null as cancelled_at
where false;
