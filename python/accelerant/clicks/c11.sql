-- One user: a filter that leaves next to nothing.
select user_id, event_time, counter_id
from hits
where user_id = (select max(user_id) from hits where counter_id = 2999)
order by event_time, counter_id
