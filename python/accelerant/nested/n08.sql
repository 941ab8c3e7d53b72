-- Baskets with a tag, by their number of items.
select size(items) as items, count(*) as baskets, sum(size(tags)) as tags
from baskets
where array_contains(tags, 'gift') and not array_contains(tags, 'returned')
group by size(items)
order by items
