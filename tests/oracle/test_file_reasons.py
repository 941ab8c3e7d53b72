"""Reasons for leaving files to Spark that the tests of their formats do not meet."""

import datetime
from pathlib import Path

import pyarrow as pa
import pytest
from oracle import assert_spark, explained, failure, normalised, plain, plain_failure, settings
from pyarrow import orc
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark41


def assert_left(spark: SparkSession, read: DataFrame, reason: str) -> None:
    """Fails unless Spark reads files, for a reason, and a query of them ends as on plain Spark."""
    with plain(spark):
        expected = failure(read.collect)
    again = read.select("*")
    if expected:
        assert failure(again.collect) == plain_failure(spark, lambda: read.select("*"))
    else:
        with plain(spark):
            rows = normalised(read.select("*").collect())
        assert normalised(again.collect()) == rows
    assert_spark(again)
    assert reason in explained(again), explained(again)


def test_lines_without_the_bridge(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text('1,a\n2,"b""c"\n')
    (tmp_path / "t.json").write_text('{"n": 1}\n')
    with settings(spark, spark__accelerant__bridge="false"):
        csv = spark.read.schema("n int, s string").csv(str(tmp_path / "t.csv"))
        assert_left(spark, csv, "a line that only Spark's own code can parse")
        assert_left(spark, spark.read.json(str(tmp_path / "t.json")), "JSON that Spark's own code may not parse")


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
    days = pa.table({"d": pa.array([datetime.date(1500, 1, 1)])})
    orc.write_table(days, str(tmp_path / "days.orc"))
    reason = "dates before 1582-10-15 of a file that counts by the new calendar"
    assert_left(spark, spark.read.orc(str(tmp_path / "days.orc")).selectExpr("cast(d as string) s"), reason)
    with plain(spark):
        spark.sql("select timestamp_ntz'2024-01-01 00:00:00' t").write.orc(str(tmp_path / "t"))
    read = spark.read.schema("t timestamp").orc(str(tmp_path / "t"))
    assert_left(spark, read, "timestamps with a time zone and without one")
