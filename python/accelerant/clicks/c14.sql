-- Whole rows of a few hits: late materialisation of a wide table.
select *
from hits
where url like '%?id=77&%'
order by event_time, watch_id
limit 10
