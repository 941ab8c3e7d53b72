"""What Spark counts on above native queries: rows of a group together, and partitions that are sorted."""

import functools
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pandas as pd
import pytest
from oracle import explained, normalised, operators, plain, settings
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

pytestmark = pytest.mark.spark41

KEYS = 7


@pytest.fixture(scope="module", autouse=True)
def tables(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Tables `events` and `others`: few keys, many rows."""
    folder = tmp_path_factory.mktemp("arrangement")
    with plain(spark):
        spark.range(0, 60_000, 1, 3).selectExpr("id", f"id * 7919 % {KEYS} as k").write.parquet(str(folder / "events"))
        spark.range(0, 500, 1, 1).selectExpr("id as o", f"id % {KEYS} as k").write.parquet(str(folder / "others"))
    for name in ("events", "others"):
        spark.read.parquet(str(folder / name)).createOrReplaceTempView(name)


def sizes(df: DataFrame, *keys: str) -> DataFrame:
    """Returns the number of rows of each call of a Python function that wants whole groups."""
    return df.groupBy(*keys).applyInPandas(lambda frame: pd.DataFrame({"n": [len(frame)]}), "n long")


def joined(spark: SparkSession) -> DataFrame:
    return spark.sql("select events.id, events.k from events join others on events.k = others.k where others.o < 40")


WITHOUT_EXCHANGE: dict[str, Callable[[SparkSession], DataFrame]] = {
    "ranges of a sort": lambda spark: sizes(spark.table("events").orderBy("k"), "k"),
    "keys of a join": lambda spark: sizes(joined(spark), "k"),
    "one slice": lambda spark: sizes(spark.range(0, 100_000, 1, 1).where("id % 2 = 0")),
}


@pytest.mark.parametrize("adaptive", ["true", "false"])
@pytest.mark.parametrize("name", WITHOUT_EXCHANGE)
def test_groups_stay_whole_where_spark_needs_no_exchange(spark: SparkSession, name: str, adaptive: str) -> None:
    changes = {
        "spark__sql__adaptive__enabled": adaptive,
        "spark__sql__autoBroadcastJoinThreshold": "-1",
        "spark__accelerant__batch__rows": "1000",
    }
    query = functools.partial(WITHOUT_EXCHANGE[name], spark)
    with settings(spark, **changes):
        found = query()
        assert any(operator.startswith("Native") for operator in operators(found)), explained(found)
        native = sorted(found.collect())
        with plain(spark):
            assert native == sorted(query().collect())


def is_sorted(numbers: list[int]) -> bool:
    return all(a <= b for a, b in pairwise(numbers))


def partitions(df: DataFrame) -> list[list[int]]:
    return [[row.k for row in rows] for rows in df.select("k").rdd.glom().collect()]


@pytest.mark.parametrize("adaptive", ["true", "false"])
def test_partitions_of_a_join_are_sorted(spark: SparkSession, tmp_path: Path, adaptive: str) -> None:
    changes = {"spark__sql__adaptive__enabled": adaptive, "spark__sql__autoBroadcastJoinThreshold": "-1"}
    with settings(spark, **changes):
        found = partitions(joined(spark).sortWithinPartitions("k"))
        assert sum(map(len, found)) == joined(spark).count()
        assert all(map(is_sorted, found))
        joined(spark).write.partitionBy("k").parquet(str(tmp_path / "out"))
    assert spark.read.parquet(str(tmp_path / "out")).count() == sum(map(len, found))


@pytest.mark.parametrize("adaptive", ["true", "false"])
def test_partitions_of_a_cache_stay_sorted(spark: SparkSession, tmp_path: Path, adaptive: str) -> None:
    with settings(spark, spark__sql__adaptive__enabled=adaptive):
        kept = spark.table("events").repartition(6).sortWithinPartitions("k").cache()
        try:
            chosen = kept.where("id > 5")
            assert "NativeInMemoryTableScan" in explained(chosen)
            found = partitions(chosen)
            assert len(found) == 6
            assert all(map(is_sorted, found))
            assert sum(map(len, found)) == 59_994
            chosen.write.partitionBy("k").parquet(str(tmp_path / "out"))
        finally:
            kept.unpersist(blocking=True)
    assert spark.read.parquet(str(tmp_path / "out")).count() == 59_994


ASKED_FOR = {
    "by number": lambda df: df.repartition(5),
    "by column": lambda df: df.repartition(4, "k"),
    "by column, as many as there are": lambda df: df.repartition("k"),
    "by range": lambda df: df.repartitionByRange(3, "id"),
    "of groups": lambda df: df.groupBy("k").agg(F.sum("id").alias("id")).repartition(3, "k"),
    "of a limit": lambda df: df.orderBy("id").limit(50).repartition(2, "k"),
    "below others": lambda df: df.repartition(6, "k").where("id % 2 = 0").selectExpr("k", "id + 1 as id"),
    "twice": lambda df: df.repartition(6, "k").groupBy("k").agg(F.max("id").alias("id")).repartition(2, "id"),
}
PLACED_BY_SAMPLE_OR_TURN = {"by number", "by range"}


@pytest.mark.parametrize("adaptive", ["true", "false"])
@pytest.mark.parametrize("name", ASKED_FOR)
def test_partitions_that_were_asked_for(spark: SparkSession, numbers: DataFrame, name: str, adaptive: str) -> None:
    """What is below an exchange that a program asks for runs natively, also where nothing is above it."""

    def placed() -> list[list[tuple]]:
        return [normalised(rows) for rows in ASKED_FOR[name](df).rdd.glom().collect()]

    df = spark.table("numbers").selectExpr("n as k", "id").where("id < 5000")
    with settings(spark, spark__sql__adaptive__enabled=adaptive):
        asked = ASKED_FOR[name](df)
        rows = asked.collect()
        assert any(operator.startswith("Native") for operator in operators(asked)), explained(asked)
        native = placed()
        with plain(spark):
            expected = placed()
            assert normalised(rows) == normalised(ASKED_FOR[name](df).collect())
    assert len(native) == len(expected)
    if name not in PLACED_BY_SAMPLE_OR_TURN:
        assert native == expected
