-- What a row keeps free for a short result while its call is under way: rows that grow would split their page.
alter table steps add column room text;
