select strftime(make_timestamp(seconds * 1000000), '%Y-%m-%d %H') as hour_of_message, count(*) as messages, sum(length) as
    lengths
from messages
group by strftime(make_timestamp(seconds * 1000000), '%Y-%m-%d %H')
order by messages desc, hour_of_message
limit 10
