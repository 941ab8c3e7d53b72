-- Acquisitions as they are delivered, cleaned: text to numbers and dates, names in one form.
select
    cast(loan_id as bigint) as loan_id,
    upper(trim(channel)) as channel,
    case when trim(seller) = '' then 'unknown' else lower(trim(seller)) end as seller,
    cast(cast(rate_in_tenths as decimal(9, 3)) / 10 as decimal(9, 4)) as rate,
    try_cast(amount as bigint) as amount,
    cast(term as int) as term,
    to_date(first_payment, 'MM/yyyy') as first_payment,
    cast(loan_to_value as int) as loan_to_value,
    cast(debt_to_income as int) as debt_to_income,
    try_cast(credit_score as int) as credit_score,
    case first_time_buyer when 'Y' then true when 'N' then false end as first_time_buyer,
    purpose,
    property_type,
    upper(state) as state,
    zip
from acquisitions_raw
