"""Queries at the same time: one that waits or is cancelled does not hold up another."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from engine_process import eventually, held_bytes, worker_seconds
from oracle import assert_native, plain
from pyspark.sql import Row, SparkSession

from accelerant import tpch

pytestmark = pytest.mark.spark41

WIDE = "select l_orderkey, l_partkey, l_comment, l_shipinstruct from lineitem where l_quantity > 1"


@pytest.fixture(scope="module", autouse=True)
def lineitem(spark: SparkSession) -> None:
    spark.read.parquet(str(tpch.generate(0.1)["lineitem"])).createOrReplaceTempView("lineitem")


def stopped_until(path: str) -> Callable[[Iterator[Row]], Iterator[int]]:
    """Returns a function that takes one row, waits until a file exists, and counts the rest."""

    def consume(rows: Iterator[Row]) -> Iterator[int]:
        next(rows)
        while not Path(path).exists():
            time.sleep(0.01)
        yield 1 + sum(1 for _ in rows)

    return consume


def idle(spark: SparkSession) -> bool:
    """Says whether the engine's threads rest."""
    before = sum(worker_seconds(spark).values())
    time.sleep(0.1)
    return sum(worker_seconds(spark).values()) - before < 0.001


def test_a_stopped_consumer(spark: SparkSession, tmp_path: Path, record_property) -> None:
    go_on = str(tmp_path / "go on")
    df = spark.sql(WIDE)
    assert_native(df)
    # One task, so that Spark keeps the other of its two slots free.
    stopped = df.rdd.coalesce(1).mapPartitions(stopped_until(go_on))
    counts: list[int] = []
    thread = threading.Thread(target=lambda: counts.extend(stopped.collect()))
    thread.start()
    try:
        assert eventually(lambda: held_bytes(spark) > 1 << 20 and idle(spark)), "the first query did not fill up"
        with plain(spark):
            expected = spark.sql(tpch.query("q1")).collect()
        start = time.monotonic()
        other = spark.sql(tpch.query("q1"))
        assert_native(other)
        assert other.collect() == expected
        seconds = time.monotonic() - start
        assert thread.is_alive()
        assert not counts
    finally:
        Path(go_on).touch()
        thread.join()
    with plain(spark):
        assert counts == [spark.sql(WIDE).count()]
    record_property("seconds", f"{seconds:.2f}")
    record_property("figure", f"the other query took {seconds:.2f} s")


@pytest.mark.parametrize("batch_rows", ["0", "3"])
def test_cancelling(spark: SparkSession, batch_rows: str, record_property) -> None:
    context = spark.sparkContext
    outcome: list[object] = []
    spark.conf.set("spark.accelerant.batch.rows", batch_rows)
    # Many times the table: it takes far longer than a second.
    df = (
        spark.read.parquet(*[str(tpch.generate(0.1)["lineitem"])] * 40)
        .where("l_quantity * l_tax + l_discount < 0.05")
        .agg({"l_extendedprice": "sum", "l_comment": "max"})
    )

    def work() -> None:
        context.setJobGroup("to be cancelled", "to be cancelled")
        try:
            outcome.append(df.collect())
        except Exception as error:
            outcome.append(error)
        outcome.append(time.monotonic())

    try:
        assert_native(df)
        thread = threading.Thread(target=work)
        before = sum(worker_seconds(spark).values())
        thread.start()
        assert eventually(lambda: sum(worker_seconds(spark).values()) - before > 0.3)
        cancelled = time.monotonic()
        context.cancelJobGroup("to be cancelled")
        thread.join()
    finally:
        spark.conf.unset("spark.accelerant.batch.rows")
    error, returned = outcome
    assert "cancelled" in str(error).lower()
    assert eventually(lambda: idle(spark) and held_bytes(spark) == 0), f"{held_bytes(spark)} bytes held"
    seconds = returned - cancelled
    record_property("seconds", f"{seconds:.3f}")
    record_property("figure", f"returned {seconds:.2f} s after it was cancelled")
