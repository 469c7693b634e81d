-- What is kept beside the runs, each under its kind and key: saved workflows, breakers, who may do what. They are few and
-- change seldom; their shapes are the engine's.
create table entries (
  kind text collate "C" not null,
  key text collate "C" not null,
  version bigint not null,
  updated_at bigint not null,
  value text not null check (value::json is not null),
  primary key (kind, key)
) with (fillfactor = 50);

drop view workflow_templates;

-- A text as JSON of which members can be read: no text of PostgreSQL holds what `\u0000` and half a pair stand for.
create function to_readable(value text) returns json
language sql immutable parallel safe as $$
  select regexp_replace(value, '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd', 'g')::json
$$;

-- A template of the seeds is a saved workflow in its newest version.
create view workflow_templates as
select
  (saved.workflow ->> 'id')::bigint as id,
  entries.updated_at as updated_at,
  entries.key as name,
  flows.source as flow_json,
  coalesce((saved.workflow -> 'input')::text, 'null') as input_json,
  saved.workflow ->> 'description' as description,
  saved.workflow ->> 'createdBy' as created_by,
  (saved.workflow ->> 'deletedAt')::bigint as cancelled_at
from entries
  cross join lateral (select to_readable(entries.value) as workflow) as saved
  left join flows on flows.hash = saved.workflow ->> 'hash'
where entries.kind = 'workflow';
