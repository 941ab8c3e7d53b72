-- Users by the minute: a part of a timestamp as key, a million groups.
select user_id, minute(event_time) as minute_of_hour, count(*) as hits
from hits
group by user_id, minute(event_time)
order by hits desc, user_id, minute_of_hour
limit 10
