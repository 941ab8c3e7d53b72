-- A join whose rows carry arrays of both sides.
select kind, count(*) as baskets, sum(case when arrays_overlap(tags, favourites) then 1 else 0 end) as liked,
    sum(case when array_contains(bought, try_element_at(items, 1).sku) then 1 else 0 end) as bought_again
from baskets
join customers on baskets.customer = customers.customer
group by kind
order by kind
