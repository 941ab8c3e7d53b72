"""Rows come in plain Spark's order: by file partition, file and row, however the work was divided."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest
from oracle import assert_equal_rows, plain, settings
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark41

FILTER_PROJECT = "select id * 2 as twice, s, d + 1 as more, id from numbers where n > 0 and id <> 77"

# One partition for all files, what Spark chooses, and splits smaller than a file: 20 row groups, several partitions.
SPLIT_BYTES = ["1g", "128m", "20k"]


def test_the_table_is_what_the_tests_need(numbers: DataFrame) -> None:
    files = [Path(url.removeprefix("file:")) for url in numbers.inputFiles()]
    assert len(files) == 5
    assert len({path.stat().st_size for path in files}) == 5
    assert sorted(pq.ParquetFile(path).num_row_groups for path in files)[-1] == 20


@pytest.mark.parametrize("split_bytes", SPLIT_BYTES)
@pytest.mark.parametrize("threads", ["1", "2"])
@pytest.mark.parametrize("batch_rows", ["0", "3"])
def test_filter_and_projection(
    spark: SparkSession, numbers: DataFrame, split_bytes: str, threads: str, batch_rows: str, record_property
) -> None:
    changes = {
        "spark__sql__files__maxPartitionBytes": split_bytes,
        "spark__sql__files__openCostInBytes": "1k" if split_bytes == "20k" else "4m",
        "spark__accelerant__threads": threads,
        "spark__accelerant__batch__rows": batch_rows,
    }
    with settings(spark, **changes):
        rows = assert_equal_rows(spark, lambda: spark.sql(FILTER_PROJECT), ordered=True)
        partitions = numbers.select("id").rdd.getNumPartitions()
    assert len(rows) > 3000
    record_property("figure", f"{len(rows)} rows of 5 files in order, {partitions} partitions")


@pytest.mark.parametrize("split_bytes", SPLIT_BYTES)
@pytest.mark.parametrize("limit", [1, 7, 700, 3999, 100000])
def test_limit(spark: SparkSession, numbers: DataFrame, limit: int, split_bytes: str) -> None:
    changes = {
        "spark__sql__files__maxPartitionBytes": split_bytes,
        "spark__sql__files__openCostInBytes": "1k" if split_bytes == "20k" else "4m",
    }
    with settings(spark, **changes):
        rows = assert_equal_rows(spark, lambda: spark.sql(f"{FILTER_PROJECT} limit {limit}"), ordered=True)
    with plain(spark):
        assert len(rows) == min(limit, spark.sql(FILTER_PROJECT).count())


@pytest.mark.parametrize("action", ["take", "head", "tail"])
def test_some_rows(spark: SparkSession, numbers: DataFrame, action: str) -> None:
    df = spark.sql(FILTER_PROJECT)
    rows = assert_equal_rows(spark, lambda: spark.sql(FILTER_PROJECT), ordered=True)
    assert getattr(df, action)(9) == (rows[-9:] if action == "tail" else rows[:9])


@pytest.mark.parametrize("key", ["k", "cast(k as string)", "k, t"])
def test_matches_of_a_hash_join(spark: SparkSession, numbers: DataFrame, key: str) -> None:
    """Of equal keys of a side that is broadcast Spark gives the last row first."""
    few = (
        "(select * from values (1, 1L, 'a'), (2, 2L, 'b'), (1, 1L, 'c'), (3, 3L, 'd'), (1, 1L, 'e') as few(k, t, name))"
    )
    condition = " and ".join(f"few.{part.strip()} = n" for part in key.split(",")).replace("few.cast(k", "cast(few.k")
    query = f"select /*+ broadcast(few) */ id, name from numbers left join {few} few on {condition} limit 60"
    rows = assert_equal_rows(spark, lambda: spark.sql(query), ordered=True)
    assert "c" in {row.name for row in rows}
