-- Sorting by many keys and all types, nulls first and last, limits and offsets.

create table things using parquet as
select * from values
  (1, 'b', 2.5D, date'2024-01-01', 1.50, true), (2, 'a', double('NaN'), null, -1.50, false), (3, null, double('-Infinity'), date'1582-10-04', null, null),
  (4, 'é', null, date'9999-12-31', 99.99, true), (5, '', 0D, date'0001-01-01', 0.00, false), (6, 'a', 1e300D, date'2024-01-01', -99.99, true)
as t(id, s, x, p, d, b);

select * from things order by s, id;

select * from things order by s desc, id desc;

select * from things order by s nulls last, x desc nulls first, id;

select * from things order by x, id;

select * from things order by x desc nulls last, id;

select * from things order by p desc, d, id;

select * from things order by b, d desc nulls first, id;

select id from things order by length(s), id desc;

select id, s from things order by id limit 3;

select id, s from things order by id desc limit 2 offset 1;

select id from things order by id offset 4;

-- expect_fallback(has the rows at hand)
select id from things order by id limit 0;

select id from things order by s, x, id limit 100;

select count(*) from (select id from things limit 4) as some;

select b, count(*) as n from things group by b order by n desc, b limit 2;
