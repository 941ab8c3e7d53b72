-- Monthly records as they are delivered, cleaned. X stands for a delinquency that nobody knows.
select
    cast(loan_id as bigint) as loan_id,
    to_date(reporting_period, 'MM/dd/yyyy') as reporting_period,
    nullif(lower(trim(servicer)), '') as servicer,
    cast(balance as decimal(12, 2)) as balance,
    cast(loan_age as int) as loan_age,
    cast(months_to_maturity as int) as months_to_maturity,
    try_cast(delinquency as int) as delinquency,
    modified = 'Y' as modified,
    zero_balance_code,
    to_date(zero_balance_date, 'MM/yyyy') as zero_balance_date,
    cast(foreclosure_costs as decimal(12, 2)) as foreclosure_costs
from performance_raw
