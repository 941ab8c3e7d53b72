-- Elements by their places, from both ends; arrays that are too short have none.
select sum(try_element_at(numbers, 1)) as first_ones, sum(try_element_at(numbers, -1)) as last_ones,
    count(try_element_at(tags, 3)) as third_tags, max(try_element_at(items, 2).price) as dearest, sum(size(numbers)) as sizes
from baskets
