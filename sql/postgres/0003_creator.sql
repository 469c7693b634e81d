-- Whoever may read only what they have started finds it among everybody's, newest first. By the id turned round: the
-- primary key knows that order as well, and would be gone through for a user who has started little.
create index runs_by_creator on runs (created_by, (-id));
