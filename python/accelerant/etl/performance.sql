-- A row a loan and month: 12 to 35 months, ending early when the loan is paid off or defaults.
copy (
    select
        loan_number(loan) as loan_id,
        strftime(date '2018-01-01' + to_months((first_month(loan) + age)::int), '%m/%d/%Y') as reporting_period,
        case when even(loan, 30, 4) = 0 and age = 0 then 'Main Street Servicing' when age % 12 = 0 then 'main street servicing '
            else ' ' end as servicer,
        case when seldom(row, 31, 0.02) then null
            else round((20000 + 1000 * even(loan, 8, 700)) * (1 - age / 360.0), 2)::decimal(12, 2)::text end as balance,
        age::text as loan_age,
        (360 - age)::text as months_to_maturity,
        case when fraction(loan, 32) > 0.12 then case when seldom(row, 33, 0.01) then 'X' else '0' end
            else greatest(age - 6 - even(loan, 34, 6), 0)::text end as delinquency,
        case when seldom(row, 35, 0.004) then 'Y' else 'N' end as modified,
        case when age = months - 1 and seldom(loan, 32, 0.05) then '09' when age = months - 1 then '01' end as zero_balance_code,
        case when age = months - 1 then month_text(first_month(loan) + age) end as zero_balance_date,
        case when age = months - 1 and seldom(loan, 32, 0.05)
            then (even(loan, 36, 5000000) / 100.0)::decimal(12, 2)::text end as foreclosure_costs
    from (
        select loan, age, loan * 64 + age as row, 12 + even(loan, 37, 24) as months
        from range({loans}) as numbers (loan), range(35) as ages (age)
    )
    where age < months
    order by loan, age
) to '{folder}/performance_raw.csv' (format csv, header true);
