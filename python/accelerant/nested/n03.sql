-- Extremes, places and distinct elements of arrays.
select address.zip % 10 as district, sum(array_max(numbers)) as highest, sum(array_min(numbers)) as least,
    sum(size(array_distinct(tags))) as kinds, sum(array_position(tags, 'sale')) as places
from baskets
group by address.zip % 10
order by district
