-- Each row meets one.
select count(*) as pairs, sum(v + y) as total, max(x) as most
from facts join others on facts.k = others.k
