-- Casts of decimals of more than 15 digits to int and narrower: by way of a double or not, as Spark has the value.

create table decimals using parquet as
select id, cast(a as decimal(21, 6)) as a, cast(b as decimal(38, 20)) as b, cast(c as decimal(17, 15)) as c from values
  (1, '1.990000', '2.99999999999999999999', '1.999999999999999'), (2, '-1.990000', '-0.99999999999999999999', '-0.5'),
  (3, '2147483647.999999', '127.5', '99.999999999999999'), (4, '-2147483648.999999', '-128.99', '0'),
  (5, null, null, null), (6, '2147483648', '127.99999999999999999999', '12.5')
as t(id, a, b, c);

select id, cast(a as int), cast(c as int), cast(c as tinyint), cast(c as bigint) from decimals where id < 6;

select id, cast(b as int), cast(b as smallint) from decimals where id < 6;

select id, cast(a / 50 as int) as segment, count(*) from decimals where id < 4 group by id, segment;

select id, cast(a as int) from decimals where id = 6;

select id, cast(b as tinyint) from decimals where id = 6;

select id, try_cast(a as int), try_cast(b as tinyint), try_cast(c as smallint) from decimals;
