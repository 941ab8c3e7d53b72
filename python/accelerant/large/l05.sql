-- A window whose one partition is all rows.
select sum(place % 7) as places, sum(running % 1000) as sums, count(before) as behind_others
from (
    select
        row_number() over (order by v, k) as place,
        sum(x) over (order by v, k rows between unbounded preceding and current row) as running,
        lag(x) over (order by v, k) as before
    from facts
)
