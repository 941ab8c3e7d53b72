select len(items) as items, count(*) as baskets, sum(len(tags)) as tags
from baskets
where list_contains(tags, 'gift') and not list_contains(tags, 'returned')
group by len(items)
order by items
