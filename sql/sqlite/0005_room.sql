-- What a row keeps free for its result while its call is under way: a row that grew would split its page.
alter table steps add column room text;
