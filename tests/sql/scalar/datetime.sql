-- Parts, arithmetic and truncation of dates and times, before 1582 and around changes of the clock.

create table moments using parquet as
select id, cast(s as date) as p, cast(s as timestamp_ntz) as v, timestamp_micros(m) as u from values
  (1, '2024-02-29 12:34:56.789012', 1709210096789012L), (2, '1582-10-04 23:59:59', -12219379201000000L),
  (3, '1582-10-15 00:00:00', -12219292800000000L), (4, '1970-01-01 00:00:00', 0L), (5, '1969-12-31 23:59:59.999999', -1L),
  (6, '0001-01-01 00:00:00', -62135596800000000L), (7, '9999-12-31 23:59:59', 253402300799000000L), (8, null, null),
  (9, '1900-01-01 00:00:00', -2208988800000000L), (10, '2024-03-10 02:30:00', 1710066600000000L),
  (11, '2024-11-03 01:30:00', 1730626200000000L), (12, '2000-12-31 06:00:00', 978242400000000L)
as t(id, s, m);

select id, year(p), month(p), day(p) from moments;

select id, quarter(p), dayofweek(p), weekday(p), dayofyear(p), weekofyear(p) from moments;

select id, date_add(p, 1), date_sub(p, 60), date_add(p, cast(id as smallint)) from moments where id <> 7;

select id, datediff(p, date'1970-01-01'), add_months(p, 1), add_months(p, -13), last_day(p) from moments where id <> 7;

select id, trunc(p, 'year'), trunc(p, 'MM'), trunc(p, 'quarter'), trunc(p, 'week') from moments where id <> 6;

select id, hour(v), minute(v), second(v), hour(u), minute(u), second(u) from moments;

select id, year(u), month(u), day(u), cast(u as date) from moments;

select id, date_trunc('hour', u), date_trunc('day', u), date_trunc('month', u) from moments where id <> 6;

select id, p + interval '1' month, p - interval '2' day, u + interval '36' hour from moments where id not in (6, 7);

select id, extract(year from p), extract(month from u), extract(second from u) from moments;

select id, cast(p as timestamp), cast(v as date), cast(u as timestamp_ntz) from moments where id <> 6;

select id, unix_date(p), unix_micros(u), date_from_unix_date(id), timestamp_seconds(id) from moments;

select id from moments where p >= date'1970-01-01' and u < timestamp'2024-03-10 10:30:00';

select id, make_date(2024, id, 29) from moments where id = 2;

select id, next_day(p, 'MON'), months_between(p, date'2000-01-31') from moments where id <> 7;
