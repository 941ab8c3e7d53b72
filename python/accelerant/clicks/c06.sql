-- Regions by users: distinct values in groups, next to other aggregates.
select region_id, sum(adversary_engine_id) as engines, count(*) as hits, avg(resolution_width) as width,
    count(distinct user_id) as users
from hits
group by region_id
order by hits desc, region_id
limit 10
