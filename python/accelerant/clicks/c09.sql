-- Users and phrases: a key of a number and a string, nearly as many groups as rows.
select user_id, search_phrase, count(*) as hits
from hits
group by user_id, search_phrase
order by hits desc, user_id, search_phrase
limit 10
