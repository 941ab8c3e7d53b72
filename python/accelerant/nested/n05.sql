-- Elements that a lambda chooses, and baskets that have one.
select sum(size(filter(numbers, x -> x % 3 = 0))) as threes, sum(case when exists(items, i -> i.price > 150) then 1 else 0
    end) as dear, sum(case when forall(items, i -> i.count < 4) then 1 else 0 end) as few
from baskets
