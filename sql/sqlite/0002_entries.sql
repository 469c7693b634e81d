-- What is kept beside the runs, each under its kind and key: saved workflows, breakers, who may do what. They are few and
-- change seldom; their shapes are the engine's.
create table entries (
  kind text not null,
  key text not null,
  version integer not null,
  updated_at integer not null,
  value text not null check (json_valid(value)),
  primary key (kind, key)
) strict, without rowid;

drop view workflow_templates;

-- A template of the seeds is a saved workflow in its newest version.
create view workflow_templates as
select
  entries.value ->> '$.id' as id,
  entries.updated_at as updated_at,
  entries.key as name,
  flows.source as flow_json,
  coalesce(entries.value -> '$.input', 'null') as input_json,
  entries.value ->> '$.description' as description,
  entries.value ->> '$.createdBy' as created_by,
  entries.value ->> '$.deletedAt' as cancelled_at
from entries left join flows on flows.hash = entries.value ->> '$.hash'
where entries.kind = 'workflow';
