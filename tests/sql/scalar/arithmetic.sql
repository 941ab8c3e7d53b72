-- Arithmetic of every numeric type, at the ends of the ranges, with nulls, NaN and both zeros.

create table numbers using parquet as
select * from values
  (1, 5Y, 100S, 7, 10000000000L, 1.5f, 2.5D, 12.34, cast(123456789012345678.5 as decimal(38,10))),
  (2, -128Y, -32768S, -2147483648, -9223372036854775808L, float('-0.0'), double('-0.0'), -99.99, cast(-1e27 as decimal(38,10))),
  (3, 127Y, 32767S, 2147483647, 9223372036854775807L, float('NaN'), double('NaN'), 99.99, cast(1e27 as decimal(38,10))),
  (4, 0Y, 0S, 0, 0L, float('Infinity'), double('-Infinity'), 0.00, cast(0 as decimal(38,10))),
  (5, null, null, null, null, null, null, null, null),
  (6, -1Y, -1S, -1, -1L, 1e-40f, 5e-324D, 0.01, cast(1e-10 as decimal(38,10)))
as t(id, y, h, n, l, r, x, d, w);

select id, y + 0Y, h + 0S, n + 0, l + 0L, r + 1f, x + 1D, d + 1.005, w + 0.5 from numbers;

select id, n + 1 from numbers;

select id, y * y, h - 1S from numbers where id in (1, 4, 5, 6);

select id, l * 2 from numbers;

select id, try_add(l, 1L), try_subtract(n, 1), try_multiply(h, 2S), try_divide(x, r), try_divide(d, 0.00) from numbers;

select id, - n from numbers where id <> 2;

select id, - l from numbers;

select id, abs(y), abs(d), abs(x), abs(r) from numbers where id <> 2;

select id, ~y, ~h, ~n, ~l from numbers;

select id, x / r, d / 3.0, w / 7.77, n / 2 from numbers where id in (1, 3, 6);

select id, 1 / n from numbers;

select id, n div nullif(n, 0), l div 7, d div 0.5, w div 1e10BD from numbers;

select id, l div -1L from numbers;

select id, n % 3, l % -7L, d % 0.7, x % 1.5D, r % 0.25f, y % 2Y from numbers;

select id, n % 0 from numbers where id = 5;

select id, x * x, r * r, x - x, r / 0.5f from numbers;

select id, d * d, d * w, w * w from numbers where id in (1, 4, 5, 6);

select id, w * w from numbers;

select id, (n + 1L) * 2 - l div 1000 from numbers where id in (1, 4, 6);

select id, ceil(x), floor(x), ceil(r), floor(r), ceil(l), floor(n), ceil(d), floor(d), ceil(w), floor(w) from numbers;

select id, ceil(d, 1), floor(d, 1), ceil(d, 5), floor(d, 0), ceil(w, 3), floor(w, 9) from numbers;

select id, ceil(x, 1), floor(r, 1), ceil(n, 2) from numbers where id in (1, 5, 6);

select id, floor(-d), ceil(d / 7), floor(w * 3) from numbers where id <> 5;
