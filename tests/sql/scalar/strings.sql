-- Strings of one to four bytes a character, empty and long, and patterns.

create table texts using parquet as
select * from values
  (1, 'abc', 'b', 2), (2, '', '', 0), (3, null, 'a', 1), (4, 'Straße é', 'ß', -3), (5, '日本語 text', '本', 5),
  (6, '  both  ', ' ', 1), (7, '100%_sure', '%_', null), (8, '😀 smile', '😀', 2), (9, 'ABCabcABC', 'abc', 4),
  (10, 'PROMO BRUSHED', 'PROMO', 100), (11, 'special packages requests', 'special', -100), (12, 'a\\b', '\\', 1)
as t(id, s, u, n);

select id, length(s), char_length(u), octet_length(s), bit_length(u) from texts;

select id, upper(s), lower(s), initcap(s) from texts;

select id, substring(s, n), substring(s, n, 3), substring(s, 2, 2), left(s, 2), right(s, 2) from texts;

select id, trim(s), ltrim(s), rtrim(s), trim(both 'a' from s) from texts;

select id, concat(s, u), s || '-' || u, concat_ws('/', s, u, 'x') from texts;

select id, startswith(s, u), endswith(s, u), contains(s, u) from texts;

select id from texts where s like '%abc%';

select id from texts where s like 'PROMO%' or s like '%special%requests%' or s like '_b_';

select id from texts where s not like '%e%';

select id, s like '%\\%\\_%', s like '', s like '%', s like u || '%' from texts where id <> 12;

select id, replace(s, u, '#'), instr(s, u), locate(u, s), repeat(u, 3), reverse(s) from texts;

select id, lpad(s, 5, '*'), rpad(s, 5, u), translate(s, 'ab', 'xy'), ascii(s) from texts;

select id from texts where s > 'a' and u <= 'b' order by s desc;
