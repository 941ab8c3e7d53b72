-- Sums of floats do not depend on threads or batches, and are close to Spark's; NaN and zeros as group keys.

create table points using parquet as
select * from values
  (1, 0D, 1.25D, 0.5f), (2, double('-0.0'), 2.5D, 1.5f), (3, double('NaN'), -3.75D, null), (4, double('NaN'), 100.125D, 2.5f),
  (5, null, 7D, -0.25f), (6, 1.5D, null, 8f), (7, 1.5D, 1e10D, 0.125f), (8, 1.5D, 3D, 4f)
as t(id, k, x, r);

-- close
select sum(x), avg(x), sum(r), avg(r), sum(x * r) from points;

-- close
select k, count(*), sum(x), avg(r) from points group by k;

select k, min(x), max(x), min(r), max(r) from points group by k;

select min(k), max(k) from points where id > 2;

select distinct k from points;

-- close
select var_samp(x), var_pop(x), stddev_samp(r), stddev_pop(r), stddev(x), variance(r) from points;

-- close
select k, stddev_samp(x), var_pop(r) from points group by k;

-- close
select sum(x), stddev_samp(x), avg(x) from points where id > 100;

-- close
select var_samp(x), stddev_pop(x) from points where id = 1;
