-- Limits of all shapes whose answer is certain: below and above unions, joins, aggregates and subqueries, with offsets; the first rows
-- in an order, with ties in the keys that do not tell in the answer.

create table things using parquet as
select id, id % 4 as k, if(id % 5 = 0, null, id % 7) as n, concat('s', id % 3) as s, id / 8.0 as d, double(id) / 3 as x from range(0, 40, 1, 1);

create table few using parquet as select * from values (0, 'zero'), (1, 'one'), (null, 'none') as t(k, name);

select id, n, s from things order by n, id limit 6;

select id, n, s from things order by n desc nulls first, s, id desc limit 9 offset 3;

select id from things order by s desc, x limit 100 offset 35;

select id, d + 1 from things order by -d limit 4;

select n from things order by n nulls last limit 12;

select count(*), sum(n) from (select n from things order by n desc limit 7);

select k, count(*) c from things where n > 1 group by k order by c desc, k limit 2;

(select id from things order by x desc limit 2) union all (select id from things order by id limit 3);

select a.id, f.name from (select * from things order by id desc limit 8) a join few f on a.k = f.k;

select id, name from (select * from things order by n, id limit 10) a left join few f on a.k = f.k order by id limit 5;

select count(*) from (select * from things limit 9);

select count(*) from (select * from things limit 9 offset 35);

select count(*), count(name) from (select a.id, f.name from things a left join few f on a.id = f.k limit 40);

select count(*) from (select a.id from things a cross join few f limit 17);

select count(*) from ((select id from things limit 3) union all (select id from things limit 30 offset 20));

select count(*) from (select distinct k from things limit 3);

select count(*) from (select k, count(*) from things group by k limit 3);

select count(*) from (select * from things limit 100) where id >= 0;

select id from things where id < (select count(*) from (select id from things limit 3));

select id from things where exists (select 1 from few limit 1) order by id limit 2;

select id, (select name from few where few.k = things.id) from things order by id limit 4;

select id, (select max(x) from things b where b.k = a.n) from things a order by id desc limit 4;

select id, (select s from things b where b.k = a.id) from things a where id = 3;

select k, s, count(*), sum(n) from things group by rollup(k, s) order by k nulls last, s nulls last limit 6 offset 1;

select count(distinct k), count(distinct 6 / (id - 41)) from things;

select count(distinct k), count(distinct 6 / (id - 11)) from things;
