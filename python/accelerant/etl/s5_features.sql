-- The table that a model learns from: what is known of a loan, what its sellers' loans were like, and what came of it.
with sellers as (
    select seller, count(*) as seller_loans, avg(cast(credit_score as double)) as seller_score, avg(amount) as seller_amount
    from s1_acquisitions
    group by seller
),

outlook as (
    select loan_id, max(default_within_12_months) as defaults, min(balance) as balance
    from s4_lookahead
    group by loan_id
)

select
    a.loan_id,
    a.channel,
    a.state,
    a.property_type,
    a.rate,
    a.amount,
    a.term,
    coalesce(a.credit_score, 0) as credit_score,
    a.credit_score is null as no_credit_score,
    coalesce(a.debt_to_income, 99) as debt_to_income,
    a.amount * a.loan_to_value / 100 as value_lent,
    year(a.first_payment) * 12 + month(a.first_payment) as first_month,
    s.seller_loans,
    s.seller_score,
    s.seller_amount,
    d.months,
    d.months_late,
    d.was_modified,
    datediff(d.first_90_days, a.first_payment) as days_to_90_days,
    coalesce(d.foreclosure_costs, 0) as foreclosure_costs,
    coalesce(o.balance, d.least_balance) as balance,
    case when d.zero_balance_code = '09' or o.defaults = 1 then 1 else 0 end as label
from s1_acquisitions as a
join s3_delinquency as d on a.loan_id = d.loan_id
join sellers as s on a.seller = s.seller
left join outlook as o on a.loan_id = o.loan_id
where a.amount is not null and d.months >= 3
