-- Frequent addresses: a long string key of very many values.
select url, count(*) as hits
from hits
group by url
order by hits desc, url
limit 10
