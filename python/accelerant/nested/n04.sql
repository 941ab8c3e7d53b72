-- What baskets cost: lambdas that transform and add up.
select count(*) as baskets, sum(aggregate(transform(items, i -> i.count * 2 + i.sku % 7), 0, (s, x) -> s + x)) as points,
    sum(aggregate(numbers, 0L, (s, x) -> s + x)) as numbers
from baskets
