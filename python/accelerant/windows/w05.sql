-- What a store sold in a week around each sale: a sum and a count that slide by values.
select region, max(quantities) as highest, sum(sales_of_week) as sales_of_weeks
from (
    select region, sum(quantity) over (partition by store order by day_number range between 3 preceding and 3 following)
        as quantities,
        count(*) over (partition by store order by day_number range between 3 preceding and 3 following) as sales_of_week
    from sales
) as sliding
group by region
order by region
