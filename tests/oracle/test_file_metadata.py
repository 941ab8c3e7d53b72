"""What `_metadata` says of files, natively and equal to plain Spark."""

from pathlib import Path

import pytest
from oracle import assert_equal_rows, explained, plain, settings
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

pytestmark = pytest.mark.spark41

FIELDS = ["path", "name", "size", "block_start", "block_length", "modification_time"]


@pytest.mark.parametrize("field", FIELDS)
def test_fields(spark: SparkSession, numbers: DataFrame, field: str) -> None:
    assert_equal_rows(spark, lambda: spark.sql(f"select id, _metadata.file_{field} from numbers"))
    groups = f"select _metadata.file_{field} as f, count(*), min(id), max(s) from numbers group by f"
    assert_equal_rows(spark, lambda: spark.sql(groups))


def test_pieces_of_files(spark: SparkSession, numbers: DataFrame) -> None:
    """Spark cuts the largest file; each row group is of one piece."""
    with settings(spark, spark__sql__files__maxPartitionBytes="20000", spark__sql__files__openCostInBytes="0"):
        fields = ", ".join(f"_metadata.file_{field}" for field in FIELDS)
        rows = assert_equal_rows(spark, lambda: spark.sql(f"select id, {fields} from numbers"))
        assert len({row.file_block_start for row in rows}) > 1


def test_conditions(spark: SparkSession, numbers: DataFrame) -> None:
    name = sorted(path.rpartition("/")[2] for path in numbers.inputFiles())[1]
    for condition in [
        f"_metadata.file_name = '{name}'",
        f"_metadata.file_name <> '{name}' and n > 2",
        "_metadata.file_size > 5000 or id < 10",
        "_metadata.file_modification_time < timestamp'2001-01-01 00:00:00'",
        "endswith(_metadata.file_path, _metadata.file_name)",
    ]:
        assert_equal_rows(spark, lambda condition=condition: spark.sql(f"select id, s from numbers where {condition}"))


def test_columns_of_the_same_name(spark: SparkSession, tmp_path: Path) -> None:
    """Partition columns, and columns of the files, that are called as fields are."""
    with plain(spark):
        rows = spark.range(20).selectExpr("id", "id % 3 as file_size", "concat('f ', id % 2) as file_name")
        rows.write.partitionBy("file_name").parquet(str(tmp_path / "a table"))
    df = spark.read.parquet(str(tmp_path / "a table"))
    mine = ["id", "file_size", "file_name"]
    assert_equal_rows(spark, lambda: df.select(*mine, "_metadata.file_path"))
    theirs = [F.col(f"_metadata.file_{field}").alias(field) for field in FIELDS]
    assert_equal_rows(spark, lambda: df.select(*mine, *theirs))
    assert_equal_rows(spark, lambda: df.where("file_name = 'f 1'").select("id", *theirs))


def test_joins_of_files(spark: SparkSession, numbers: DataFrame) -> None:
    on = "l.id = r.id and l._metadata.file_name = r._metadata.file_name"
    pairs = f"select l.id, r.n from numbers l join numbers r on {on}"
    assert_equal_rows(spark, lambda: spark.sql(pairs))


def test_row_indexes_are_an_island(spark: SparkSession, numbers: DataFrame) -> None:
    df = spark.sql("select count(*), max(_metadata.row_index) from numbers")
    rows = df.collect()
    assert "rows' places in files" in explained(df)
    with plain(spark):
        assert rows == spark.sql("select count(*), max(_metadata.row_index) from numbers").collect()
