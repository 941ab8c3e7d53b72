"""Columns of types char(n) and varchar(n): read, compared and written natively as on plain Spark."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from oracle import WRAPPERS, assert_equal_rows, failure, operators, plain, settings
from parquet_files import assert_equal_files
from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark41

COLUMNS = "id bigint, c char(5), d char(8), v varchar(6), l array<char(3)>, t struct<c: char(4), n: int>"
# As other writers than Spark leave them: c and d are shorter than their types say, or longer.
ROWS = """
    values (1L, 'a', 'a', 'a', array('x', null), named_struct('c', 'k', 'n', 1)),
           (2L, 'ab', 'ab   ', 'ab ', array('xyz', 'xy '), named_struct('c', 'kk', 'n', 2)),
           (3L, 'äö€', 'äö€', 'äö€😀', array(), named_struct('c', cast(null as string), 'n', 3)),
           (4L, null, 'abcdefgh', null, null, null),
           (5L, 'abcde', 'abcde', 'abcdef', array('a'), named_struct('c', 'abcd', 'n', null)),
           (6L, 'abcdefg', 'x', '', array('abcdef'), named_struct('c', 'abcdef', 'n', 6)),
           (7L, '', '', ' ', array(''), named_struct('c', '', 'n', 7))
    as t(id, c, d, v, l, t)
"""


@pytest.fixture(scope="module")
def chars(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Table `chars`: texts of all lengths in columns of fixed and of greatest ones."""
    folder = str(tmp_path_factory.mktemp("chars") / "table")
    with plain(spark):
        spark.sql(f"select * from {ROWS}").write.parquet(folder)
        spark.sql(f"create table chars ({COLUMNS}) using parquet location '{folder}'")
    yield "chars"
    with plain(spark):
        spark.sql("drop table chars")


@pytest.mark.parametrize("padding", ["true", "false"])
@pytest.mark.parametrize("columns", ["c, d", "concat('<', c, '>', v, '>')", "length(d), l", "t", "t.c, get(l, 0)"])
def test_reading(spark: SparkSession, chars: str, columns: str, padding: str) -> None:
    with settings(spark, spark__sql__readSideCharPadding=padding):
        assert_equal_rows(spark, lambda: spark.sql(f"select id, {columns} from {chars}"))


@pytest.mark.parametrize("padding", ["true", "false"])
@pytest.mark.parametrize(
    "condition",
    ["c = 'ab'", "c = 'ab     '", "c in ('a', 'abcde', 'äö€')", "c = d", "c <> d", "c < d", "'a' >= c", "c like 'ab%'"]
    + ["v = 'ab'", "c is null or d = 'x'", "c <=> 'a'", "c = v", "upper(c) = 'AB   '", "t.c = 'kk'"],
)
def test_comparisons(spark: SparkSession, chars: str, condition: str, padding: str) -> None:
    with settings(spark, spark__sql__readSideCharPadding=padding):
        assert_equal_rows(spark, lambda: spark.sql(f"select id, c, d from {chars} where {condition}"))
        assert_equal_rows(spark, lambda: spark.sql(f"select id, {condition} from {chars}"))


def test_conditions_reach_the_scan(spark: SparkSession, chars: str) -> None:
    df = spark.sql(f"select id from {chars} where c = 'ab'")
    df.collect()
    assert set(operators(df)) - WRAPPERS <= {"NativeProject", "NativeFilter", "NativeFileScan"}, operators(df)


def test_keys(spark: SparkSession, chars: str) -> None:
    for query in [
        f"select c, count(*), max(d), min(v) from {chars} group by c",
        f"select l.id, r.id from {chars} l join {chars} r on l.c = r.d",
        f"select l.id, r.id from {chars} l left join {chars} r on l.d = r.c and l.v = r.v",
        f"select count(distinct c), count(distinct d, v) from {chars}",
        f"select id, rank() over (partition by d order by c) from {chars}",
        f"select c from {chars} union select d from {chars}",
    ]:
        assert_equal_rows(spark, lambda query=query: spark.sql(query))


def test_writing(spark: SparkSession, chars: str, tmp_path: Path) -> None:
    columns = "id bigint, c char(7), d char(10), v varchar(6)"

    def write(folder: str) -> None:
        spark.sql(f"create table written ({columns}) using parquet location '{folder}'")
        try:
            spark.sql(f"insert into written select id, c, d, concat(v, '   ') from {chars}")
        finally:
            spark.sql("drop table written")

    assert_equal_files(spark, tmp_path, write)


@pytest.mark.parametrize("column", ["c char(3)", "c varchar(3)", "c char(6)", "c varchar(5)"])
def test_texts_that_are_too_long(spark: SparkSession, chars: str, column: str, tmp_path: Path) -> None:
    def write() -> None:
        spark.sql(f"insert into short select c from {chars}")

    spark.sql(f"create table short ({column}) using parquet location '{tmp_path / 'short'}'")
    try:
        found = failure(write)
        with plain(spark):
            assert failure(write).condition == found.condition
        assert "EXCEED_LIMIT_LENGTH" in f"{found.condition} {found.message}"
    finally:
        spark.sql("drop table short")
