"""Grouping sets and several DISTINCT arguments: Spark's Expand, natively and equal to plain Spark."""

import pytest
from oracle import assert_equal_failure, assert_equal_rows, settings
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark41


@pytest.mark.parametrize("batch_rows", ["0", "3"])
@pytest.mark.parametrize(
    ("keys", "grouping"),
    [
        ("n, b", "rollup(n, b)"),
        ("n, b, y", "cube(n, b, y)"),
        ("n, b", "grouping sets ((n), (b), (n, b), ())"),
        ("n", "grouping sets ((n), (n), ())"),
        ("n, b", "n, rollup(b)"),
        ("s", "rollup(s)"),
        ("x, t", "cube(x, t)"),
    ],
)
def test_grouping_sets(spark: SparkSession, numbers: DataFrame, keys: str, grouping: str, batch_rows: str) -> None:
    calls = "count(*), sum(d), min(s), max(x), count(h), first(id) is null"
    query = f"select {keys}, {calls} from numbers where id < 500 group by {grouping}"
    with settings(spark, spark__accelerant__batch__rows=batch_rows):
        assert_equal_rows(spark, lambda: spark.sql(query))


def test_grouping_functions(spark: SparkSession, numbers: DataFrame) -> None:
    query = """select n, b, grouping(n), grouping(b), grouping_id(n, b), sum(d), count(distinct h)
               from numbers group by cube(n, b) having grouping_id(n, b) < 3"""
    assert_equal_rows(spark, lambda: spark.sql(query))
    assert_equal_rows(spark, lambda: numbers.rollup("n", "b").count())
    assert_equal_rows(spark, lambda: numbers.cube("n").agg({"d": "sum", "id": "max"}))


@pytest.mark.parametrize("keys", ["", "n", "s"])
@pytest.mark.parametrize("ansi", ["true", "false"])
@pytest.mark.parametrize("batch_rows", ["0", "3"])
def test_several_distinct_arguments(
    spark: SparkSession, numbers: DataFrame, keys: str, ansi: str, batch_rows: str
) -> None:
    calls = [
        "count(distinct h), count(distinct y)",
        "count(distinct h), sum(distinct d), sum(d), min(s), count(*), avg(id)",
        "count(distinct s, n), count(distinct x), sum(distinct w), max(t), first(n) is null",
        "count(distinct h) filter (where b), sum(d), count(distinct h)",
        "sum(distinct h) filter (where n > 1), count(distinct n) filter (where b), count(*) filter (where b)",
    ]
    with settings(spark, spark__sql__ansi__enabled=ansi, spark__accelerant__batch__rows=batch_rows):
        for call in calls:
            query = f"select {keys + ',' if keys else ''} {call} from numbers where id < 600"
            query += f" group by {keys}" if keys else ""
            assert_equal_rows(spark, lambda query=query: spark.sql(query))


def test_no_rows(spark: SparkSession, numbers: DataFrame) -> None:
    for query in [
        "select n, count(*) from numbers where id < 0 group by rollup(n)",
        "select count(distinct n), count(distinct h), sum(d), count(*) from numbers where id < 0",
        "select b, count(distinct n), count(distinct h) from numbers where id < 0 group by b",
    ]:
        assert_equal_rows(spark, lambda query=query: spark.sql(query))


MAY_FAIL = {
    "DIVIDE_BY_ZERO": "count(distinct h), count(distinct 10 / (id - 777))",
    "CAST_INVALID_INPUT": "count(distinct h), count(distinct cast(s as int))",
    "ARITHMETIC_OVERFLOW": "count(distinct h), sum(distinct id * 2305843009213693952)",
    "CAST_OVERFLOW": "count(distinct n), count(distinct cast(id as byte)), count(distinct 1 / (id - 2000))",
}


@pytest.mark.parametrize("keys", ["", "n"])
@pytest.mark.parametrize("condition", MAY_FAIL)
def test_projections_that_fail(spark: SparkSession, numbers: DataFrame, condition: str, keys: str) -> None:
    """One file, so that plain Spark too finds the first row that fails."""
    query = f"select {MAY_FAIL[condition]} from numbers where id between 50 and 3000" + (keys and f" group by {keys}")
    assert assert_equal_failure(spark, lambda: spark.sql(query)).condition == condition


@pytest.mark.parametrize("grouping", ["rollup(n, b)", "cube(n, b)"])
def test_rows_that_fail_below(spark: SparkSession, numbers: DataFrame, grouping: str) -> None:
    """A filter leaves no row of the batch, and the error of one."""
    query = f"select n, count(*) from numbers where id > 776 and id < 778 and 10 / (id - 777) > 1 group by {grouping}"
    assert assert_equal_failure(spark, lambda: spark.sql(query)).condition == "DIVIDE_BY_ZERO"


def test_projections_that_might_fail(spark: SparkSession, numbers: DataFrame) -> None:
    for query in [
        "select count(distinct h), count(distinct id * 2), count(distinct cast(id as int)) from numbers",
        "select n + 1 m, h - 1 g, count(*), sum(d) from numbers where id < 500 group by cube(n + 1, h - 1)",
        "select n, count(distinct 1 / (id + 1)), sum(distinct h * 2) from numbers group by n",
        """select n, count(distinct h), count(distinct id - (select min(id) from numbers where id > 7))
           from numbers group by n""",
    ]:
        assert_equal_rows(spark, lambda query=query: spark.sql(query))


def test_unpivot(spark: SparkSession, numbers: DataFrame) -> None:
    df = numbers.unpivot("id", ["n", "h", "y"], "name", "value")
    assert_equal_rows(spark, lambda: numbers.unpivot("id", ["n", "h", "y"], "name", "value"), ordered=True)
    assert_equal_rows(spark, lambda: df.where("value > 3 and id % 3 = 0").limit(1000), ordered=True)
    assert_equal_rows(spark, lambda: df.groupBy("name").agg({"value": "sum", "id": "max"}))
    one_partition = {"spark__sql__files__minPartitionNum": "1", "spark__sql__files__openCostInBytes": "0"}
    with settings(spark, **one_partition):
        assert_equal_rows(spark, lambda: df.groupBy("id").agg({"value": "first"}))
