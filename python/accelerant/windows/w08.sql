-- The three dearest sales of each account: the top of a group.
select region, count(*) as sales, sum(amount) as amounts, sum(place) as places
from (
    select region, amount, row_number() over (partition by account order by amount desc, id) as place
    from sales
) as ranked
where place <= 3
group by region
order by region
