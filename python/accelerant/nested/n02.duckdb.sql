select sum(numbers[1]) as first_ones, sum(numbers[-1]) as last_ones, count(tags[3]) as third_tags,
    max(items[2].price) as dearest, sum(len(numbers)) as sizes
from baskets
