-- Joins without equal keys.

create table l using parquet as select * from values (1, 10), (2, 20), (null, 30) as t(k, n);

create table r using parquet as select * from values (1, 15), (3, 25), (null, 5) as t(k, m);

create table nothing using parquet as select * from values (1, 1) as t(k, m) where false;

select l.*, r.* from l cross join r;

select l.*, r.* from l join r on l.n < r.m;

select l.*, r.* from l left join r on l.n > r.m;

select l.*, r.* from l right join r on l.n > r.m;

select l.*, r.* from l full join r on l.n > r.m and l.k is not null;

select * from l left semi join r on l.n < r.m;

select * from l left anti join r on l.n < r.m;

select l.*, t.* from l cross join nothing t;

select l.*, t.* from l left join nothing t on l.n < t.m;

select count(*) from l, r where l.k <> r.k or l.n = r.m;
