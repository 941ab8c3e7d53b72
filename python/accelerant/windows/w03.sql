-- Balances: a running sum of decimals by account.
select region, max(balance) as highest, sum(balance) as balances
from (
    select region, sum(amount) over (partition by account order by id rows between unbounded preceding and current row)
        as balance
    from sales
) as running
group by region
order by region
