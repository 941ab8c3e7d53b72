-- Moments as texts for people, with names of days and months.
select date_format(moment, 'EEEE, d MMM yyyy') as said, count(*) as messages
from messages
group by date_format(moment, 'EEEE, d MMM yyyy')
order by messages desc, said
limit 10
