-- Sums and averages over the whole table.
select sum(adversary_engine_id) as engines, count(*) as hits, avg(resolution_width) as width,
    sum(cast(send_timing as bigint)) as timing
from hits
