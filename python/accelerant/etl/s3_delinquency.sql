-- A row a loan: how late it ever was, when first, and how it ended.
select
    loan_id,
    count(*) as months,
    max(coalesce(delinquency, 0)) as worst_delinquency,
    min(case when delinquency >= 1 then reporting_period end) as first_30_days,
    min(case when delinquency >= 3 then reporting_period end) as first_90_days,
    min(case when delinquency >= 6 then reporting_period end) as first_180_days,
    sum(case when delinquency >= 1 then 1 else 0 end) as months_late,
    max(case when modified then 1 else 0 end) as was_modified,
    max(zero_balance_code) as zero_balance_code,
    max(zero_balance_date) as zero_balance_date,
    sum(foreclosure_costs) as foreclosure_costs,
    min(balance) as least_balance,
    max(balance) as greatest_balance
from s2_performance
group by loan_id
