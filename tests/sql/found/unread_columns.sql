-- Found by the differential test: the error of an expression with a column that the engine need not read was not Spark's.

create table extremes using parquet as select * from values
  (-814273912, date_from_unix_date(-719162))
as t(i32, dt);

select coalesce(trunc(dt, 'x'), make_date(i32, 12, 28)) as c0 from extremes;
