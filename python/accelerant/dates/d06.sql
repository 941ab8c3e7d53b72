-- Seconds as texts of hours.
select from_unixtime(seconds, 'yyyy-MM-dd HH') as hour_of_message, count(*) as messages, sum(length) as lengths
from messages
group by from_unixtime(seconds, 'yyyy-MM-dd HH')
order by messages desc, hour_of_message
limit 10
