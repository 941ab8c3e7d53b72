"""What the engine holds goes back when nobody needs it: abandoned iterators, failed and oversized queries."""

import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from engine_process import collect_garbage, eventually, held_bytes, open_queries
from oracle import assert_equal_rows, assert_native, explained, failure, plain, settings
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import LongType

from accelerant import tpch

WIDE = "select * from lineitem where l_quantity > 1"
GROUPS = "select l_orderkey, sum(l_quantity) as total, max(l_comment) as words from lineitem group by l_orderkey"


VARYING: dict[str, Callable[[SparkSession], DataFrame]] = {
    "RDD": lambda spark: spark.createDataFrame(spark.sparkContext.range(20_000, numSlices=4), LongType()),
    "islands": lambda spark: spark.sql(GROUPS).select("words").mapInPandas(lambda frames: frames, "words string"),
}


@pytest.fixture(scope="module", autouse=True)
def lineitem(spark: SparkSession) -> None:
    spark.read.parquet(str(tpch.generate(0.1)["lineitem"])).createOrReplaceTempView("lineitem")


@pytest.fixture
def nothing_open(spark: SparkSession) -> None:
    """Waits until earlier tests have left nothing."""
    collect_garbage(spark)
    assert eventually(lambda: held_bytes(spark) == 0), f"{held_bytes(spark)} bytes held"


def assert_freed(spark: SparkSession) -> None:
    """Fails unless the engine gives back every byte soon."""
    assert eventually(lambda: held_bytes(spark) == 0), f"{held_bytes(spark)} bytes held"


@contextmanager
def watched(spark: SparkSession) -> Iterator[list[int]]:
    """Samples what the engine holds meanwhile, and fails when that was nothing."""
    samples: list[int] = []
    done = threading.Event()

    def sample() -> None:
        while not done.wait(0.005):
            samples.append(held_bytes(spark))

    thread = threading.Thread(target=sample)
    thread.start()
    try:
        yield samples
    finally:
        done.set()
        thread.join()
    assert max(samples) > 0


@pytest.mark.parametrize("sql", [WIDE, GROUPS])
def test_abandoned_local_iterator(spark: SparkSession, nothing_open: None, sql: str, record_property) -> None:
    df = spark.sql(sql)
    assert_native(df)
    with watched(spark) as held:
        iterator = df.toLocalIterator()
        taken = [next(iterator) for _ in range(1000)]
    assert len(taken) == 1000
    del iterator, df
    assert_freed(spark)
    record_property("figure", f"at most {max(held)} bytes held, 0 after")


def test_slow_local_iterator_goes_on(spark: SparkSession, nothing_open: None) -> None:
    with watched(spark):
        iterator = spark.sql(GROUPS).toLocalIterator()
        first = next(iterator)
    assert_freed(spark)
    assert len({first.l_orderkey, *(row.l_orderkey for row in iterator)}) == spark.sql(GROUPS).count()
    assert_freed(spark)


@pytest.mark.parametrize("source", VARYING)
def test_abandoned_iterator_of_rows_that_vary(spark: SparkSession, nothing_open: None, source: str) -> None:
    before = open_queries(spark)
    rows = VARYING[source](spark)
    iterator = rows.groupBy(*rows.columns).count().toLocalIterator()
    next(iterator)
    time.sleep(6)
    assert held_bytes(spark) > 0  # as what is read again may be other rows
    del rows, iterator

    def closed() -> bool:
        collect_garbage(spark)
        return not open_queries(spark) - before

    assert eventually(closed), f"queries {open_queries(spark) - before} are open"
    assert_freed(spark)


def test_query_is_closed_when_nobody_can_run_it_again(spark: SparkSession, nothing_open: None) -> None:
    before = open_queries(spark)
    rdd = spark.sql(GROUPS).rdd
    count = rdd.count()
    assert_freed(spark)
    assert rdd.count() == count
    opened = open_queries(spark) - before
    assert len(opened) == 1
    del rdd

    def closed() -> bool:
        collect_garbage(spark)
        return not opened & open_queries(spark)

    assert eventually(closed), f"query {opened} is open"


def test_consumer_that_stops_early(spark: SparkSession, nothing_open: None) -> None:
    assert len(spark.sql(WIDE).rdd.take(3)) == 3
    assert len(spark.sql(WIDE).limit(3).collect()) == 3
    assert_freed(spark)


def test_failed_query(spark: SparkSession, nothing_open: None) -> None:
    df = spark.sql("select sum(l_extendedprice / (l_orderkey - 69985)) from lineitem where l_comment is not null")
    assert_native(df)
    assert failure(df.collect).condition == "DIVIDE_BY_ZERO"
    del df
    assert_freed(spark)


OVERSIZED = {
    "Scan": ("2m", WIDE),
    "Aggregate": ("14m", GROUPS),
}


@pytest.mark.parametrize("operator", OVERSIZED)
def test_over_budget(spark: SparkSession, nothing_open: None, operator: str, record_property) -> None:
    """What no budget has room for lies on disk."""
    limit, sql = OVERSIZED[operator]
    with settings(spark, spark__accelerant__memory__limit=limit):
        df = spark.sql(sql)
        rows = df.collect()
        assert_native(df)
    with plain(spark):
        assert len(rows) == spark.sql(sql).count()
    record_property("figure", re.search(r"\d+ bytes spilled", explained(df)).group())
    del df
    assert_freed(spark)
    assert_equal_rows(spark, lambda: spark.sql(tpch.query("q1")))
