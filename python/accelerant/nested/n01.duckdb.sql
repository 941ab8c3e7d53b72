select item.sku as sku, sum(item.count) as pieces, max(item.price) as dearest
from (select unnest(items) as item from baskets) as exploded
group by item.sku
order by pieces desc, sku
limit 20
