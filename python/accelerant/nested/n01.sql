-- What was sold: items of all baskets, a row each.
select item.sku as sku, sum(item.count) as pieces, max(item.price) as dearest
from baskets
lateral view explode(items) exploded as item
group by item.sku
order by pieces desc, sku
limit 20
