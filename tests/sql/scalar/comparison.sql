-- Comparison of every type, NaN greater than all numbers and equal to itself, zeros equal, nulls unknown.

create table pairs using parquet as
select * from values
  (1, 1, 2, double('NaN'), double('NaN'), 'a', 'b', date'2024-01-01', date'1582-10-04', true, false, 1.10, 1.1000),
  (2, 2, 2, double('NaN'), double('Infinity'), 'é', 'e', date'0001-01-01', date'9999-12-31', true, true, 2.00, 1.9999),
  (3, null, 2, 0D, double('-0.0'), '', 'a', date'2024-02-29', date'2024-02-29', false, null, null, 1.0000),
  (4, 3, null, null, 1D, null, 'z', null, date'1970-01-01', null, null, 3.00, 2.9999),
  (5, -2147483648, 2147483647, double('-Infinity'), -1.7976931348623157E308D, 'ab', 'a', date'1969-12-31', date'1970-01-01', false, true, -0.01, 0.0000)
as t(id, a, b, x, y, s, u, p, q, f, g, d, e);

select id, a = b, a < b, a <= b, a > b, a >= b, a <> b, a <=> b from pairs;

select id, x = y, x < y, x <= y, x > y, x >= y, x <=> y from pairs;

select id, s = u, s < u, s >= u, s <=> u from pairs;

select id, p = q, p < q, p >= q, p <=> q, f = g, f <=> g, f < g from pairs;

select id, d = e, d < e, d > e, d <=> e from pairs;

select id from pairs where x > 1e300D;

select id, a between 1 and 2, not (a between 1 and 2), a in (1, 3), a not in (1, null), a in (b, 3) from pairs;

select id, s in ('a', 'é', ''), x in (double('NaN'), 0D), d in (1.10, 3.00), p in (date'2024-01-01', null) from pairs;

select id, a is null, a is not null, x is null, isnan(x), f is true, f is not false, f is null from pairs;

select id, a is distinct from b, s is not distinct from u from pairs;
