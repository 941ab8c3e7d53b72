-- Referring hosts by a regular expression.
select regexp_extract(referer, '^https?://(?:www[.])?([^/]+)/', 1) as host, avg(length(referer)) as mean_length,
    count(*) as hits, min(referer) as least
from hits
where referer <> ''
group by regexp_extract(referer, '^https?://(?:www[.])?([^/]+)/', 1)
having count(*) > 100
order by hits desc, host
limit 25
