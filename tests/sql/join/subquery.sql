-- Subqueries in expressions: IN, NOT IN with nulls, EXISTS, scalar ones, correlated and not.

create table l using parquet as
select * from values (1, 'a', 10), (2, 'b', 20), (null, 'c', 30), (3, 'd', null), (4, 'e', 50) as t(k, s, n);

create table r using parquet as select * from values (1, 15), (3, 25), (null, 5), (3, 100) as t(k, m);

create table nothing using parquet as select * from values (1, 1) as t(k, m) where false;

select * from l where k in (select k from r);

select * from l where k not in (select k from r);

select * from l where k not in (select k from r where k is not null);

select * from l where k not in (select k from nothing);

select * from l where exists (select 1 from r where r.k = l.k);

select * from l where not exists (select 1 from r where r.k = l.k and r.m > l.n);

select * from l where k in (select k from r) or n = 50;

select * from l where exists (select 1 from r where r.k = l.k) or s = 'b';

select * from l where n > (select avg(m) from r);

select s, (select max(m) from r) as most, (select min(m) from nothing) as none from l;

select s, (select sum(m) from r where r.k = l.k) as total from l;

select * from l where n < (select sum(m) from r where r.k = l.k);

select * from l where n = (select m from r where m > 10 and m < 100);

with totals as (select k, sum(m) as total from r group by k)
select * from totals where total = (select max(total) from totals);

select * from l where k in (select k from r where m in (select max(m) from r));
