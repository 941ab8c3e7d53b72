-- Several windows of the same partitions, whose orders begin alike: one sort is enough.
select region, sum(place) as places, sum(sales_of_account) as counts, max(amounts_of_account) as highest,
    sum(quantities_of_day) as quantities, sum(step) as steps
from (
    select region, row_number() over (partition by account order by day_number, id) as place,
        count(*) over (partition by account) as sales_of_account,
        sum(amount) over (partition by account) as amounts_of_account,
        sum(quantity) over (partition by account order by day_number) as quantities_of_day,
        amount - lag(amount) over (partition by account order by day_number, id) as step
    from sales
) as described
group by region
order by region
