-- A sort of all rows, of which the first and the last are looked at.
select first(k) as first_key, last(v) as last_value, last(x) as last_number, count(*) as sorted
from (select k, v, x from facts order by v, k)
