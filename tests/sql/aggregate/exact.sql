-- Counts, sums, averages and extremes of every type, over groups with nulls and over nothing.

create table sales using parquet as
select * from values
  (1, 'red', 1, 10L, 1.50, date'2024-01-01', true), (2, 'red', 2, null, -2.25, date'1582-10-04', false),
  (3, 'blue', null, 30L, null, null, null), (4, null, 4, 40L, 4.00, date'2024-12-31', true),
  (5, 'blue', 5, -50L, 0.01, date'2024-02-29', true), (6, '', 6, 60L, 99.99, date'1970-01-01', false),
  (7, null, 7, 70L, -99.99, null, null), (8, 'red', 8, 9223372036854775807L, 0.00, date'2000-01-01', true)
as t(id, g, n, l, d, p, b);

select count(*), count(n), count(g, n), sum(n), avg(n), min(n), max(n), sum(d), avg(d), min(p), max(p) from sales;

select g, count(*), count(n), sum(n), avg(n), min(l), max(l), min(d), max(d), min(p), max(p) from sales group by g;

select g, sum(d), avg(d), min(g), max(b), min(b) from sales group by g order by g;

select count(*), sum(n), avg(d), min(g) from sales where id > 100;

select g, count(*) from sales where id > 100 group by g;

select sum(l) from sales;

select g, sum(l) from sales where id < 8 group by g;

select b, g, count(*), sum(n * 2 + 1) from sales group by b, g;

select n % 2 as odd, sum(n) + 1, max(n) - min(n) from sales group by n % 2 having count(*) > 1;

select g, count(*) filter (where b), sum(n) filter (where n > 2), min(d) filter (where d > 0) from sales group by g;

select bool_and(b), bool_or(b), every(n > 0), some(n > 7), count_if(n > 3) from sales;

select g, bool_and(b), bool_or(b), count_if(b) from sales group by g;

select g, max_by(id, n), min_by(id, n), max_by(n, id) from sales group by g;

select sort_array(collect_list(n)), sort_array(collect_set(n % 3)) from sales;

select g, any_value(g), first(g), last(g) from sales group by g;
