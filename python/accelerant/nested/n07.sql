-- Values of maps by their keys.
select measures['grade'] as grade, count(*) as baskets, sum(measures['weight']) as weights, sum(measures['height'] *
    measures['width']) as areas, sum(size(measures)) as sizes
from baskets
where map_contains_key(measures, 'width')
group by measures['grade']
order by grade nulls first
