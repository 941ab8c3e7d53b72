"""A native query that feeds other operators of Spark: how many partitions it has, and that both cores work on it."""

import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from engine_process import shares, worker_seconds
from oracle import assert_equal_rows, assert_native, normalised, plain, settings
from pyspark.sql import DataFrame, Row, SparkSession

from accelerant import tpch

pytestmark = pytest.mark.spark41

CORES = 2

# The one is fed by files that can be read independently, the other by one aggregation that all partitions share.
INDEPENDENT = "select l_orderkey, l_quantity * 2 as twice, l_comment from lineitem where l_quantity > 5"
SHARED = "select l_orderkey, sum(l_quantity) as total, count(*) as lines from lineitem group by l_orderkey"
QUERIES = {"independent": INDEPENDENT, "shared": SHARED}


@pytest.fixture(scope="module", autouse=True)
def lineitem(spark: SparkSession) -> None:
    spark.read.parquet(str(tpch.generate(0.1)["lineitem"])).createOrReplaceTempView("lineitem")


@pytest.fixture
def both_cores(spark: SparkSession, record_property) -> Iterator[None]:
    """Fails unless both workers of the engine had a fair part in what the test ran."""
    before = worker_seconds(spark)
    assert len(before) == CORES
    yield
    parts = shares(before, worker_seconds(spark))
    assert len(parts) == CORES
    assert min(parts) > 0.1, f"the engine's threads did {parts} of the work"
    record_property("figure", f"{CORES} partitions, threads did " + " and ".join(f"{part:.0%}" for part in parts))


def native(spark: SparkSession, name: str) -> DataFrame:
    df = spark.sql(QUERIES[name])
    assert_native(df)
    return df


def summary(df: DataFrame) -> Row:
    """Returns what tells apart results of the same columns, independent of their order."""
    total = "sum(cast(xxhash64(*) as decimal(38, 0)))"
    return df.selectExpr("count(*) as n", f"{total} as hash").collect()[0]


def expected(spark: SparkSession, name: str) -> Row:
    with plain(spark):
        return summary(spark.sql(QUERIES[name]))


@pytest.mark.parametrize("name", QUERIES)
def test_write(spark: SparkSession, tmp_path: Path, name: str, both_cores: None) -> None:
    target = tmp_path / "out"
    native(spark, name).write.parquet(str(target))
    files = list(target.glob("*.parquet"))
    with plain(spark):
        assert summary(spark.read.parquet(str(target))) == expected(spark, name)
        rows = [spark.read.parquet(str(path)).count() for path in files]
    assert len(files) == CORES
    assert min(rows) > max(rows) / 4


@pytest.mark.parametrize("name", QUERIES)
def test_rdd(spark: SparkSession, name: str, both_cores: None) -> None:
    def count(rows: Iterator[Row]) -> Iterator[tuple[float, int, float]]:
        start = time.time()
        yield start, sum(1 for _ in rows), time.time()

    rdd = native(spark, name).rdd
    assert rdd.getNumPartitions() == CORES
    (start1, rows1, end1), (start2, rows2, end2) = rdd.mapPartitions(count).collect()
    assert rows1 + rows2 == expected(spark, name).n
    assert min(rows1, rows2) > max(rows1, rows2) / 4
    assert max(start1, start2) < min(end1, end2), "the partitions ran one after the other"


@pytest.mark.parametrize("name", QUERIES)
def test_map_in_pandas(spark: SparkSession, name: str, both_cores: None) -> None:
    def lengths(frames):
        import pandas as pd

        yield pd.DataFrame({"rows": [sum(len(frame) for frame in frames)]})

    rows = native(spark, name).mapInPandas(lengths, "rows long").collect()
    assert len(rows) == CORES
    assert sum(row.rows for row in rows) == expected(spark, name).n
    assert min(rows).rows > max(rows).rows / 4


@pytest.mark.parametrize("name", QUERIES)
def test_cache(spark: SparkSession, name: str, both_cores: None) -> None:
    df = native(spark, name).cache()
    try:
        assert "Native" in df._jdf.queryExecution().executedPlan().toString()
        assert df.count() == expected(spark, name).n
        assert df.rdd.getNumPartitions() == CORES
        assert summary(df) == expected(spark, name)
    finally:
        df.unpersist()


@pytest.mark.parametrize("name", QUERIES)
def test_second_action_runs_again(spark: SparkSession, name: str) -> None:
    df = native(spark, name)
    rdd = df.rdd
    before = sum(worker_seconds(spark).values())
    assert rdd.count() == expected(spark, name).n
    between = sum(worker_seconds(spark).values())
    assert rdd.count() == expected(spark, name).n
    after = sum(worker_seconds(spark).values())
    assert between > before
    assert after > between, "the second action computed nothing"
    assert summary(df) == summary(df) == expected(spark, name)


def test_one_partition_where_there_is_one_row(spark: SparkSession, tmp_path: Path) -> None:
    rows = assert_equal_rows(spark, lambda: spark.sql(tpch.query("q6")))
    df = spark.sql(tpch.query("q6"))
    df.write.parquet(str(tmp_path / "out"))
    assert len(list((tmp_path / "out").glob("*.parquet"))) == 1
    with plain(spark):
        assert normalised(spark.read.parquet(str(tmp_path / "out")).collect()) == normalised(rows)


@pytest.mark.parametrize("adaptive", ["true", "false"])
def test_one_partition_where_spark_promises_one(spark: SparkSession, tmp_path: Path, adaptive: str) -> None:
    """A range of one slice and a limit make one file."""
    with settings(spark, spark__sql__adaptive__enabled=adaptive):
        for name, df in {
            "range": spark.range(0, 100_000, 1, 1).selectExpr("id", "id % 7 as k").where("k > 1"),
            "limit": spark.range(100_000).selectExpr("id", "id % 7 as k").limit(50_000),
        }.items():
            assert_native(df)
            assert df.rdd.getNumPartitions() == 1
            df.write.parquet(str(tmp_path / name))
            assert len(list((tmp_path / name).glob("*.parquet"))) == 1
            assert spark.read.parquet(str(tmp_path / name)).count() == df.count()


def test_parts_of_ties_make_up_the_result(spark: SparkSession) -> None:
    """Each part may come of a run of its own, in which rows of equal keys have another order."""
    df = spark.sql("select l_partkey, count(*) as n from lineitem group by l_partkey order by n")
    assert_native(df)
    with settings(spark, spark__accelerant__batch__rows="1000"):
        rdd = df.rdd
        parts = [rdd.context.runJob(rdd, list, [part]) for part in range(rdd.getNumPartitions())]
    counts = [{row.n for row in part} for part in parts if part]
    assert all(max(a) < min(b) for a, b in pairwise(counts))
    assert sum(map(len, parts)) == len({row.l_partkey for part in parts for row in part}) == df.count()


def test_one_partition_of_rows_chosen_among_groups(spark: SparkSession) -> None:
    chosen = "select l_partkey as k, count(*) as n from lineitem group by l_partkey limit 50"
    df = spark.sql(f"select l_orderkey, n from lineitem join ({chosen}) on l_partkey = k")
    assert_native(df)
    assert df.rdd.getNumPartitions() == 1
