-- As many groups as there are rows.
select count(*) as groups, sum(total) as total, max(most) as most
from (select k, sum(v) as total, max(x) as most from facts group by k)
