-- Where visitors of a site came from, with a CASE as key, behind the first thousand.
select traffic_source_id, search_engine_id, adversary_engine_id, case when search_engine_id = 0 and
    adversary_engine_id = 0 then referer else '' end as source, url as target, count(*) as views
from hits
where counter_id < 50 and event_date >= date '2013-07-01' and event_date <= date '2013-07-31' and is_refresh =
    0
group by traffic_source_id, search_engine_id, adversary_engine_id, case when search_engine_id = 0 and
    adversary_engine_id = 0 then referer else '' end, url
order by views desc, traffic_source_id, search_engine_id, adversary_engine_id, source, target
limit 10 offset 1000
