"""Aggregates over every type, grouped and global, natively and equal to plain Spark."""

import math
from pathlib import Path

import pytest
from oracle import (
    assert_equal_failure,
    assert_equal_rows,
    assert_failure_of_spark,
    assert_native,
    failure,
    plain,
    settings,
)
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark41

EXACT = ["id", "n", "h", "y", "d", "w"]
EVERY_TYPE = ["id", "n", "h", "y", "x", "r", "d", "w", "s", "z", "b", "t", "u"]
GROUPINGS = ["", "n", "b", "s", "n, b", "d", "t, u", "z", "x", "w, y"]


@pytest.mark.parametrize("keys", GROUPINGS)
@pytest.mark.parametrize("batch_rows", ["0", "3"])
def test_counts_and_extremes(spark: SparkSession, numbers: DataFrame, keys: str, batch_rows: str) -> None:
    calls = ", ".join(f"min({c}), max({c}), count({c})" for c in EVERY_TYPE)
    query = f"select {keys + ',' if keys else ''} count(*), {calls} from numbers" + (
        f" group by {keys}" if keys else ""
    )
    with settings(spark, spark__accelerant__batch__rows=batch_rows):
        assert_equal_rows(spark, lambda: spark.sql(query))


@pytest.mark.parametrize("keys", GROUPINGS)
@pytest.mark.parametrize("ansi", ["true", "false"])
def test_exact_sums(spark: SparkSession, numbers: DataFrame, keys: str, ansi: str) -> None:
    calls = ", ".join(f"sum({c}), avg({c})" for c in EXACT if c != "w") + ", sum(w)"
    query = f"select {keys + ',' if keys else ''} {calls} from numbers" + (f" group by {keys}" if keys else "")
    with settings(spark, spark__sql__ansi__enabled=ansi):
        assert_equal_rows(spark, lambda: spark.sql(query))


@pytest.mark.parametrize("keys", ["", "n"])
def test_floating_sums_within_their_bound_and_the_same_each_time(
    spark: SparkSession, numbers: DataFrame, keys: str
) -> None:
    query = f"select {keys + ',' if keys else ''} sum(x), avg(x), sum(r), avg(r) from numbers"
    query += f" group by {keys}" if keys else ""
    found = []
    for threads, batch_rows in [("1", "0"), ("2", "0"), ("2", "3")]:
        with settings(spark, spark__accelerant__threads=threads, spark__accelerant__batch__rows=batch_rows):
            df = spark.sql(query)
            assert_native(df)
            found.append(sorted(df.collect(), key=repr))
    assert found[0] == found[1] == found[2]
    with plain(spark):
        expected = sorted(spark.sql(query).collect(), key=repr)
    assert len(expected) == len(found[0])
    for mine, theirs in zip(found[0], expected, strict=True):
        assert all(a == b or math.isclose(a, b, rel_tol=1e-12) for a, b in zip(mine, theirs, strict=True))


def test_no_rows(spark: SparkSession, numbers: DataFrame) -> None:
    rows = assert_equal_rows(spark, lambda: spark.sql("select count(*), sum(d), min(s) from numbers where id < 0"))
    assert tuple(rows[0]) == (0, None, None)
    assert not assert_equal_rows(spark, lambda: spark.sql("select n, count(*) from numbers where id < 0 group by n"))


def test_filter_clause_and_expressions_over_results(spark: SparkSession, numbers: DataFrame) -> None:
    query = """select n + 1, sum(d) filter (where b) + 1, count(*) filter (where id > 100) * 2, sum(d * 2)
               from numbers group by n having count(*) > 3"""
    assert_equal_rows(spark, lambda: spark.sql(query))


def test_sums_that_overflow(spark: SparkSession, numbers: DataFrame) -> None:
    longs = "select sum(id * 1000000000000000) from numbers"
    decimals = "select sum(cast(w as decimal(38, 4)) * 1000000000000000000) from numbers"
    assert_equal_failure(spark, lambda: spark.sql(longs))
    assert_failure_of_spark(spark, lambda: spark.sql(decimals), "arithmetic overflow")
    with settings(spark, spark__sql__ansi__enabled="false"):
        assert_equal_rows(spark, lambda: spark.sql(longs))
        assert_equal_rows(spark, lambda: spark.sql(decimals))


@pytest.fixture(scope="module", params=[1, 2], ids=["in a partition", "of partitions"])
def large(spark: SparkSession, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Table `large`: twelve decimals whose sum leaves its type, in so many files."""
    folder = str(tmp_path_factory.mktemp("large") / "table")
    query = "select cast('10000000000000000000' as decimal(38, 18)) d, id % 2 k from range(12)"
    with plain(spark):
        spark.sql(query).repartition(request.param).write.parquet(folder)
    spark.read.parquet(folder).createOrReplaceTempView("large")
    return folder


AVERAGES = {
    "": "select avg(d) from large",
    "groups": "select k, avg(d) from large group by k",
    "sum": "select sum(d) from large",
    "join": "select avg(a.d) from large a join large b on a.k = b.k",
}


@pytest.mark.parametrize("name", AVERAGES)
@pytest.mark.parametrize("whole_stage", ["true", "false"])
def test_averages_that_overflow(spark: SparkSession, large: str, whole_stage: str, name: str) -> None:
    """Spark names the sum, or the value that leaves the type, by where it does."""
    split = {"spark__sql__files__minPartitionNum": "2", "spark__sql__files__openCostInBytes": "0"}
    with settings(spark, spark__sql__codegen__wholeStage=whole_stage, **split):
        failed = assert_failure_of_spark(spark, lambda: spark.sql(AVERAGES[name]), "arithmetic overflow")
        assert failed.condition in ("ARITHMETIC_OVERFLOW", "NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION")
        with settings(spark, spark__sql__ansi__enabled="false"):
            assert_equal_rows(spark, lambda: spark.sql(AVERAGES[name]))


def test_averages_that_overflow_in_a_write(spark: SparkSession, large: str, tmp_path: Path) -> None:
    """Spark's exception all the same, though Spark does not run it."""
    failed = failure(lambda: spark.sql(AVERAGES["groups"]).write.parquet(str(tmp_path / "written")))
    assert failed.condition == "ARITHMETIC_OVERFLOW"
    assert "Overflow in sum of decimals. Use 'try_avg'" in failed.message


def test_distinct_rows(spark: SparkSession, numbers: DataFrame) -> None:
    assert_equal_rows(spark, lambda: spark.sql("select distinct n, b from numbers"))


# What divides by zero where n is null.
FAILS_WITHOUT_N = "h div ((id + 1) % 7)"
AFTER_N = [
    f"select count(n, {FAILS_WITHOUT_N}) from numbers",
    f"select count(s, n, {FAILS_WITHOUT_N}, h) from numbers",
    f"select b, count(n, {FAILS_WITHOUT_N}) filter (where x > 3) from numbers group by b",
    f"select count(cast(null as int), {FAILS_WITHOUT_N}) from numbers",
]


@pytest.mark.parametrize("query", AFTER_N)
def test_counts_compute_no_argument_behind_a_null(spark: SparkSession, numbers: DataFrame, query: str) -> None:
    with settings(spark, spark__sql__ansi__enabled="true"):
        assert_equal_rows(spark, lambda: spark.sql(query))


def test_counts_compute_an_argument_before_a_null(spark: SparkSession, numbers: DataFrame) -> None:
    with settings(spark, spark__sql__ansi__enabled="true"):
        assert_equal_failure(spark, lambda: spark.sql(f"select count({FAILS_WITHOUT_N}, n) from numbers"))
