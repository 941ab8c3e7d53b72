-- Found by the differential test: errors of expressions over groups were not Spark's own.

create table groups using parquet as select * from values
  (cast(-32768 as smallint), 119L, cast(null as timestamp))
as t(i16, id, ts);

select coalesce(t2.c0, timestamp_millis(9223372036854775807L)) as c1 from (select t1.ts as c0 from groups as t1 group by t1.ts) as t2;

select unix_timestamp(timestamp_millis((t2.c1 ^ 9223372036854775807L))) as c1 from (select t1.id as c1 from groups as t1 group by t1.id) as t2;

select count(c0 * c0) as c2 from (select t1.i16 as c0 from groups as t1 group by t1.i16) as t4;

select abs(t3.c0) as c0 from (select t1.i16 as c0 from groups as t1 group by t1.i16) as t3;
