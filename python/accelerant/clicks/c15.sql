-- The first phrases in time: a top-k on a timestamp.
select search_phrase, event_time, watch_id
from hits
where search_phrase <> ''
order by event_time, search_phrase, watch_id
limit 10
