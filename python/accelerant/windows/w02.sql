-- Sessions: a gap to the sale before that is longer than five days begins a new one.
select region, sum(is_first) as sessions, max(session) as most, sum(session) as numbers
from (
    select region, is_first, sum(is_first) over (partition by account order by id rows between unbounded preceding and
        current row) as session
    from (
        select region, account, id, case when day_number - lag(day_number, 1, -1000) over (partition by account order by
            id) > 5 then 1 else 0 end as is_first
        from sales
    ) as gaps
) as numbered
group by region
order by region
