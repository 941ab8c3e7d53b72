-- Casts between numbers, booleans and decimals; what does not fit fails, wraps around or is null.

create table numbers using parquet as
select * from values
  (1, 100L, 1.9D, 99.99, true), (2, 300L, -1.9D, -0.50, false), (3, 2147483648L, 1e10D, 1000000.00, null),
  (4, -9223372036854775808L, double('NaN'), 0.00, true), (5, null, null, null, null),
  (6, 0L, double('-Infinity'), 12345.67, false), (7, -1L, 9.223372036854775807E18D, -99999.99, true)
as t(id, l, x, d, b);

select id, cast(l as double), cast(l as float), cast(l as decimal(38, 2)), cast(l as boolean) from numbers;

select id, cast(l as int) from numbers where id in (1, 2, 5, 6, 7);

select id, cast(l as int) from numbers;

select id, cast(l as tinyint) from numbers where id <> 1;

select id, try_cast(l as tinyint), try_cast(l as smallint), try_cast(x as int), try_cast(x as bigint) from numbers;

select id, cast(x as int) from numbers where id in (1, 2, 5);

select id, cast(x as bigint) from numbers;

select id, cast(x as float), cast(x as boolean), cast(b as int), cast(b as double), cast(b as decimal(5, 2)) from numbers;

select id, cast(d as int), cast(d as bigint), cast(d as double), cast(d as float), cast(d as boolean) from numbers;

select id, cast(d as decimal(5, 1)) from numbers where id in (1, 2, 4, 5);

select id, cast(d as decimal(5, 1)) from numbers;

select id, try_cast(d as decimal(4, 1)), cast(d as decimal(20, 6)), try_cast(x as decimal(20, 4)) from numbers;

select id, try_cast(d as tinyint), try_cast(d as smallint) from numbers;
