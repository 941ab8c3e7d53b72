"""Reasons for leaving files to Spark that the tests of their formats do not meet."""

from pathlib import Path

import pytest
from oracle import assert_spark, explained, failure, normalised, plain, plain_failure, settings
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark41


def assert_left(spark: SparkSession, read: DataFrame, reason: str) -> None:
    """Fails unless Spark reads files, for a reason, and a query of them ends as on plain Spark."""
    again = read.select("*")
    with plain(spark):
        try:
            expected = normalised(read.select("*").collect())
        except Exception:
            expected = None
    if expected is None:
        assert failure(again.collect) == plain_failure(spark, lambda: read.select("*"))
    else:
        assert normalised(again.collect()) == expected
    assert_spark(again)
    assert reason in explained(again), explained(again)


def test_the_last_character_in_csv(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text('1,"a""b"\n2,"c""\uffffd"\n')
    read = spark.read.schema("n int, s string").csv(str(tmp_path / "t.csv"))
    assert_left(spark, read, "a line of CSV with the character U+FFFF")


def test_compressed_text(spark: SparkSession, tmp_path: Path) -> None:
    with plain(spark):
        spark.range(10).write.csv(str(tmp_path / "t"), compression="bzip2")
    assert_left(spark, spark.read.schema("n int").csv(str(tmp_path / "t")), "compressed text (")


def test_json(spark: SparkSession, tmp_path: Path) -> None:
    path = str(tmp_path / "t.json")
    Path(path).write_text('{"n": 1, "d": "2024-01-02", "z": "YQ=="}\n{"n"\n')
    broken = spark.read.schema("n int, _corrupt_record string").json(path).select("_corrupt_record")
    assert_left(spark, broken, "only the column of lines that can't be read")
    assert_left(spark, spark.read.schema("n int, z binary").json(path), "column z of type binary in JSON")
    with settings(spark, spark__sql__legacy__timeParserPolicy="LEGACY"):
        read = spark.read.schema("n int, d date").json(path)
        assert_left(spark, read, "dates and timestamps of JSON by legacy.timeParserPolicy=LEGACY")


def test_orc(spark: SparkSession, tmp_path: Path) -> None:
    with plain(spark):
        spark.sql("select timestamp_ntz'2024-01-01 00:00:00' t").write.orc(str(tmp_path / "t"))
    read = spark.read.schema("t timestamp").orc(str(tmp_path / "t"))
    assert_left(spark, read, "timestamps with a time zone and without one")
