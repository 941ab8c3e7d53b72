"""Files cut into splits: each row group belongs to the split that Spark gives it to, whatever its footer lacks."""

from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path

import parquet_footers as footers
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from oracle import (
    assert_equal_rows,
    assert_failure_of_spark,
    assert_native,
    explained,
    failure,
    plain,
    plain_failure,
    settings,
)
from parquet_footers import edit_footer
from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark41

ROW_GROUPS = 8
GROUP_ROWS = 20


def drop_sizes(footer: dict) -> None:
    for group in footers.row_groups(footer):
        del group[footers.TOTAL_COMPRESSED_SIZE]


def drop_every_second_size(footer: dict) -> None:
    for group in footers.row_groups(footer)[::2]:
        del group[footers.TOTAL_COMPRESSED_SIZE]


def say_sizes_are_0(footer: dict) -> None:
    for group in footers.row_groups(footer):
        group[footers.TOTAL_COMPRESSED_SIZE] = footers.integer(0)


def say_sizes_are_negative(footer: dict) -> None:
    for group in footers.row_groups(footer):
        group[footers.TOTAL_COMPRESSED_SIZE] = footers.integer(-(10**4))


def say_sizes_are_huge(footer: dict) -> None:
    for group in footers.row_groups(footer)[::3]:
        group[footers.TOTAL_COMPRESSED_SIZE] = footers.integer(2**63 - 1)


def say_dictionaries_start_at_0(footer: dict) -> None:
    """As some writers do where there is no dictionary."""
    for group in footers.row_groups(footer):
        for chunk in footers.chunks(group):
            chunk[footers.DICTIONARY_PAGE_OFFSET] = footers.integer(0)


def drop_sizes_and_name_no_dictionary(footer: dict) -> None:
    drop_sizes(footer)
    say_dictionaries_start_at_0(footer)


EDITS = [
    lambda footer: None,
    drop_sizes,
    drop_every_second_size,
    say_sizes_are_0,
    say_sizes_are_negative,
    say_sizes_are_huge,
    say_dictionaries_start_at_0,
    drop_sizes_and_name_no_dictionary,
]


def edited(folder: Path, edit: Callable[[dict], None]) -> Path:
    """Writes two files of row groups whose columns differ in size, the first being the smallest."""
    folder.mkdir()
    for part in range(2):
        rows = range(part * 10**5, part * 10**5 + ROW_GROUPS * GROUP_ROWS)
        table = pa.table(
            {
                "small": pa.array([row // GROUP_ROWS % 7 for row in rows], pa.int32()),
                "id": pa.array(rows, pa.int64()),
                "wide": pa.array([f"{row * 7919 % 10007:0{5 + row // GROUP_ROWS % 5 * 20}}" for row in rows]),
            }
        )
        path = folder / f"part-{part}.parquet"
        pq.write_table(table, path, row_group_size=GROUP_ROWS, use_dictionary=False, compression="none")
        edit_footer(path, edit)
    return folder


@pytest.fixture(params=[1500, 7000], ids=lambda size: f"splits of {size} bytes")
def splits(spark: SparkSession, request: pytest.FixtureRequest) -> Iterator[int]:
    sizes = {"spark__sql__files__maxPartitionBytes": f"{request.param}", "spark__sql__files__openCostInBytes": "0"}
    with settings(spark, **sizes):
        yield request.param


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__.strip("<>"))
def test_rows_come_in_sparks_order(
    spark: SparkSession, tmp_path: Path, splits: int, edit: Callable[[dict], None]
) -> None:
    folder = str(edited(tmp_path / "table", edit))
    rows = assert_equal_rows(spark, lambda: spark.read.parquet(folder), ordered=True)
    whole = edit not in (say_sizes_are_negative, say_sizes_are_huge)
    assert len(rows) == 2 * ROW_GROUPS * GROUP_ROWS or not whole
    assert_equal_rows(spark, lambda: spark.read.parquet(folder).select("id").limit(50), ordered=True)
    assert_equal_rows(spark, lambda: spark.read.parquet(folder).selectExpr("first(id)", "last(wide)", "count(*)"))
    assert_equal_rows(spark, lambda: spark.read.parquet(folder).filter("small > 3").limit(7), ordered=True)


def test_row_groups_that_end_behind_the_file(spark: SparkSession, tmp_path: Path) -> None:
    """Their middle lies in no split, so that Spark has no row of them."""

    def say_last_columns_are_long(footer: dict) -> None:
        drop_sizes(footer)
        for group in footers.row_groups(footer):
            footers.chunks(group)[-1][footers.CHUNK_COMPRESSED_SIZE] = footers.integer(10**8)

    folder = str(edited(tmp_path / "table", say_last_columns_are_long))
    assert not assert_equal_rows(spark, lambda: spark.read.parquet(folder).select("small"))
    assert assert_equal_rows(spark, lambda: spark.read.parquet(folder).groupBy().count()) == [(0,)]
    whole = spark.read.parquet(folder)
    assert not whole.collect()
    assert "a column chunk lies outside the file" in explained(whole)


@pytest.mark.parametrize("edits_chunks", [True, False])
def test_columns_of_no_type(spark: SparkSession, tmp_path: Path, edits_chunks: bool) -> None:
    """Spark reads no column beside them."""

    def give_no_type(footer: dict) -> None:
        no_type = footers.integer(-7, kind=5)
        footers.columns(footer)[-1][footers.SCHEMA_TYPE] = no_type
        for group in footers.row_groups(footer) if edits_chunks else []:
            footers.chunks(group)[-1][footers.CHUNK_TYPE] = no_type

    folder = str(edited(tmp_path / "table", give_no_type))
    (tmp_path / "table" / "part-1.parquet").unlink()
    table = spark.read.schema("small int, id bigint").parquet(folder)
    for query in (lambda: table.groupBy().count(), lambda: table.select("id")):
        assert_failure_of_spark(spark, query, f"can't read file://{folder}")


def test_files_of_an_old_writer(spark: SparkSession, tmp_path: Path) -> None:
    """Sizes of their column chunks may lack the header of a dictionary page."""

    def name_writer(footer: dict) -> None:
        footer[footers.CREATED_BY] = (footers.BINARY, b"parquet-mr version 1.2.8 (build 0)")

    folder = str(edited(tmp_path / "table", name_writer))
    assert_equal_rows(spark, lambda: spark.read.parquet(folder).groupBy().count())
    df = spark.read.parquet(folder).select("id")
    with plain(spark):
        expected = spark.read.parquet(folder).select("id").collect()
    assert df.collect() == expected
    assert "a file of parquet-mr before 1.2.9" in explained(df)


def test_short_decimals_in_byte_arrays(spark: SparkSession, tmp_path: Path) -> None:
    """Spark's reader of batches has no place for them, its reader of rows has."""

    def call_them_decimals(footer: dict) -> None:
        column = footers.columns(footer)[0]
        decimal = {6: footers.integer(5, kind=5), 7: footers.integer(2, kind=5), 8: footers.integer(4, kind=5)}
        footer[footers.SCHEMA][1][1][1] = dict(sorted((column | decimal).items()))

    path = tmp_path / "decimals.parquet"
    values = pa.array([bytes([row]) for row in range(100)], pa.binary())
    pq.write_table(pa.table({"d": values}), path, use_dictionary=False)
    edit_footer(path, call_them_decimals)
    reason = f"column d of file://{path}: reading BYTE_ARRAY"
    assert_failure_of_spark(spark, lambda: spark.read.parquet(str(path)), reason)
    with settings(spark, spark__sql__parquet__enableVectorizedReader="false"):
        df = spark.read.parquet(str(path))
        assert [row.d for row in df.collect()] == [Decimal(row) / 100 for row in range(100)]
    wide = spark.read.schema("d decimal(20, 2)").parquet(str(path))
    assert_equal_rows(spark, lambda: wide.select("d"))


def test_a_dictionary_of_fewer_than_no_entries(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "dictionary.parquet"
    pq.write_table(pa.table({"s": ["a", "b", "a"]}), path, compression="none", data_page_version="1.0")
    data = path.read_bytes()
    # PageHeader of a dictionary: its type, sizes and, as field 7, the number of its entries, 2.
    head = bytes([0x15, 0x04, 0x15, 0x14, 0x15, 0x14, 0x4C, 0x15])
    assert data[4:13] == head + b"\x04"
    path.write_bytes(data[:4] + head + b"\x33" + data[13:])
    df = spark.read.parquet(str(path))
    assert_native(df)
    assert path.name in failure(df.collect).message
    assert path.name in plain_failure(spark, lambda: spark.read.parquet(str(path))).message
