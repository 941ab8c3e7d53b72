-- Texts of spreadsheets as days, in one quarter.
select to_date(day, 'dd/MM/yyyy') as date_of_message, count(*) as messages
from messages
where to_date(day, 'dd/MM/yyyy') between date '2023-04-01' and date '2023-06-30'
group by to_date(day, 'dd/MM/yyyy')
order by date_of_message
