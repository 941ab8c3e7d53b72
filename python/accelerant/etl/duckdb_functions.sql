-- Functions of Spark's that DuckDB has not, or has otherwise.
create macro to_date(written, pattern) as strptime(written, ['%m/%d/%Y', '%m/%Y'])::date;

create macro datediff(end_date, start_date) as end_date - start_date;
