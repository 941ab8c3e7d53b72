-- Every kind of join on equal keys, with duplicate and null keys, empty sides and further conditions.

create table l using parquet as
select * from values (1, 'a', 10), (1, 'b', 20), (2, 'c', 30), (null, 'd', 40), (3, null, 50), (4, 'e', null) as t(k, s, n);

create table r using parquet as
select * from values (1, 'a', 15), (1, 'x', 25), (3, 'c', 5), (null, 'd', 45), (5, 'e', 55), (3, null, null) as t(k, s, m);

create table nothing using parquet as select * from values (1, 'a', 1) as t(k, s, m) where false;

select l.*, r.* from l join r on l.k = r.k;

select l.*, r.* from l left join r on l.k = r.k;

select l.*, r.* from l right join r on l.k = r.k;

select l.*, r.* from l full join r on l.k = r.k;

select * from l left semi join r on l.k = r.k;

select * from l left anti join r on l.k = r.k;

select l.*, r.* from l join r on l.k <=> r.k;

select l.*, r.* from l full join r on l.k = r.k and l.s <=> r.s;

select l.*, r.* from l join r on l.k = r.k and l.n < r.m;

select l.*, r.* from l left join r on l.k = r.k and l.n < r.m;

select l.*, r.* from l right join r on l.k = r.k and l.n < r.m;

select l.*, r.* from l full join r on l.k = r.k and l.n < r.m;

select * from l left semi join r on l.k = r.k and l.n < r.m;

select * from l left anti join r on l.k = r.k and l.n < r.m;

select l.*, t.* from l left join nothing t on l.k = t.k;

select l.*, t.* from nothing t right join l on l.k = t.k;

select * from l join nothing t on l.k = t.k;

select * from l left anti join nothing t on l.k = t.k;

select count(*), sum(l.n), sum(r.m) from l join r on l.k = r.k;

select l.s, count(*) from l join r on l.k = r.k group by l.s order by l.s;

select a.s, b.s, c.s from l a join r b on a.k = b.k join l c on c.k = b.k;

select /*+ broadcast(r) */ l.*, r.* from l join r on l.k = r.k;

select /*+ merge(r) */ l.*, r.* from l join r on l.k = r.k;

select /*+ shuffle_hash(r) */ l.*, r.* from l left join r on l.k = r.k;

select l.k, r.k from l join r on cast(l.k as bigint) = r.k + 0L;

select l.s, t.k from l join (select k from (select k, explode(array(k, 1)) as e from r) as x limit 50) as t on l.k = t.k;

-- The key of USING that is not given out, asked for by its name.
select l.k, r.k, m from l right join r using (k);

select k, l.k, r.k from l full join r using (k);

select l.k, k from l join r using (k);

select l.k, r.k from l natural right join r;
