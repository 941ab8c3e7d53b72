select strptime(day, '%d/%m/%Y')::date as date_of_message, count(*) as messages
from messages
where strptime(day, '%d/%m/%Y')::date between date '2023-04-01' and date '2023-06-30'
group by strptime(day, '%d/%m/%Y')::date
order by date_of_message
