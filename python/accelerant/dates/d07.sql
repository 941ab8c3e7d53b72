-- Texts of one form as texts of another, by the month.
select date_format(to_date(day, 'dd/MM/yyyy'), 'MMM yyyy') as month_of_message, count(*) as messages, sum(length) as lengths
from messages
group by date_format(to_date(day, 'dd/MM/yyyy'), 'MMM yyyy')
order by month_of_message
