select address.zip % 10 as district, sum(list_max(numbers)) as highest, sum(list_min(numbers)) as least,
    sum(len(list_distinct(tags))) as kinds, sum(coalesce(list_position(tags, 'sale'), 0)) as places
from baskets
group by address.zip % 10
order by district
