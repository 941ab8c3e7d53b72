-- Texts of databases as moments, by the hour.
select hour(to_timestamp(created, 'yyyy-MM-dd HH:mm:ss')) as hour_of_day, count(*) as messages, sum(length) as lengths
from messages
group by hour(to_timestamp(created, 'yyyy-MM-dd HH:mm:ss'))
order by hour_of_day
