"""Groups of queries of `accelerant bench`: native without a bridged call, with plain Spark's and DuckDB's answers."""

from pathlib import Path

import duckdb
import pytest
from oracle import assert_equal_rows, settings
from pyspark.sql import SparkSession

from accelerant import dates, nested, windows
from accelerant.benchmark.results import equal_answers
from accelerant.benchmark.task import Query, texts
from accelerant.query_group import QueryGroup

GROUPS = {"windows": windows.GROUP, "nested": nested.GROUP, "dates": dates.GROUP}
QUERIES = {name: (group, query) for group in GROUPS for name, query in GROUPS[group].queries().items()}
SCALE = 0.01


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("groups")
    return {table: path for group in GROUPS.values() for table, path in group.generate(SCALE, folder).items()}


@pytest.fixture(scope="module", autouse=True)
def tables(spark: SparkSession, files: dict[str, Path]) -> None:
    for table, path in files.items():
        spark.read.parquet(str(path)).createOrReplaceTempView(table)


def of_duckdb(group: QueryGroup, query: Query, files: dict[str, Path]) -> list[list[str | None]]:
    with duckdb.connect() as connection:
        for table in group.tables:
            connection.execute(f"create view {table} as from '{files[table]}'")
        return texts(connection.sql(query.sql_of_duckdb).fetchall())


def test_there_are_ten_of_each() -> None:
    assert [len(group.queries()) for group in GROUPS.values()] == [10, 10, 10]


@pytest.mark.parametrize("name", QUERIES)
def test_native_and_equal(spark: SparkSession, files: dict[str, Path], name: str) -> None:
    """Without its bridge the engine leaves a query to Spark for a call that it lacks, or for one row of another's."""
    group, query = QUERIES[name]
    with settings(spark, spark__sql__session__timeZone="UTC", spark__accelerant__bridge="false"):
        rows = assert_equal_rows(spark, lambda: spark.sql(query.sql), ordered=True)
    assert rows
    assert equal_answers(of_duckdb(GROUPS[group], query, files), texts(rows), exact=False)
