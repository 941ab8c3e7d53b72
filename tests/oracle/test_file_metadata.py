"""What `_metadata` says of files, natively and equal to plain Spark."""

from pathlib import Path

import pytest
from oracle import assert_equal_rows, plain, settings
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

pytestmark = pytest.mark.spark41

FIELDS = ["path", "name", "size", "block_start", "block_length", "modification_time"]


@pytest.fixture(scope="module")
def files(numbers: DataFrame) -> str:
    """What to select from for the rows of `numbers` and their `_metadata`, which no view passes on."""
    folder = numbers.inputFiles()[0].rpartition("/")[0]
    return f"parquet.`{folder}`"


@pytest.mark.parametrize("field", FIELDS)
def test_fields(spark: SparkSession, files: str, field: str) -> None:
    assert_equal_rows(spark, lambda: spark.sql(f"select id, _metadata.file_{field} from {files}"))
    groups = f"select _metadata.file_{field} as f, count(*), min(id), max(s) from {files} group by f"
    assert_equal_rows(spark, lambda: spark.sql(groups))


def test_pieces_of_files(spark: SparkSession, files: str) -> None:
    """Spark cuts the largest file; each row group is of one piece."""
    with settings(spark, spark__sql__files__maxPartitionBytes="20000", spark__sql__files__openCostInBytes="0"):
        fields = ", ".join(f"_metadata.file_{field}" for field in FIELDS)
        rows = assert_equal_rows(spark, lambda: spark.sql(f"select id, {fields} from {files}"))
        assert len({row.file_block_start for row in rows}) > 1


def test_conditions(spark: SparkSession, numbers: DataFrame, files: str) -> None:
    name = sorted(path.rpartition("/")[2] for path in numbers.inputFiles())[1]
    for condition in [
        f"_metadata.file_name = '{name}'",
        f"_metadata.file_name <> '{name}' and n > 2",
        "_metadata.file_size > 5000 or id < 10",
        "_metadata.file_modification_time < timestamp'2001-01-01 00:00:00'",
        "endswith(_metadata.file_path, _metadata.file_name)",
    ]:
        assert_equal_rows(spark, lambda condition=condition: spark.sql(f"select id, s from {files} where {condition}"))


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


def test_joins_of_files(spark: SparkSession, files: str) -> None:
    on = "one.id = other.id and one._metadata.file_name = other._metadata.file_name"
    pairs = f"select one.id, other.n from {files} one join {files} other on {on}"
    assert_equal_rows(spark, lambda: spark.sql(pairs))


@pytest.mark.parametrize("batch_rows", ["0", "7"])
def test_row_indexes(spark: SparkSession, files: str, batch_rows: str) -> None:
    index = "_metadata.row_index"
    with settings(spark, spark__accelerant__batch__rows=batch_rows):
        for condition in [
            "true",
            "n = 3",
            "s like '%7%'",
            f"{index} between 140 and 160",
            f"{index} = id - 50",
            "id = 77",
        ]:
            query = f"select id, {index}, _metadata.file_name from {files} where {condition}"
            assert_equal_rows(spark, lambda query=query: spark.sql(query))
        assert_equal_rows(spark, lambda: spark.sql(f"select count(*), max({index}), min({index}) from {files}"))
        assert_equal_rows(spark, lambda: spark.sql(f"select count(*) from {files} where {index} is null"))
        assert_equal_rows(spark, lambda: spark.sql(f"select id, _metadata from {files} where id < 100"))


@pytest.mark.parametrize(
    "query",
    [
        "select n, max(_metadata.row_index), count(*) from {} where h > 20 group by n",
        "select n, min(_metadata.row_index), max(id) from {} where _metadata.row_index > 20 group by n",
    ],
)
def test_devices_run_what_asks_for_fields(spark: SparkSession, files: str, query: str) -> None:
    """Spark makes `_metadata` a struct, which is taken apart again."""
    with settings(spark, spark__accelerant__device="emu", spark__accelerant__strict="true"):
        assert assert_equal_rows(spark, lambda: spark.sql(query.format(files)))
