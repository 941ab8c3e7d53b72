-- The last seven sales of each account: sums and extremes that slide by rows.
select region, max(amounts) as highest, sum(least_amount) as least_amounts, sum(highest_quantity) as highest_quantities
from (
    select region, sum(amount) over last_seven as amounts, min(amount) over last_seven as least_amount,
        max(quantity) over last_seven as highest_quantity
    from sales
    window last_seven as (partition by account order by id rows between 6 preceding and current row)
) as sliding
group by region
order by region
