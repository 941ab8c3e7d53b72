select measures['grade'] as grade, count(*) as baskets, sum(measures['weight']) as weights, sum(measures['height'] *
    measures['width']) as areas, sum(cardinality(measures)) as sizes
from baskets
where map_contains(measures, 'width')
group by measures['grade']
order by grade nulls first
