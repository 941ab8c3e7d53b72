-- A divisor that fails in every mode: in legacy mode its stand-in of 0 gave null, and the failure was lost.

create table wide_divisor using parquet as select cast(k as int) as k, cast(d as decimal(38, 10)) as d from values
  (cast('2' as int), cast('-9999999999999999999999999999.9999999999' as decimal(38, 10)))
as t(k, d);

select 1234567890.123456789 div abs(d) from wide_divisor;

select shiftright(nvl2(10BD, 1234567890.123456789, d) div abs(d), ~k) from wide_divisor;
