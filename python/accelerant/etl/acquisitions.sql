-- One row a loan, as lenders deliver it: everything is text, some of it is missing, padded or in another case.
copy (
    select
        loan_number(loan) as loan_id,
        ['R', 'C', 'B', ' r ', 'c'][even(loan, 2, 5) + 1] as channel,
        concat(repeat(' ', even(loan, 3, 3)::int), ['First Bank, N.A.', 'FIRST BANK, N.A.', 'Prairie Savings', 'prairie savings ',
            'Harbor Mortgage LLC', 'Lakeside Credit Union', 'OTHER', ' '][even(loan, 4, 8) + 1]) as seller,
        (20 + even(loan, 5, 60))::text || '.' || lpad(even(loan, 6, 1000)::text, 3, '0') as rate_in_tenths,
        case when seldom(loan, 7, 0.002) then 'unknown' else (20000 + 1000 * even(loan, 8, 700))::text end as amount,
        [360, 180, 240, 300][floor(4 * pow(fraction(loan, 9), 3))::int + 1]::text as term,
        month_text(first_month(loan)) as first_payment,
        case when seldom(loan, 10, 0.01) then null else (40 + even(loan, 11, 58))::text end as loan_to_value,
        case when seldom(loan, 12, 0.03) then null else (5 + even(loan, 13, 60))::text end as debt_to_income,
        case when seldom(loan, 14, 0.02) then null when seldom(loan, 14, 0.03) then 'n/a'
            else (520 + even(loan, 15, 330))::text end as credit_score,
        ['Y', 'N', 'U', ' '][floor(4 * pow(fraction(loan, 16), 2))::int + 1] as first_time_buyer,
        ['P', 'C', 'R', 'U'][even(loan, 17, 4) + 1] as purpose,
        ['SF', 'PU', 'CO', 'MH', 'CP'][floor(5 * pow(fraction(loan, 18), 2))::int + 1] as property_type,
        ['CA', 'TX', 'FL', 'NY', 'IL', 'WA', 'OH', 'GA', 'co', 'az'][floor(10 * pow(fraction(loan, 19), 2))::int + 1] as state,
        lpad(even(loan, 20, 1000)::text, 3, '0') as zip
    from range({loans}) as numbers (loan)
) to '{folder}/acquisitions_raw.csv' (format csv, header true);
