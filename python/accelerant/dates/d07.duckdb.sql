select strftime(strptime(day, '%d/%m/%Y'), '%b %Y') as month_of_message, count(*) as messages, sum(length) as lengths
from messages
group by strftime(strptime(day, '%d/%m/%Y'), '%b %Y')
order by month_of_message
