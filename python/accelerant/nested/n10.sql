-- Lists of groups: how many baskets customers have, and how much lies in them.
select size(weights) as baskets, count(*) as customers, sum(array_max(weights)) as heaviest, sum(size(filter(weights, w -> w
    > 1000))) as heavy
from (
    select customer, collect_list(try_element_at(measures, 'weight')) as weights
    from baskets
    group by customer
) as collected
group by size(weights)
order by baskets
