-- Joins that several others only ask whether they have a row, and windows that stand in several places: done once.

create table orders using parquet as
select id, if(id % 11 = 0, null, cast(id % 97 as int)) as k, concat('text ', id % 13) as s, id / 7.0D as d
from range(0, 3000, 1, 4);

create table parts using parquet as
select id * 3 as id, cast(id % 41 as int) as k, concat('text ', id % 17) as s, id / 5.0D as d
from range(0, 1500, 1, 2);

with joined as (select o.k, p.s, p.d from orders o join parts p on o.id = p.id where p.k < 30)
select 'orders' as t, count(*), sum(id) from orders where k in (select k from joined)
union all select 'parts', count(*), sum(id) from parts where k in (select k from joined)
union all select 'not in', count(*), sum(id) from parts where k not in (select k from joined where k is not null);

with joined as (select o.k, p.s from orders o join parts p on o.id = p.id where p.k < 30)
select 'a' as t, count(*) from parts where k not in (select k from joined)
union all select 'b', count(*) from orders where k not in (select k from joined)
union all select 'c', count(*) from orders where s not in (select s from joined);

with joined as (select o.k, p.s from orders o join parts p on o.id = p.id where p.k < 9)
select 'less' as t, count(*), max(s) from orders l
where exists (select 1 from joined where joined.k = l.k and joined.s < l.s)
union all select 'also', count(*), max(s) from parts l
where exists (select 1 from joined where joined.k = l.k and joined.s < l.s)
union all select 'or', count(*), max(s) from parts l
where k > 20 or exists (select 1 from joined where joined.k = l.k and joined.s < l.s);

with joined as (select o.k, p.d from orders o join parts p on o.id = p.id)
select count(*) from orders where d in (select d from joined) or k = 5
union all select count(*) from parts where d in (select d from joined);

with joined as (select o.k from orders o join parts p on o.id = p.id where p.k = 77)
select count(*) from orders where k not in (select k from joined)
union all select count(*) from parts where k in (select k from joined);

with sums as (
  select k, s, sum(id) as total, rank() over (partition by k order by s) as place from orders group by k, s)
select a.k, a.s, a.total, b.total as before, c.total as after
from sums a join sums b on a.k = b.k and a.place = b.place + 1 join sums c on a.k = c.k and a.place = c.place - 1
order by a.k, a.s;

with sums as (
  select k, s, sum(id) as total, row_number() over (partition by k order by s) as place from orders group by k, s),
joined as (select x.k, y.total from sums x join sums y on x.k = y.k and x.place = y.place)
select count(*) from orders where k in (select k from joined where total > 900)
union all select count(*) from parts where k in (select k from joined where total > 900);
