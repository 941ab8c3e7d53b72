select count(*) as baskets, sum(list_sum(list_transform(items, lambda i: i.count * 2 + i.sku % 7))) as points,
    sum(list_sum(numbers)) as numbers
from baskets
