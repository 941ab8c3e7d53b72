-- Found by the differential test: a row that failed left entries in what makes maps, and the next row's value had them.

create table maps using parquet as select * from values
  ('a', map(date'2007-11-14', array('a'), date'2003-10-01', array('b'))),
  ('b', map(date'1998-09-27', array('1', null, 'z'))),
  ('c', cast(map() as map<date,array<string>>)),
  (null, null)
as t(s, m);

select map_filter(map_concat(t1.m, t1.m), (k, v) -> soundex(t1.s) > 'A') as c1 from maps as t1;

select map_filter(t1.m, (k, v) -> soundex(t1.s) > 'A') as c1 from maps as t1;
