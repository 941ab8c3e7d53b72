select strftime(moment, '%A, %-d %b %Y') as said, count(*) as messages
from messages
group by strftime(moment, '%A, %-d %b %Y')
order by messages desc, said
limit 10
