"""Comparisons of arrays and structs, computed natively: no call of theirs is bridged."""

import pytest
from oracle import assert_equal_rows, assert_unbridged, explained, settings
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark41

COMPARISONS = ("=", "<=>", "<", "<=", ">", ">=")
PAIRS = (
    ("tags", "array('tag 8 of 1', null)"),
    ("numbers", "array(0L, id, n)"),
    ("numbers", "if(n = 2, null, if(n = 3, numbers, slice(numbers, 1, 1)))"),
    ("prices", "array(cast(7.5 as decimal(12,3)), null)"),
    ("wide", "reverse(wide)"),
    ("point", "named_struct('x', id / 7, 'label', concat('one label ', n), 'n', cast(n as short))"),
    ("struct(tags, point, flags)", "struct(tags, if(n = 1, null, point) point, array(n > 2, null, false) flags)"),
    ("deep.xs", "array(array(id, n), null)"),
    ("array(days)", "array(array(date'1500-02-01', null))"),
)


@pytest.mark.parametrize("batch_rows", ["0", "7"])
@pytest.mark.parametrize("pair", PAIRS)
def test_comparisons(spark: SparkSession, nested: DataFrame, pair: tuple[str, str], batch_rows: str) -> None:
    left, right = pair
    compared = ", ".join(f"{left} {sign} {right}" for sign in COMPARISONS)
    query = f"select id, {compared}, not ({right} = {left}) from nested"
    with settings(spark, spark__accelerant__batch__rows=batch_rows):
        assert_unbridged(spark.sql(query))
        assert assert_equal_rows(spark, lambda: spark.sql(query))


QUERIES = (
    "select id, greatest(numbers, array(id, 1L)), least(numbers, array(id, 1L), array(0L)) from nested",
    "select id, greatest(point, named_struct('x', 5D, 'label', 'a', 'n', 1S)) from nested",
    "select id, least(tags, array('tag 2'), array()), greatest(tags, tags, array('a')) from nested",
    "select id, nullif(numbers, array(id * 0)), numbers between array(0L) and array(id) from nested",
    "select id, tags in (array('x'), array('tag 7 of 1', 'tag 7 of 2', 'tag 7 of 3')) from nested",
    "select id, numbers in (array(0L), array(0L, null), null), numbers not in (array(0L), array(id)) from nested",
    "select id, struct(n, id % 3) in (struct(1, 2L), struct(3, 0L), struct(cast(null as int), 1L)) from nested",
    "select id from nested where (n, id % 3) in ((1, 2L), (3, 0L)) or (n, id) not in ((0, 5L), (2, 7L))",
    "select id, case tags when array('tag 9 of 1') then 'a' when array() then 'b' else 'c' end from nested",
    "select id from nested where tags = array('tag 9 of 1') or point < named_struct('x', 3D, 'label', 'one', 'n', 1S)",
    "select id, array_sort(deep.xs), array_sort(array(tags, array('x'), null)) from nested",
    "select id, array_sort(array(struct(id, tags), struct(n + 0L as id, tags), null)) from nested",
    "select id, filter(deep.xs, x -> x >= array(id)), exists(deep, d -> d.xs = array(id, null)) from nested",
    "select n, max(id) filter (where numbers <= array(0L, 5L)) from nested group by n",
    "select a.id, b.id from nested a join nested b on a.n = b.id and a.numbers < b.numbers where b.id < 5",
)


@pytest.mark.parametrize("query", QUERIES)
def test_uses_of_comparisons(spark: SparkSession, nested: DataFrame, query: str) -> None:
    assert_unbridged(spark.sql(query))
    assert assert_equal_rows(spark, lambda: spark.sql(query))


def test_many_structs_among_constants(spark: SparkSession, nested: DataFrame) -> None:
    """More than ten constants are a set in Spark's plan."""
    for count in (12, 150):
        pairs = ", ".join(f"struct({i % 5}, {i}L)" for i in range(count))
        query = f"select id, struct(n, id) in ({pairs}), struct(n, id) not in ({pairs}) from nested where id < 300"
        assert_unbridged(spark.sql(query))
        assert assert_equal_rows(spark, lambda query=query: spark.sql(query))
    lists = ", ".join(f"array({i}L, null)" for i in range(40))
    query = f"select id, array(id, null) in ({lists}), numbers in ({lists}, array(0L), null) from nested"
    assert_unbridged(spark.sql(query))
    assert assert_equal_rows(spark, lambda: spark.sql(query))


FLOATS = (
    "values (1, 0.0D), (2, -0.0D), (3, double('nan')), (4, -double('nan')), (5, null), (6, 1.5D), (7, double('inf'))"
    " as t(id, x)"
)


@pytest.mark.parametrize(
    "shape", ("array({})", "struct({}, 1)", "array(struct({}), null)", "struct(array({}, 1D), 'a')")
)
def test_floats(spark: SparkSession, shape: str) -> None:
    """NaN is one value, greater than all others, and so is zero."""
    left, right = shape.format("a.x"), shape.format("b.x")
    compared = ", ".join(f"{left} {sign} {right}" for sign in COMPARISONS)
    chosen = f"greatest({left}, {right}), least({left}, {right})"
    query = f"select a.id, b.id, {compared}, {chosen} from {FLOATS.replace('as t', 'as a')} cross join"
    query = f"{query} {FLOATS.replace('as t', 'as b')}"
    assert "bridged" not in explained(spark.sql(query))
    assert len(assert_equal_rows(spark, lambda: spark.sql(query))) == 49
