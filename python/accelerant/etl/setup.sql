-- How lenders write.
create macro loan_number(loan) as (100000000000 + loan * 7919)::text;

-- The month that lies `months` after January 2018, in the form in which lenders write it.
create macro month_text(months) as strftime(date '2018-01-01' + to_months(months::int), '%m/%Y');

create macro first_month(loan) as even(loan, 1, 36);
