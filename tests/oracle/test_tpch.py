"""TPC-H, native and equal to plain Spark in every configuration, at scale ACCELERANT_TPCH_SCALE."""

import os
from functools import cache

import pytest
from oracle import assert_native, assert_spark, plain, scans, settings
from pyspark.sql import Row, SparkSession

from accelerant import tpch

pytestmark = pytest.mark.spark41

SCALE = float(os.environ.get("ACCELERANT_TPCH_SCALE", "0.1"))

# Batches of 3 rows, or interruptions, make a run many times longer: one query of each shape.
IN_SMALL_BATCHES = ["q1", "q4", "q6", "q11", "q13", "q16", "q22"]
INTERRUPTED_QUERIES = tpch.NAMES if os.environ.get("ACCELERANT_TPCH_INTERRUPTED") == "all" else IN_SMALL_BATCHES

ONE_THREAD = {"spark__accelerant__threads": "1"}
FOUR_THREADS = {"spark__accelerant__threads": "4"}
SMALL_BATCHES = {"spark__accelerant__batch__rows": "3"}
INTERRUPTED = {"spark__accelerant__interruptions": "5"}


@pytest.fixture(scope="module", autouse=True)
def tables(spark: SparkSession) -> None:
    for table, path in tpch.generate(SCALE).items():
        spark.read.parquet(str(path)).createOrReplaceTempView(table)


@cache
def expected_rows(spark: SparkSession, name: str, ansi: str) -> list[Row]:
    """Returns plain Spark's answer, with the settings of the session."""
    with plain(spark):
        df = spark.sql(tpch.query(name, SCALE))
        assert_spark(df)
        return df.collect()


def assert_equal(spark: SparkSession, name: str, ansi: str, **changes: str) -> None:
    """Fails unless a query runs natively and equals plain Spark's."""
    with settings(spark, spark__sql__ansi__enabled=ansi, **changes):
        df = spark.sql(tpch.query(name, SCALE))
        assert_native(df)
        found = df.collect()
        assert_native(df)
        assert found == expected_rows(spark, name, ansi)
        assert found


@pytest.mark.parametrize("ansi", ["true", "false"])
@pytest.mark.parametrize("name", tpch.NAMES)
def test_equal(spark: SparkSession, name: str, ansi: str) -> None:
    assert_equal(spark, name, ansi)


@pytest.mark.parametrize("ansi", ["true", "false"])
@pytest.mark.parametrize("name", tpch.NAMES)
def test_equal_on_one_thread(spark: SparkSession, name: str, ansi: str) -> None:
    assert_equal(spark, name, ansi, **ONE_THREAD)


@pytest.mark.parametrize("threads", [{}, ONE_THREAD], ids=["2", "1"])
@pytest.mark.parametrize("name", IN_SMALL_BATCHES)
def test_equal_in_small_batches(spark: SparkSession, name: str, threads: dict[str, str]) -> None:
    assert_equal(spark, name, "true", **SMALL_BATCHES, **threads)


def bytes_read(spark: SparkSession, **changes: str) -> int:
    """Returns how many bytes of files a query reads."""
    with settings(spark, **changes):
        df = spark.sql(tpch.query("q6", SCALE))
        df.collect()
        return sum(scan.metrics().apply("bytesRead").value() for scan in scans(df._jdf.queryExecution().executedPlan()))


def test_interruptions_interrupt(spark: SparkSession) -> None:
    """A scan that has to wait reads its row group again."""
    once = bytes_read(spark)
    assert once > 0
    assert bytes_read(spark, **INTERRUPTED) > 2 * once


@pytest.mark.parametrize("threads", [FOUR_THREADS, ONE_THREAD], ids=["4", "1"])
@pytest.mark.parametrize("name", INTERRUPTED_QUERIES)
def test_equal_interrupted(spark: SparkSession, name: str, threads: dict[str, str]) -> None:
    assert_equal(spark, name, "true", **INTERRUPTED, **threads)
