-- Casts from and to strings of every type.

create table texts using parquet as
select * from values
  (1, '12'), (2, ' -7 '), (3, '3.99'), (4, '1e3'), (5, ''), (6, 'abc'), (7, null), (8, '9223372036854775808'), (9, 'NaN'),
  (10, '-Infinity'), (11, 'true'), (12, 'N'), (13, '2024-02-29'), (14, '2023-02-29'), (15, '1582-10-10'),
  (16, '2024-03-10 02:30:00'), (17, '+00012'), (18, '99999999999999999999999999999999999999'), (19, '0.1'), (20, '2024-1-2')
as t(id, s);

create table numbers using parquet as
select * from values
  (1, 5Y, 123456789012L, 1.0f, 1e7D, 12.50, true, date'2024-02-29', timestamp'2024-03-10 12:34:56.789', X'C3A9'),
  (2, -5Y, -1L, float('NaN'), 0.001D, -0.01, false, date'1582-10-04', timestamp'1500-01-01 00:00:00', X'FF'),
  (3, null, null, null, null, null, null, null, null, null),
  (4, 0Y, 0L, 1e-5f, 123456.789D, 0.00, true, date'9999-12-31', timestamp'1899-12-31 23:59:59.000001', X''),
  (5, 127Y, 9223372036854775807L, float('3.4028235E38'), double('-0.0'), 99.99, null, date'0001-01-01', timestamp'2024-11-03 01:30:00', X'00')
as t(id, y, l, r, x, d, b, p, u, z);

select id, try_cast(s as int), try_cast(s as bigint), try_cast(s as tinyint), try_cast(s as boolean) from texts;

select id, try_cast(s as double), try_cast(s as float), try_cast(s as decimal(38, 2)), try_cast(s as decimal(5, 4)) from texts;

select id, try_cast(s as date) from texts;

select id, try_cast(s as timestamp), try_cast(s as timestamp_ntz) from texts;

select id, cast(s as int) from texts where id in (1, 2, 7, 17);

select id, cast(s as int) from texts;

select id, cast(s as date) from texts;

select id, cast(s as double) from texts where id < 5;

select id, cast(y as string), cast(l as string), cast(d as string), cast(b as string), cast(p as string) from numbers;

select id, cast(r as string), cast(x as string) from numbers;

select id, cast(u as string) from numbers;

select id, cast(z as string), cast(cast(l as string) as binary) from numbers where id <> 2;
