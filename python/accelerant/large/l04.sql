-- Counts of distinct values: of all rows, and of a million.
select count(distinct k) as keys, count(distinct v) as amounts from facts
