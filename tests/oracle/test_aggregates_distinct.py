"""DISTINCT aggregates in all the ways Spark plans them, natively and equal to plain Spark."""

import pytest
from oracle import assert_equal_failure, assert_equal_rows, settings
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

pytestmark = pytest.mark.spark41

TYPES = ["id", "n", "h", "y", "x", "r", "d", "w", "s", "z", "b", "t", "u"]
KEYS = ["", "n", "b, n", "s", "x"]


def select(calls: str, keys: str, where: str = "true") -> str:
    """Returns a query of aggregates by keys."""
    return f"select {keys + ',' if keys else ''} {calls} from numbers where {where}" + (
        f" group by {keys}" if keys else ""
    )


@pytest.mark.parametrize("keys", KEYS)
@pytest.mark.parametrize("column", TYPES)
def test_one_distinct_argument(spark: SparkSession, numbers: DataFrame, keys: str, column: str) -> None:
    assert_equal_rows(spark, lambda: spark.sql(select(f"count(distinct {column})", keys)))


@pytest.mark.parametrize("keys", KEYS)
@pytest.mark.parametrize("batch_rows", ["0", "3"])
def test_distinct_beside_other_functions(spark: SparkSession, numbers: DataFrame, keys: str, batch_rows: str) -> None:
    others = "count(*), sum(d), min(s), max(x), avg(id), count(n)"
    calls = [
        f"count(distinct h), sum(distinct h), {others}",
        f"count(distinct n, h, s), {others}",
        f"avg(distinct d), sum(distinct d), max(distinct d), {others}",
        f"count(distinct x), {others}",
        "count(distinct s), sum(d) filter (where b), count(*) filter (where h > 50)",
    ]
    with settings(spark, spark__accelerant__batch__rows=batch_rows):
        for call in calls:
            assert_equal_rows(spark, lambda call=call: spark.sql(select(call, keys, "id < 700")))


@pytest.mark.parametrize("ansi", ["true", "false"])
def test_distinct_arguments_that_are_computed(spark: SparkSession, numbers: DataFrame, ansi: str) -> None:
    with settings(spark, spark__sql__ansi__enabled=ansi):
        assert_equal_rows(spark, lambda: spark.sql(select("count(distinct h + n), sum(distinct h + n), sum(d)", "n")))
        assert_equal_rows(spark, lambda: spark.sql(select("count(distinct n), max(id)", "n")))
        assert_equal_rows(spark, lambda: spark.sql(select("sum(distinct cast(h as bigint) * 2) + 1, count(*)", "b")))


def test_a_distinct_sum_that_overflows(spark: SparkSession, numbers: DataFrame) -> None:
    query = "select sum(distinct id * 1000000000000000), count(*) from numbers"
    assert_equal_failure(spark, lambda: spark.sql(query))
    with settings(spark, spark__sql__ansi__enabled="false"):
        assert_equal_rows(spark, lambda: spark.sql(query))


def test_errors_of_distinct_arguments_come_before_those_of_others(spark: SparkSession, numbers: DataFrame) -> None:
    for calls in [
        "count(1 / (id - id)), count(distinct 1 % (id - id))",
        "count(distinct 1 % (id - id)), sum(1 div (n - n))",
    ]:
        failure = assert_equal_failure(spark, lambda calls=calls: spark.sql(f"select {calls} from numbers"))
        assert failure.condition == "REMAINDER_BY_ZERO"


def test_no_rows(spark: SparkSession, numbers: DataFrame) -> None:
    for calls in ["count(distinct n)", "count(distinct n), sum(d), count(*)", "sum(distinct d), min(s)"]:
        assert_equal_rows(spark, lambda calls=calls: spark.sql(select(calls, "", "id < 0")))
        assert_equal_rows(spark, lambda calls=calls: spark.sql(select(calls, "b", "id < 0")))


def test_distinct_rows(spark: SparkSession, numbers: DataFrame) -> None:
    assert_equal_rows(spark, lambda: numbers.select("n", "b", "x").distinct())
    assert_equal_rows(spark, lambda: spark.sql("select distinct n + 1, s from numbers where id < 300"))
    assert_equal_rows(spark, lambda: spark.sql("select n from numbers group by n, b having count(distinct h) > 3"))
    assert_equal_rows(spark, lambda: spark.sql("select distinct count(distinct h) from numbers group by n"))
    with settings(
        spark, spark__sql__files__minPartitionNum="1", spark__sql__files__openCostInBytes="0"
    ):  # which duplicate stays depends on the order of rows
        assert_equal_rows(spark, lambda: numbers.dropDuplicates(["n", "b"]).select("n", "b", "id", F.col("d") * 2))
