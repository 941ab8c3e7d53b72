"""PIVOT in all its ways: by the values that are asked for or all that there are, of one aggregate and several."""

from collections.abc import Callable

import pytest
from oracle import assert_equal_rows, explained, normalised, plain, settings
from pyspark.sql import DataFrame, GroupedData, SparkSession
from pyspark.sql import functions as F

pytestmark = pytest.mark.spark41

QUERIES = (
    "select * from (select n, h, d from numbers) pivot (sum(d) for h in (1, 7, 42))",
    "select * from (select n, h, d, x from numbers) pivot (sum(d) s, count(x) c, max(x) m for h in (1, 7, 42, null))",
    "select * from (select b, n, s from numbers) pivot (max(s) for n in (0, 1, 2))",
    "select * from (select y, t, x from numbers where id < 99) "
    "pivot (max(x) a for t in (date'1500-01-09', date'1500-02-01'))",
    "select * from (select y, n, h, x from numbers) pivot (max(x) for (n, h) in ((1, 1), (2, 2)))",
    "select * from (select b, d from numbers) pivot (count(*) for d in (1.125, 2.000))",
    "select * from (select b, n from numbers) pivot (bool_or(b) for n in (1, 2))",
)
# By floats and bytes, which versions of Spark find in different ways.
OF_SPARK = (
    "select * from (select n, x from numbers where id < 0) pivot (sum(n) for x in (1.5D, 2D))",
    "select * from (select n, z from numbers) pivot (sum(n) for z in (X'35', X'3132'))",
)


@pytest.mark.parametrize("batch_rows", ["0", "3"])
@pytest.mark.parametrize("query", QUERIES)
def test_queries(spark: SparkSession, numbers: DataFrame, query: str, batch_rows: str) -> None:
    with settings(spark, spark__accelerant__batch__rows=batch_rows):
        assert assert_equal_rows(spark, lambda: spark.sql(query))


@pytest.mark.parametrize("query", OF_SPARK)
def test_queries_with_islands(spark: SparkSession, numbers: DataFrame, query: str) -> None:
    df = spark.sql(query)
    rows = df.collect()
    assert "a pivot by a column of type" in explained(df)
    with plain(spark):
        assert normalised(rows) == normalised(spark.sql(query).collect())


FRAMES: tuple[Callable[[GroupedData], DataFrame], ...] = (
    lambda grouped: grouped.pivot("h", [3, 5, 99]).count(),
    lambda grouped: grouped.pivot("y").agg(F.sum("d"), F.max("id").alias("m")),
    lambda grouped: grouped.pivot("b").agg(F.count(F.lit(1)).alias("c"), F.first("id", True).isNotNull().alias("f")),
    lambda grouped: grouped.pivot("s", ["row 7 é", "none"]).sum("n"),
    lambda grouped: grouped.pivot("h", [1, 2]).avg("id"),
)


@pytest.mark.parametrize("keys", [[], ["n"], ["n", "t"]])
@pytest.mark.parametrize("number", range(len(FRAMES)))
def test_frames(spark: SparkSession, numbers: DataFrame, number: int, keys: list[str]) -> None:
    """Without values Spark asks for them first; null is one."""

    def query() -> DataFrame:
        return FRAMES[number](spark.table("numbers").where("id < 2000").groupBy(*keys))

    assert assert_equal_rows(spark, query)


@pytest.mark.parametrize("adaptive", ["true", "false"])
def test_above_and_below_a_pivot(spark: SparkSession, numbers: DataFrame, adaptive: str) -> None:
    query = """select a.n, `1` + `2` as total, c from (select * from (select n, h, id from numbers)
               pivot (sum(id) for h in (1, 2))) a join (select n, count(*) c from numbers group by n) b on a.n = b.n
               order by a.n"""
    with settings(spark, spark__sql__adaptive__enabled=adaptive):
        assert assert_equal_rows(spark, lambda: spark.sql(query), ordered=True)


def test_values_asked_for_twice(spark: SparkSession, numbers: DataFrame) -> None:
    query = "select * from (select n, h, id from numbers) pivot (count(id) for h in (1 as a, 2 as b, 1 as c))"
    df = spark.sql(query)
    assert "a pivot with the same value twice" in explained(df)
