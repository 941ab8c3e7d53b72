select strftime(moment, '%Y-%m') as month_of_message, count(*) as messages, sum(length) as lengths
from messages
group by strftime(moment, '%Y-%m')
order by month_of_message
