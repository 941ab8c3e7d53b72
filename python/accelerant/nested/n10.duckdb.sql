select len(weights) as baskets, count(*) as customers, sum(list_max(weights)) as heaviest, sum(len(list_filter(weights, lambda
    w: w > 1000))) as heavy
from (
    select customer, coalesce(list(measures['weight']) filter (measures['weight'] is not null), []) as weights
    from baskets
    group by customer
) as collected
group by len(weights)
order by baskets
