-- Sales above a mean of their account and of their store: windows of different partitions.
select region, count(*) as sales, sum(amount) as amounts
from (
    select region, amount, avg(quantity) over (partition by account) as mean_of_account,
        max(quantity) over (partition by store, day_number) as highest_of_day, quantity
    from sales
) as described
where quantity > mean_of_account and quantity < highest_of_day
group by region
order by region
