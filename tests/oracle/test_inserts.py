"""Casts that Spark puts between a query's columns and those of a table, whose errors name the table's column."""

from collections.abc import Iterator

import pytest
from oracle import failure, normalised, plain
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark41

COLUMNS = "a smallint, b decimal(6,2), c tinyint, d int, e float, f array<int>"


@pytest.fixture
def narrow(spark: SparkSession, numbers: DataFrame) -> Iterator[str]:
    """Table `narrow`, empty, with columns of narrow types."""
    spark.sql("drop table if exists narrow")
    spark.sql(f"create table narrow ({COLUMNS}) using parquet")
    yield "narrow"
    spark.sql("drop table if exists narrow")


def insert(columns: str, rows: str) -> str:
    return f"insert into narrow select {columns} from numbers where {rows}"


FITTING = "n, d, id % 100, id, x, array(id, n)"


def test_what_fits_is_inserted_natively(spark: SparkSession, narrow: str) -> None:
    explained = spark.sql("explain " + insert(FITTING, "id < 900")).head()[0]
    assert " operators run natively" in explained, explained
    assert "bridged" not in explained, explained
    spark.sql(insert(FITTING, "id < 900"))
    native = normalised(spark.table(narrow).collect())
    assert len(native) == 900
    with plain(spark):
        spark.sql(insert(FITTING, "id < 900").replace("into", "overwrite"))
        assert native == normalised(spark.table(narrow).collect())


OVERFLOWS = {
    "smallint": "id * 100, d, 1, 1, x, null",
    "decimal": "1, d * 1000, 1, 1, x, null",
    "tinyint": "1, d, h * 10, 1, x, null",
    "int": "1, d, 1, id * 1000000, x, null",
    "array": "1, d, 1, 1, x, array(id * 10000000)",
}


@pytest.mark.parametrize("name", OVERFLOWS)
def test_overflows_name_the_column(spark: SparkSession, narrow: str, name: str) -> None:
    query = insert(OVERFLOWS[name], "id = 3950")
    native = failure(lambda: spark.sql(query))
    with plain(spark):
        assert native == failure(lambda: spark.sql(query))
