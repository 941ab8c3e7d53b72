-- Three-valued logic, and forms that evaluate only the branch they take.

create table facts using parquet as
select * from values
  (1, true, true, 1, 10), (2, true, false, 0, 20), (3, true, null, null, 30),
  (4, false, true, 5, null), (5, false, false, 0, -7), (6, false, null, 2, 0),
  (7, null, true, null, null), (8, null, false, 3, 9), (9, null, null, 0, 1)
as t(id, p, q, a, b);

select id, p and q, p or q, not p, not (p and q) from facts;

select id, case when p then a when q then b else -1 end, case when p then a end from facts;

select id, case a when 0 then 'zero' when 1 then 'one' else 'more' end from facts;

select id, if(a = 0, null, 100 / a) from facts;

select id, case when a <> 0 then 100 / a else 0 end from facts;

select id from facts where a <> 0 and 100 / a > 20;

select id, 100 / a from facts;

select id, coalesce(a, b, 0), coalesce(a, b), coalesce(nullif(a, 0), 100 / b) from facts where b <> 0;

select id, nullif(a, 0), nvl2(a, b, -1), ifnull(a, 42), nvl(p, q) from facts;

select id, greatest(a, b), least(a, b), greatest(a, b, 4), least(cast(a as double), double('NaN')) from facts;

select id from facts where not (p or q);

select id from facts where p <=> q;
