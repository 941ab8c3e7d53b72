-- Distinct users: a number of many values.
select count(distinct user_id) as users, count(distinct search_phrase) as phrases
from hits
