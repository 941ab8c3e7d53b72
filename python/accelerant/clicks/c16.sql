-- Length of addresses by site.
select counter_id, avg(length(url)) as mean_length, count(*) as hits
from hits
where url <> ''
group by counter_id
having count(*) > 1000
order by mean_length desc, counter_id
limit 25
