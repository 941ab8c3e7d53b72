-- Deciles of amounts within stores, and how many sales lie in the upper half of one.
select region, sum(decile) as deciles, sum(case when share > 0.5 then 1 else 0 end) as upper_half
from (
    select region, ntile(10) over (partition by store order by amount, id) as decile,
        cume_dist() over (partition by store order by amount) as share
    from sales
) as parted
group by region
order by region
