-- Moments as texts of their months.
select date_format(moment, 'yyyy-MM') as month_of_message, count(*) as messages, sum(length) as lengths
from messages
group by date_format(moment, 'yyyy-MM')
order by month_of_message
