select strftime(strptime(spoken, '%d %b %Y %I:%M %p'), '%Y-%m-%d %H') as hour_of_message, count(*) as messages
from messages
group by strftime(strptime(spoken, '%d %b %Y %I:%M %p'), '%Y-%m-%d %H')
order by messages desc, hour_of_message
limit 10
