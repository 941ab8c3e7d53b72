-- DISTINCT, in aggregates and of rows, and grouping sets.

create table sales using parquet as
select * from values
  (1, 'red', 'x', 1, 1.50), (2, 'red', 'y', 1, 1.50), (3, 'blue', 'x', null, null), (4, null, 'x', 4, 4.00),
  (5, 'blue', 'x', 5, 0.00), (6, 'red', null, 6, 1.50), (7, null, null, 4, 4.00), (8, 'red', 'x', 2, 0.00)
as t(id, g, h, n, d);

select distinct g from sales;

select distinct g, h, d from sales;

select count(distinct g), count(distinct n), count(distinct g, h), sum(distinct n), avg(distinct d) from sales;

select g, count(distinct h), sum(distinct n), count(*), sum(n) from sales group by g;

select g, count(distinct h) filter (where n > 1) from sales group by g;

select g, h, count(*), sum(n) from sales group by rollup(g, h);

select g, h, count(*), sum(d) from sales group by cube(g, h);

select g, h, count(*), grouping(g), grouping_id(g, h) from sales group by grouping sets ((g, h), (g), ());
