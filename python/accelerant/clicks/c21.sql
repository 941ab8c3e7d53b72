-- Addresses near each other: keys computed from one column.
select client_ip, client_ip - 1 as before, client_ip - 2 as before_that, count(*) as hits
from hits
group by client_ip, client_ip - 1, client_ip - 2
order by hits desc, client_ip
limit 10
