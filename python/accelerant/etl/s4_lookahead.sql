-- A row a loan and month: is the loan late within the twelve months that follow?
select
    now.loan_id,
    year(now.reporting_period) as reporting_year,
    month(now.reporting_period) as reporting_month,
    max(now.balance) as balance,
    max(later.delinquency) as delinquency_within_12_months,
    case when max(later.delinquency) > 3 then 1 else 0 end as default_within_12_months
from s2_performance as now
join s2_performance as later
    on now.loan_id = later.loan_id and later.loan_age > now.loan_age and later.loan_age <= now.loan_age + 12
where now.loan_age % 3 = 0
group by now.loan_id, year(now.reporting_period), month(now.reporting_period)
