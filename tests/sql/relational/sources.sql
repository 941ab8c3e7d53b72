-- Unions, ranges, values, views and queries in FROM.

create table a using parquet as select * from values (1, 'x'), (2, null), (null, 'y'), (1, 'x') as t(k, s);

create table b using parquet as select * from values (1L, 'x'), (3L, 'z') as t(k, s);

select * from a union all select * from b;

select * from a union select * from b;

select * from a intersect select * from b;

select * from a except select * from b;

select * from a except all select * from b;

select * from a intersect all select * from a;

select k from (select k from a union all select k from a) except all select k from a where s = 'x';

select explode(array(k, 1)) from a;

select k, count(*) from (select k from a union all select k from b) as u group by k;

select id, id * 2 from range(5);

select sum(id) from range(1, 1000, 3);

-- expect_fallback(Spark has the rows at hand)
select * from values (1, 'a'), (2, null) as t(n, s) where n > 0;

select n, count(*) from values (1, 'a'), (2, null), (1, null) as t(n, s) group by n;

select a.k, v.t from a join (values (1, 'one'), (2, 'two')) as v(k, t) on a.k = v.k;

select k + 1 from (select k from (select * from a where k is not null) where s is not null);

with once as (select k, count(*) as n from a group by k)
select x.k, y.n from once as x join once as y on x.k <=> y.k;

select 1 as one, 'x' as s;
