select sum(len(list_filter(numbers, lambda x: x % 3 = 0))) as threes, sum(case when list_bool_or(list_transform(items,
    lambda i: i.price > 150)) then 1 else 0 end) as dear, sum(case when list_bool_and(list_transform(items, lambda i: i.count
    < 4)) then 1 else 0 end) as few
from baskets
