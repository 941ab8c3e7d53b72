"""Values that only Spark can compute, met while a native query runs: Spark takes over, whatever takes the result.

So it is without bridged calls, which would compute just these values.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pandas as pd
import pytest
from engine_process import eventually, held_bytes
from oracle import assert_equal_rows, assert_native, explained, plain, settings
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark41

TIMES = "select id, cast(s as timestamp) as t from times"
REVERTED = "reverted to Spark: "

# Some rows behind the first batch that leaves.
SPECIAL = {4: "2024-07-01 10:30:00Z", 16: "2024-07-01 12:30:00 Europe/Berlin", 39_990: "2024-07-01 12:30:00 Asia/Tokyo"}


@pytest.fixture(scope="module", autouse=True)
def times(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Table `times`: texts of times, of which some have a zone; and table `points`, one row."""
    folder = tmp_path_factory.mktemp("times")
    text = " ".join(f"when id = {number} then '{text}'" for number, text in SPECIAL.items())
    with plain(spark):
        rows = spark.range(0, 40_000, 1, 1).selectExpr("id", f"case {text} else '2024-07-01' end as s", "id % 50 as g")
        rows.write.parquet(str(folder / "times"))
        spark.sql("select timestamp'2024-07-01 10:30:00Z' as t").write.parquet(str(folder / "points"))
    for name in ("times", "points"):
        spark.read.parquet(str(folder / name)).createOrReplaceTempView(name)
    with settings(spark, spark__accelerant__bridge="false"):
        yield


@pytest.mark.parametrize("ansi", ["true", "false"])
def test_collected(spark: SparkSession, ansi: str) -> None:
    with settings(spark, spark__sql__ansi__enabled=ansi):
        held = held_bytes(spark)
        df = spark.sql(TIMES)
        assert_native(df)
        found = df.collect()
        assert eventually(lambda: held_bytes(spark) <= held)
        assert REVERTED + "a value that only Spark can compute" in explained(df)
        with plain(spark):
            assert found == spark.sql(TIMES).collect()
        assert_equal_rows(spark, lambda: spark.sql(TIMES + " where id not in (16, 39990)"))


def as_pandas(df: DataFrame, _: Path) -> list:
    with settings(df.sparkSession, spark__sql__execution__arrow__pyspark__enabled="true"):
        return df.toPandas()["t"].tolist()


def written(df: DataFrame, folder: Path) -> list:
    df.write.mode("overwrite").parquet(str(folder))
    return df.sparkSession.read.parquet(str(folder)).orderBy("id").collect()


def kept(df: DataFrame, _: Path) -> list:
    try:
        return df.cache().orderBy("id").collect()
    finally:
        df.unpersist(blocking=True)


CONSUMERS = {"pandas": as_pandas, "write": written, "cache": kept, "rdd": lambda df, _: sorted(df.rdd.collect())}


@pytest.mark.parametrize("name", CONSUMERS)
def test_consumers_of_parts(spark: SparkSession, tmp_path: Path, name: str) -> None:
    consume: Callable[[DataFrame, Path], list] = CONSUMERS[name]
    assert_native(spark.sql(TIMES))
    found = consume(spark.sql(TIMES), tmp_path / "native")
    with plain(spark):
        assert found == consume(spark.sql(TIMES), tmp_path / "plain")


def test_groups_of_a_single_partition_stay_whole(spark: SparkSession) -> None:
    def sizes() -> DataFrame:
        both = spark.sql("select * from times a full join (select id as k from times) b on a.id = b.k where k < 5000")
        groups = both.selectExpr("g", "cast(s as timestamp) as t").groupBy("g")
        return groups.applyInPandas(lambda rows: pd.DataFrame({"n": [len(rows)]}), "n long")

    assert "NativeBroadcastHashJoin" in explained(sizes()) or "NativeSortMergeJoin" in explained(sizes())
    native = sorted(sizes().collect())
    with plain(spark):
        assert native == sorted(sizes().collect())


@pytest.mark.parametrize("kind", ["left semi", "left anti"])
@pytest.mark.parametrize("ansi", ["true", "false"])
def test_keys_of_joins(spark: SparkSession, kind: str, ansi: str) -> None:
    sql = f"select id from times {kind} join points on cast(times.s as timestamp) = points.t where id % 4 = 0"
    with settings(spark, spark__sql__ansi__enabled=ansi):
        assert_native(spark.sql(sql))
        found = sorted(spark.sql(sql).collect())
        with plain(spark):
            assert found == sorted(spark.sql(sql).collect())


def test_a_reader_that_outlives_the_task(spark: SparkSession) -> None:
    df = spark.sql("select id, s from times where id >= 0")
    assert_native(df)
    assert df._jdf.toJavaRDD().pipe("head -n 1").count() == df.rdd.getNumPartitions()
