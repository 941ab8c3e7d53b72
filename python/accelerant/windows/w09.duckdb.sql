select region, sum(before) as before, sum(behind) as behind, sum(case when before is null then 1 else 0 end) as unknown
from (
    select region, last_value(reading ignore nulls) over (partition by account order by id rows between unbounded
        preceding and current row) as before,
        first_value(reading ignore nulls) over (partition by account order by id rows between current row and unbounded
        following) as behind
    from sales
) as filled
group by region
order by region
