-- How many hits came from a source that is named.
select count(*) as hits
from hits
where adversary_engine_id <> 0
