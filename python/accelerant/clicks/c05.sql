-- A group of few keys.
select adversary_engine_id, count(*) as hits
from hits
where adversary_engine_id <> 0
group by adversary_engine_id
order by hits desc, adversary_engine_id
