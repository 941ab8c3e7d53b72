"""Functions over arrays, maps and structs, and generators, computed natively: no call of theirs is bridged."""

import pytest
from oracle import (
    assert_equal_failure,
    assert_equal_rows,
    assert_failure_of_spark,
    assert_native,
    assert_unbridged,
    explained,
    plain,
    settings,
)
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark41


# Spark 4.1 makes null of all rows where neither the array nor the delimiter may be null: it is asked itself.
COMPUTED_REPLACEMENT = "select id, array_join(tags, point.label, tags[0]) from nested"
FUNCTIONS = (
    "select id, size(tags), size(sizes), cardinality(deep) from nested",
    "select id, point.x, point.label, point.n + 1 from nested",
    "select id, deep.xs, deep.m from nested",
    "select id, deep[0].xs[0], deep[0].m[id] from nested",
    "select id, try_element_at(tags, n + 1), try_element_at(tags, -1), try_element_at(numbers, 2) from nested",
    "select id, element_at(sizes, 'k1'), sizes['k2'], sizes[cast(null as string)] from nested",
    "select id, array_contains(tags, 'tag 8 of 3'), array_contains(numbers, id) from nested",
    "select id, array_contains(wide, id), array_contains(flags, true), array_contains(prices, 1.5) from nested",
    "select id, array_contains(deep.xs, array(id, null)), array_contains(array('a', null), point.label) from nested",
    "select id, array(1, 2), map('a', array(1)), named_struct('x', null, 'y', array('z')), array() from nested",
    "select id, map('a', 1, 'b', 2)[tags[0]], element_at(array(10, 20, 30), n + 1) from nested where n < 3",
    "select id, map_keys(sizes), map_values(sizes), map_entries(sizes) from nested",
    "select id, slice(tags, 1, 2), slice(numbers, -2, n), slice(deep, 2, 1) from nested",
    "select id, reverse(tags), reverse(deep), concat(tags, array('x'), tags), concat(numbers, array(id)) from nested",
    "select id, flatten(array(numbers, array(id, null))), flatten(array(tags, tags)), flatten(deep.xs) from nested",
    "select id, array_position(numbers, id * 2), array_remove(tags, 'tag 8 of 3') from nested",
    "select id, array_max(tags), array_min(numbers), array_max(prices), array_max(deep.xs) from nested",
    "select id, sort_array(tags), sort_array(numbers, false), sort_array(deep.xs), sort_array(flags) from nested",
    "select id, array_distinct(tags), array_distinct(concat(numbers, numbers)), array_distinct(deep.xs) from nested",
    "select id, array_union(numbers, array(0, id)), array_intersect(numbers, array(id, null, 0)) from nested",
    "select id, array_except(concat(tags, tags), array('x', null)), array_except(deep.xs, array(array(id)))"
    " from nested",
    "select id, arrays_overlap(numbers, array(0L)), arrays_overlap(tags, array('x')), arrays_overlap(flags,"
    " array(true))"
    " from nested",
    "select id, arrays_overlap(sequence(1, n + 15), sequence(n + 15, n + 40)), arrays_overlap(tags, concat(tags,"
    " array(null))) from nested",
    "select id, aggregate(numbers, id, (s, x) -> s + coalesce(x, 0)), aggregate(sequence(1, n), n, (s, x) -> s * x,"
    " s -> s + id), aggregate(tags, '', (s, x) -> concat(s, x)) from nested",
    "select id, exists(numbers, x -> x > id), forall(tags, x -> x is not null), size(filter(numbers, x -> x > 3))"
    " from nested where id % 3 <> 1",
    "select id, array_distinct(concat(sequence(1, 40), array(n, n + 40))), array_distinct(prices) from nested",
    "select id, array_intersect(sequence(n, 50), sequence(20, 40 + n)), array_distinct(array()) from nested",
    "select id, map(id, n, id + 1, null), map_from_arrays(array(id, n + 100000), array(n, 7)) from nested",
    "select id, map_from_entries(array(named_struct('k', id, 'v', tags), named_struct('k', -1L, 'v', tags)))"
    " from nested",
    "select id, map_from_entries(map_entries(sizes)), map_from_entries(array(if(n < 3, struct(id, n), null)))"
    " from nested",
    "select id, map_concat(sizes, map('z', id)), map_contains_key(sizes, 'k1') from nested",
    "select id, arrays_zip(tags, numbers), arrays_zip(tags, deep.xs, array(n)), arrays_zip(array(), tags) from nested",
    "select id, array_repeat(tags, n), array_repeat(point.label, 2), array_repeat(id, point.n % 3 - 1) from nested",
    "select id, array_append(tags, 'x'), array_prepend(numbers, id), array_append(deep.xs, array(id)) from nested",
    "select id, array_insert(tags, n + 1, point.label), array_insert(numbers, -n - 1, id) from nested",
    "select id, if(n < 4, array_repeat(id, n), array_repeat(id, 2147483000)) from nested where n < 4",
    "select id, sequence(1, n), sequence(id, id - n, -2), sequence(cast(n as tinyint), -3Y), sequence(1,"
    " point.n) from nested",
    "select id, sequence(days[0], date_add(days[0], n)), sequence(days[0], date_sub(days[0], n), interval -2 days)"
    " from nested",
    "select id, if(n > 2, sequence(1, n, 2), sequence(0, n, 1)) from nested",
    "select id, array_join(tags, ', '), array_join(tags, '', 'none') from nested",
    COMPUTED_REPLACEMENT,
    "select id, array_join(array(point.label, 'x', null), '-'), array_join(array(), ','), array_join(tags, '+')"
    " from nested",
    "select id, concat_ws(',', tags), concat_ws(point.label, tags, 'x', array('y', null)) from nested",
    "select id, concat_ws('-', array(), tags), concat_ws('-', array(point.label), tags[0]) from nested",
    "select n, concat_ws('/', sort_array(collect_list(point.label)), n) from nested group by n",
    "select id, concat_ws(' ', numbers, id, flags), concat_ws(null, tags), concat_ws('', tags, tags) from nested",
    "select id, split(tags[0], ' '), split(point.label, 'a'), split(tags[1], ' of ', n - 1), split(point.label, 'l', 2)"
    " from nested",
    r"select id, split(concat(id, '|', n, '||'), '\\|'), split(array_join(tags, 'é'), 'é'), split('', ',') from nested",
    "select id, split(concat(cast(x'ff2c41e2' as string), id, cast(x'eda080' as string)), ',') from nested",
    "select id, str_to_map(concat('k', id, ':', n, ',l:', point.label, ',m')), str_to_map('') from nested",
    r"select id, str_to_map(concat_ws('||', tags, n), '\\|\\|', '\\$'), str_to_map(concat(n, '$', id), ',', '\\$')"
    " from nested where n > 0",
    "select id, array_sort(tags), array_sort(numbers), array_sort(flags), array_sort(array(n, 3, 1)) from nested",
    "select id, sort_array(array(point.x, 1D, null)), sort_array(array(point.x, 9D), false) from nested",
    "select id, array_sort(array(point.x, 1D, -0.0D, 0D)), array_sort(array(1D, point.x)) from nested",
    "select n, array_sort(collect_list(-point.x)), sort_array(collect_list(point.x), false) from nested group by n",
    "select id, sort_array(array(struct(point.x as x, id as y), struct(0D as x, 1L as y))) from nested",
    "select id, sort_array(array(array(point.x), array(-0.0D), array(0D), array(n / 2D))) from nested",
    "select id, cast(null as struct<x:int>), named_struct('x', cast(null as int)),"
    " array_sort(array(cast(null as struct<x:int>), named_struct('x', 1), named_struct('x', cast(null as int))))"
    " from nested",
    "select id, array_sort(days), array_sort(prices), array_sort(split(point.label, ' ')) from nested",
    "select id, array(id, n, null), array(tags, array('x')), array(point) from nested",
    "select id, struct(id, tags), named_struct('a', n, 'b', point, 'c', cast(null as string)) from nested",
    "select id, if(n > 2, tags, array('x')), coalesce(point, named_struct('x', 0D, 'label', '', 'n', 1S)) from nested",
    "select id, case when n = 1 then sizes when n = 2 then map('k', id) end from nested",
    "select id from nested where point.x > 600 and tags is not null",
    "select n, count(*), sum(size(tags)), max(point.label), avg(numbers[0]) from nested group by n",
    "select a.id from nested a join nested b on a.point.n = b.id where size(a.tags) > 1",
    "select size(tags) s, count(*) from nested group by 1 order by 1",
)


LAMBDAS = (
    "select id, transform(numbers, x -> x + id), transform(tags, (t, i) -> concat(t, ' at ', i)) from nested",
    "select id, transform(deep, d -> d.xs), transform(deep, d -> size(d.m)), transform(numbers, x -> n) from nested",
    "select id, filter(tags, t -> t like '%1'), filter(numbers, (x, i) -> i > 0 and x > n)"
    ", filter(deep, d -> d is null) from nested",
    "select id, filter(tags, t -> t like '%1'), filter(numbers, (x, i) -> i > 0 and x > n), filter(deep, d -> d"
    " is null)"
    " from nested",
    "select id, exists(numbers, x -> x > n), exists(tags, t -> t is null), exists(flags, f -> f) from nested",
    "select id, forall(numbers, x -> x >= 0), forall(tags, t -> length(t) > 9), forall(flags, f -> f) from nested",
    "select id, aggregate(numbers, 0L, (a, x) -> a + coalesce(x, 0)), aggregate(numbers, id, (a, x) -> a + x)"
    " from nested",
    "select id, aggregate(tags, '', (a, t) -> concat(a, '/', t), a -> upper(a)) from nested",
    "select id, aggregate(flags, array(id), (a, f) -> if(f, concat(a, array(id + n)), a), a -> size(a)) from nested",
    "select id, transform(deep, d -> transform(d.xs, x -> x + id)), transform(numbers, x -> filter(tags, t -> x > n))"
    " from nested",
    "select id, map_filter(sizes, (k, v) -> v > n and k like 'k%'), map_filter(sizes, (k, v) -> v is null) from nested",
    "select id, transform_keys(sizes, (k, v) -> concat(k, id)), transform_keys(sizes, (k, v) -> v is null) from nested",
    "select id, zip_with(numbers, tags, (x, t) -> concat(t, ':', x + n)), zip_with(tags, array(1), (t, i) -> i)"
    " from nested",
    "select id, map_zip_with(sizes, map('k1', n, 'z', 3), (k, a, b) -> coalesce(a, 0) + coalesce(b, id)) from nested",
    "select id, map_zip_with(sizes, sizes, (k, a, b) -> concat(k, a, b)) from nested",
    "select id, transform_values(sizes, (k, v) -> length(k) + v + n) from nested",
    "select n, sum(aggregate(numbers, 0L, (a, x) -> a + coalesce(x, 0))) from nested"
    " where exists(tags, t -> t like '%2') group by n",
    "select n, sum(aggregate(numbers, 0L, (a, x) -> a + coalesce(x, 0))) from nested where exists(tags, t -> t"
    " like '%2')"
    " group by n",
    "select id, t from nested lateral view explode(transform(numbers, x -> struct(x, id))) e as t",
)


@pytest.mark.parametrize("batch_rows", ["0", "7"])
@pytest.mark.parametrize("query", LAMBDAS)
def test_lambdas(spark: SparkSession, nested: DataFrame, query: str, batch_rows: str) -> None:
    with settings(spark, spark__accelerant__batch__rows=batch_rows):
        if "upper(" not in query or not spark.version.startswith("4.1"):
            assert_unbridged(spark.sql(query))
        assert assert_equal_rows(spark, lambda: spark.sql(query))


def test_a_lambda_that_lacks_something_is_bridged_whole(spark: SparkSession, nested: DataFrame) -> None:
    query = (
        "select id, transform(tags, t -> soundex(t)), transform(numbers, x -> transform(tags, t -> soundex(t) || x))"
    )
    df = spark.sql(f"{query} from nested")
    assert_native(df)
    assert "bridged: " in explained(df)
    assert assert_equal_rows(spark, lambda: spark.sql(f"{query} from nested"))


@pytest.mark.parametrize("batch_rows", ["0", "7"])
@pytest.mark.parametrize("query", FUNCTIONS)
def test_functions(spark: SparkSession, nested: DataFrame, query: str, batch_rows: str) -> None:
    with settings(spark, spark__sql__ansi__enabled="false", spark__accelerant__batch__rows=batch_rows):
        if query != COMPUTED_REPLACEMENT or not spark.version.startswith("4.1"):
            assert_unbridged(spark.sql(query))
        assert assert_equal_rows(spark, lambda: spark.sql(query), ordered="order by" in query)


FAILURES = (
    "select tags[7] from nested where id = 12",
    "select tags[n - 2] from nested where id = 11",
    "select element_at(tags, 9) from nested where id = 12",
    "select element_at(tags, n) from nested where n = 0",
    "select sum(numbers[cast(id as int)]) from nested where id = 7",
    "select id from nested where deep[2].xs is null and id = 12",
    "select slice(tags, n, 1) from nested where n = 0",
    "select transform(numbers, x -> 10 / x) from nested",
    "select filter(numbers, x -> 1 / (x - id) > 0) from nested",
    "select forall(numbers, x -> 10 / x > 0) from nested",
    "select aggregate(numbers, 0L, (a, x) -> a + 10 div x) from nested",
    "select aggregate(numbers, 0L, (a, x) -> a + x, a -> 1 div (a - a)) from nested",
    "select slice(tags, 1, n - 3) from nested where id = 11",
    "select array_insert(tags, n, 'x') from nested",
    "select zip_with(numbers, array(0), (a, b) -> 1 div b) from nested",
    "select map(point.label, 1) from nested",
    "select map(n, 1, 3, 2) from nested",
    "select str_to_map(concat('1:2,', n, ':', id)) from nested",
    "select map_concat(sizes, map('k1', id)) from nested",
    "select map_from_arrays(array(1, 2), array(n)) from nested",
    "select map_from_entries(array(struct(n as k, 1), struct(2 as k, 2))) from nested where n = 2",
    "select transform_keys(sizes, (k, v) -> 1) from nested",
    "select transform_keys(map('a', n), (k, v) -> 10 div v) from nested where n = 0",
)


@pytest.mark.parametrize("query", FAILURES)
def test_failures(spark: SparkSession, nested: DataFrame, query: str) -> None:
    with settings(spark, spark__sql__ansi__enabled="true"):
        assert_equal_failure(spark, lambda: spark.sql(query))


OF_SPARK = (
    "select array_repeat(id, 2147483640) from nested where id = 7",
    "select sequence(1, n, -1) from nested where id = 7",
    "select sequence(1, 4, n - 2) from nested where id = 10",
    "select sequence(0L, id * 1000000000000) from nested where id = 7",
    "select array_insert(tags, n + 2147483646, 'x') from nested where id = 11",
)


@pytest.mark.parametrize("query", OF_SPARK)
def test_failures_that_spark_words_in_several_ways(spark: SparkSession, nested: DataFrame, query: str) -> None:
    assert_failure_of_spark(spark, lambda: spark.sql(query), "a value that only Spark can compute")


@pytest.mark.parametrize(
    "query",
    (
        "select if(size(tags) > 2, tags[2], 'few') from nested",
        "select coalesce(label, tags[0]) from (select point.label, tags from nested where size(tags) > 0)",
        "select count(*) from nested where size(tags) > 1 and tags[1] like '%1'",
        "select exists(array(1, 0), x -> 2 / x > 0), forall(array(1, 0), x -> 2 / x < 0), n from nested",
    ),
)
def test_failures_that_do_not_count(spark: SparkSession, nested: DataFrame, query: str) -> None:
    with settings(spark, spark__sql__ansi__enabled="true"):
        assert_unbridged(spark.sql(query))
        assert assert_equal_rows(spark, lambda: spark.sql(query))


LAST_WINS = (
    "select id, map(n, 1, 3, 2), map_concat(sizes, map('k1', id)), transform_keys(sizes, (k, v) -> 1) from nested",
    "select id, map(n, id, 2, n, n, 0L, 2, null), map('a', tags, 'a', null) from nested",
    "select id, map_from_arrays(array(n, 2, n), array(1, id, null)), map_from_arrays(numbers, numbers) from nested"
    " where not exists(numbers, x -> x is null)",
    "select id, map_from_entries(array(struct(n as k, 1), struct(2 as k, 2), struct(n as k, null))) from nested",
    "select id, map_entries(map_from_entries(array(struct(array(n, 1) as k, n),"
    " if(n < 3, struct(array(2, 1) as k, 7 as n), null)))) from nested",
    "select id, map_concat(map(n, id), map(1, 0L, 2, null), map(n, -id)) from nested",
    "select id, str_to_map(concat('1:2,', n, ':', id, ',1'), ',', ':') from nested",
)


@pytest.mark.parametrize("query", LAST_WINS)
def test_maps_whose_last_entry_wins(spark: SparkSession, nested: DataFrame, query: str) -> None:
    with settings(spark, spark__sql__mapKeyDedupPolicy="LAST_WIN"):
        assert_unbridged(spark.sql(query))
        assert assert_equal_rows(spark, lambda: spark.sql(query))


def test_null_keys_where_the_last_entry_wins(spark: SparkSession, nested: DataFrame) -> None:
    with settings(spark, spark__sql__mapKeyDedupPolicy="LAST_WIN"):
        assert_equal_failure(spark, lambda: spark.sql("select map(n, 1, if(n = 3, null, n), 2) from nested"))


@pytest.mark.parametrize("pattern", ("[ ]", "", "a|o", "g.", "(?i)TAG"))
def test_patterns_of_more_than_one_text_are_bridged(spark: SparkSession, nested: DataFrame, pattern: str) -> None:
    query = f"select id, split(tags[0], '{pattern}'), split(tags[0], '{pattern}', 2) from nested"
    with settings(spark, spark__sql__ansi__enabled="false"):
        assert "bridged: " in explained(spark.sql(query))
        assert assert_equal_rows(spark, lambda: spark.sql(query))


def test_a_comparison_of_ones_own_is_bridged(spark: SparkSession, nested: DataFrame) -> None:
    query = "select id, array_sort(numbers, (a, b) -> case when a < b then 1 when a > b then -1 else 0 end) from nested"
    with settings(spark, spark__sql__ansi__enabled="false"):
        assert "bridged: " in explained(spark.sql(query.replace("numbers", "array(id, n)")))
        assert assert_equal_rows(spark, lambda: spark.sql(query.replace("numbers", "array(id, n)")))


def test_a_size_of_null(spark: SparkSession, nested: DataFrame) -> None:
    query = "select id, size(tags), size(sizes) from nested"
    with settings(spark, spark__sql__ansi__enabled="false", spark__sql__legacy__sizeOfNull="true"):
        rows = assert_equal_rows(spark, lambda: spark.sql(query))
        assert any(row[1] == -1 for row in rows)


KEYS = (
    "select tags, count(*) from nested group by tags",
    "select point, prices, sum(n), min(id) from nested where id < 300 or n = 1 group by point, prices",
    "select distinct flags, days from nested",
    "select n, count(distinct tags), count(distinct point, n) from nested group by n",
    "select xs, count(*) from nested lateral view explode(deep.xs) e as xs group by xs",
    "select a.id, b.id from nested a join nested b on a.tags = b.tags where a.id < 900 and b.id > 300",
    "select a.id, b.id from nested a left join nested b on a.point <=> b.point and a.n = b.n where a.id < 50",
    "select id from nested where flags in (select flags from nested where id < 3)",
    "select id, tags from nested order by tags, id",
    "select id, point from nested order by point desc nulls first, id",
    "select id, flags from nested order by flags desc, numbers, id limit 70",
    "select id, deep.xs from nested order by deep.xs nulls last, id limit 300",
    "select prices, count(*) c from nested group by prices order by c desc, prices limit 20",
    "select sizes, count(*) from nested where id < 400 or n = 1 group by sizes",
    "select map(n, id % 3, 9, n), count(*) c, min(id) from nested group by 1",
    "select struct(sizes, n) s, array(sizes, null) a, sum(n) from nested where id < 90 group by 1, 2",
    "select deep, count(*) from nested where n < 2 group by deep",
    "select distinct n, flags from nested",
)


@pytest.mark.parametrize("batch_rows", ["0", "7"])
@pytest.mark.parametrize("query", KEYS)
def test_keys(spark: SparkSession, nested: DataFrame, query: str, batch_rows: str) -> None:
    with settings(spark, spark__accelerant__batch__rows=batch_rows):
        assert assert_equal_rows(spark, lambda: spark.sql(query), ordered="order by" in query)


def test_keys_of_floats(spark: SparkSession) -> None:
    """NaN is one value, and so is zero, within nested keys too."""
    floats = "values (1, 0.0D), (2, -0.0D), (3, double('nan')), (4, -double('nan')), (5, null), (6, 1.5D) as t(id, x)"
    for key in ("array(x)", "struct(x, 1)", "array(struct(x), null)"):
        query = f"select size(collect_list(id)), count(*) from {floats} group by {key}"
        assert len(assert_equal_rows(spark, lambda q=query: spark.sql(q))) == 4
        both = f"select a.id, b.id from (select * from {floats}) a join (select * from {floats}) b on "
        on = f"{key.replace('x', 'a.x')} = {key.replace('x', 'b.x')}"
        assert assert_equal_rows(spark, lambda q=both + on: spark.sql(q))


SETS = (
    "array_distinct(array(a.x, b.x, a.x, 0D)), array_union(array(a.x, b.x), array(b.x, -0.0D, 1.5D))",
    "array_intersect(array(a.x, 1D, b.x), array(-b.x, 0.0D)), array_except(array(a.x, b.x, 0.0D), array(b.x))",
    "arrays_overlap(array(a.x), array(b.x)), arrays_overlap(array(a.x, 7D), array(b.x, null))",
    "array_position(array(1D, a.x), b.x), array_remove(array(a.x, 1.5D, b.x), a.x), array_contains(array(a.x), b.x)",
    "array_distinct(array(struct(a.x, 1), struct(b.x, 1))), array_union(array(array(a.x)), array(array(b.x), null))",
    "array_except(array(array(a.x)), array(array(b.x))), array_intersect(array(struct(a.x)), array(struct(b.x)))",
    "arrays_overlap(array(array(a.x)), array(array(b.x))), array_distinct(array(float(a.x), float(b.x)))",
)


@pytest.mark.parametrize("functions", SETS)
def test_sets_of_floats(spark: SparkSession, functions: str) -> None:
    """All NaNs are one, and so are both zeros, from 4.1.4 on."""
    floats = "values (1, 0.0D), (2, -0.0D), (3, double('nan')), (4, -double('nan')), (5, null), (6, 1.5D) as {}(id, x)"
    query = f"select a.id, b.id, {functions} from {floats.format('a')} cross join {floats.format('b')}"
    assert len(assert_equal_rows(spark, lambda: spark.sql(query))) == 36
    assert_unbridged(spark.sql(query))


def test_both_zeros_are_sorted_by_spark(spark: SparkSession, nested: DataFrame) -> None:
    """Spark's compiled code puts -0.0 first, where no element may be null: such rows are its own."""
    for query in (
        "select n, sort_array(collect_list(point.x)) from nested group by n",
        "select id, sort_array(array(if(id % 3 = 0, 0.0D, 1D), -0.0D, id / 2D)) from nested",
        "select id, sort_array(array(float('nan'), float(0), float(-id))) from nested",
        "select id, transform(numbers, x -> sort_array(array(0D, x))) from nested",
    ):
        assert_native(spark.sql(query))
        found = spark.sql(query).collect()
        with plain(spark):
            assert repr(sorted(found, key=repr)) == repr(sorted(spark.sql(query).collect(), key=repr))


GENERATORS = (
    "select id, t from nested lateral view explode(tags) e as t",
    "select id, t, point from nested lateral view outer explode(tags) e as t",
    "select id, p, t from nested lateral view posexplode(tags) e as p, t where p > 0",
    "select id, p, t from nested lateral view outer posexplode(tags) e as p, t",
    "select id, k, v from nested lateral view explode(sizes) e as k, v",
    "select id, p, k, v from nested lateral view outer posexplode(sizes) e as p, k, v",
    "select id, xs, m from nested lateral view inline(deep) e as xs, m",
    "select id, xs, m from nested lateral view outer inline(deep) e as xs, m",
    "select n, t, count(*) from nested lateral view explode(tags) e as t group by n, t",
    "select id, x, y from nested lateral view explode(deep.xs) e as x lateral view explode(x) f as y",
    "select explode(array(point, point)) m, id from nested",
    "select id, inline(array(struct(id, n), struct(id + 1 as id, n))) from nested where id < 100",
    "select e, count(*) from (select explode(split(tags[0], ' ')) e from nested) group by e",
    "select id, t from nested lateral view explode(array(1, 2, 3)) e as t where id < 9",
    "select a.id, t from nested a join (select id, explode(tags) t from nested) b on a.id = b.id where t like '%1'",
    "select id, t from nested lateral view explode(filter(tags, x -> x is not null)) e as t order by id, t limit 40",
    "select count(*) from nested lateral view explode(numbers) e as t where t is null",
)


@pytest.mark.parametrize("batch_rows", ["0", "7"])
@pytest.mark.parametrize("query", GENERATORS)
def test_generators(spark: SparkSession, nested: DataFrame, query: str, batch_rows: str) -> None:
    with settings(spark, spark__sql__ansi__enabled="false", spark__accelerant__batch__rows=batch_rows):
        assert assert_equal_rows(spark, lambda: spark.sql(query), ordered="order by" in query)


def test_rows_of_a_generator_stay_in_order(spark: SparkSession, nested: DataFrame) -> None:
    query = "select id, p, t from (select * from nested order by id) lateral view posexplode(tags) e as p, t limit 500"
    assert len(assert_equal_rows(spark, lambda: spark.sql(query), ordered=True)) == 500


def test_a_generator_under_show_takes_few_rows(
    spark: SparkSession, nested: DataFrame, capsys: pytest.CaptureFixture
) -> None:
    spark.sql("select id, explode(tags) t from nested").show(3)
    assert "tag" in capsys.readouterr().out


@pytest.mark.parametrize(
    "query",
    (
        "select explode(array(tags[7])) from nested where id = 12",
        "select id, explode(tags) t from nested where tags[5] = 'x' and id = 12",
    ),
)
def test_failures_below_a_generator(spark: SparkSession, nested: DataFrame, query: str) -> None:
    with settings(spark, spark__sql__ansi__enabled="true"):
        assert_equal_failure(spark, lambda: spark.sql(query))


def test_adaptive_execution(spark: SparkSession, nested: DataFrame) -> None:
    """Adaptive execution keeps a native generator."""
    query = "select t, count(*) c from nested lateral view explode(tags) e as t group by t order by c desc, t limit 9"
    for adaptive in ("true", "false"):
        with settings(spark, spark__sql__adaptive__enabled=adaptive):
            assert assert_equal_rows(spark, lambda: spark.sql(query), ordered=True)
