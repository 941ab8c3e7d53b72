-- Phrases of pages whose address and title hold something.
select search_phrase, min(url) as least_url, min(title) as least_title, count(*) as hits, count(distinct
    user_id) as users
from hits
where title like '%news%' and url not like '%.example.net%' and search_phrase <> ''
group by search_phrase
order by hits desc, search_phrase
limit 10
