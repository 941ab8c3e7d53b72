-- Phones by users: few rows, a string key.
select mobile_maker, mobile_model, count(distinct user_id) as users
from hits
where mobile_model <> ''
group by mobile_maker, mobile_model
order by users desc, mobile_maker, mobile_model
limit 10
