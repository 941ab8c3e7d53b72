-- Macros that make the columns of a row from its number; `salt` tells the columns apart.
create macro bits(row, salt) as (hash(row * 1000003 + salt) >> 1)::bigint;

create macro fraction(row, salt) as (bits(row, salt) >> 10)::double / 9007199254740992;

create macro even(row, salt, count) as bits(row, salt) % count;

create macro loan_number(loan) as (100000000000 + loan * 7919)::text;

-- The month that lies `months` after January 2018, in the form in which lenders write it.
create macro month_text(months) as strftime(date '2018-01-01' + to_months(months::int), '%m/%Y');

create macro first_month(loan) as even(loan, 1, 36);
