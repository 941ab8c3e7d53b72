select kind, count(*) as baskets, sum(case when list_has_any(tags, favourites) then 1 else 0 end) as liked,
    sum(case when list_contains(bought, items[1].sku) then 1 else 0 end) as bought_again
from baskets
join customers on baskets.customer = customers.customer
group by kind
order by kind
