-- What people think of what a run has done. People read both tables with any SQL client; their columns are promised.
create table ratings (
  run_id integer not null,
  -- 0: of the whole run.
  step_id integer not null,
  by text not null,
  quality text not null check (quality = 'up' or quality = 'down'),
  feedback text,
  at integer not null,
  primary key (run_id, step_id, by)
) strict, without rowid;

-- Who has changed what, when and from where; written with the change itself.
create table audit (
  no integer primary key,
  at integer not null,
  by text not null,
  via text,
  source text not null,
  verb text not null,
  subject text,
  details text not null check (json_valid(details))
) strict;

-- Newest first, since an index ends in the number.
create index audit_by_user on audit (by);
create index audit_by_verb on audit (verb);
create index audit_by_subject on audit (subject) where subject is not null;
