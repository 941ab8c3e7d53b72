select hour(strptime(created, '%Y-%m-%d %H:%M:%S')) as hour_of_day, count(*) as messages, sum(length) as lengths
from messages
group by hour(strptime(created, '%Y-%m-%d %H:%M:%S'))
order by hour_of_day
