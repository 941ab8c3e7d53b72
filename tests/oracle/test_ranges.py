"""Ranges, and queries without FROM."""

import pytest
from oracle import assert_equal_rows, assert_native, assert_spark, explained, settings
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark41

MAX = 2**63 - 1
MIN = -(2**63)

RANGES = {
    "up": (0, 1000, 7),
    "down": (1000, -1000, -3),
    "one": (5, 6, 1),
    "equal bounds": (5, 5, 1),
    "the wrong way": (5, 0, 1),
    "the wrong way down": (0, 5, -1),
    "to the last": (MAX - 5, MAX, 2),
    "to the first": (MIN + 5, MIN, -2),
    "wide": (-(2**61), 2**61, 2**60 - 7),
    "wide down": (2**61, -(2**61), -(2**60)),
    "several morsels": (-300_000, 300_000, 1),
}


@pytest.mark.parametrize("slices", [1, 5])
def test_rows_come_in_order(spark: SparkSession, slices: int) -> None:
    for bounds in RANGES.values():
        assert_equal_rows(spark, lambda bounds=bounds: spark.range(*bounds, slices), ordered=True)


@pytest.mark.parametrize("batch_rows", ["0", "3"])
def test_sql(spark: SparkSession, batch_rows: str) -> None:
    with settings(spark, spark__accelerant__batch__rows=batch_rows):
        for query in (
            "select id, id * 2 from range(100) where id % 3 = 1",
            "select * from range(9223372036854775807) limit 20 offset 5",
            "select id from range(3) union all select id from range(5, 1, -1)",
        ):
            assert assert_equal_rows(spark, lambda query=query: spark.sql(query), ordered=True)
        for query in (
            "select count(*) from range(1000)",
            "select sum(id), min(id), max(id) from range(-50, 1000, 3)",
            "select id % 7 k, count(*) from range(1000) group by id % 7",
            "select a.id, b.id from range(9) a full join range(5, 20, 2) b on a.id = b.id",
            "select count(*) from range(300) a cross join range(70) b",
            "select id, (select max(id) from range(5)) from range(2)",
        ):
            assert assert_equal_rows(spark, lambda query=query: spark.sql(query))


def test_ranges_join_tables(spark: SparkSession, numbers: DataFrame) -> None:
    query = "select r.id, n.s from range(0, 10000, 11) r left join numbers n on r.id = n.id"
    assert len(assert_equal_rows(spark, lambda: spark.sql(query))) == 910


def test_partitions_together_are_the_range(spark: SparkSession) -> None:
    df = spark.range(0, 100_000, 3)
    assert_native(df)
    assert df.rdd.getNumPartitions() > 1
    assert df.rdd.collect() == df.collect()


def test_one_row(spark: SparkSession) -> None:
    for query in ("select 1 as one, 'x' as s", "select count(*)", "select max(id) from range(3) where 1 = (select 1)"):
        assert assert_equal_rows(spark, lambda query=query: spark.sql(query))


def test_ranges_that_spark_overflows_on_stay_with_spark(spark: SparkSession) -> None:
    for step in (1, MAX, -1, MIN):
        df = spark.range(MIN, MAX, step) if step > 0 else spark.range(MAX, MIN, step)
        assert_spark(df)
        assert "a range across more than 64 bits hold" in explained(df)
