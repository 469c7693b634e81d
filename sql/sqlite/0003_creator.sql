-- Whoever may read only what they have started finds it among everybody's; newest first, since an index ends in the id.
create index runs_by_creator on runs (created_by);
