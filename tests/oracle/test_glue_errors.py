"""Errors look as plain Spark's: class, condition, message and place in the query."""

import shutil
from pathlib import Path

import pytest
from oracle import (
    assert_equal_failure,
    assert_equal_rows,
    assert_native,
    assert_spark,
    explained,
    failure,
    normalised,
    plain,
    settings,
)
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark41

FAILING = {
    "division": "select 1/(n - 2) from numbers",
    "long": "select id + 9223372036854775807 from numbers",
    "decimal": "select cast(w as decimal(38,4)) * 100000000000000000000000000000 from numbers where id = 50",
    "order": "select s from numbers where 10 / (id - 700) > 1 and x > 0",
    "filter": "select id from numbers where 10 / (id - 700) > 1",
    "of groups": "select abs(k) from (select cast(id - 828 as tinyint) as k from numbers where id = 700 group by k)",
    "of results": "select cast(count(*) as tinyint) from numbers",
    "of a java class": "select timestamp_millis(max(id) + 9223372036854770000) from numbers",
    "key": "select 10 div (id - 700) as k, count(*) from numbers group by 10 div (id - 700)",
    "sum": "select sum(id + 9223372036854775000) from numbers where id > 3500",
    "total": "select sum(9223372036854775807 - id) from numbers",
    "cast": "select cast(s as int) from numbers where id = 50",
    # Spark's interpreter asks an array of columns for values that are null.
    "beside nulls of a map": """
        select map_concat(map_zip_with(map(0, u, 1, u), m, (k, a, b) -> timestamp_micros(k)), map(977, u))
        from (select u, map_from_arrays(map_keys(m), transform(map_values(m), v -> try_element_at(m, 100))) as m
              from (select u, map(cast(id as int), u, 977, u) as m from numbers where id between 1000 and 1020))
    """,
}


@pytest.mark.parametrize("name", FAILING)
def test_same_error(spark: SparkSession, numbers: DataFrame, name: str) -> None:
    df = spark.sql(FAILING[name])
    if "Native" not in df._jdf.queryExecution().executedPlan().toString():
        pytest.skip(f"not native yet: {explained(df).split('==')[-1].strip()}")
    assert_equal_failure(spark, lambda: spark.sql(FAILING[name]))


def test_constant_error(spark: SparkSession, numbers: DataFrame) -> None:
    sql = "select 1/0 from numbers"
    native = failure(lambda: spark.sql(sql).collect())
    with plain(spark):
        assert native == failure(lambda: spark.sql(sql).collect())
    assert native.condition == "DIVIDE_BY_ZERO"


def test_no_error_without_ansi(spark: SparkSession, numbers: DataFrame) -> None:
    with settings(spark, spark__sql__ansi__enabled="false"):
        assert_equal_rows(spark, lambda: spark.sql("select id, id + 9223372036854775807 from numbers"), ordered=True)


def test_limit_before_a_bad_row(spark: SparkSession, numbers: DataFrame) -> None:
    sql = "select id, 9223372036854775807 - 3000 + id from numbers limit 5"
    assert len(assert_equal_rows(spark, lambda: spark.sql(sql), ordered=True)) == 5


def test_a_query_over_its_budget_turns_to_spark(spark: SparkSession, numbers: DataFrame) -> None:
    sql = "select id, s, count(*) from numbers group by id, s"
    with settings(spark, spark__accelerant__memory__limit="20k"):
        df = spark.sql(sql)
        assert_native(df)
        rows = df.collect()
        assert_spark(df)
        assert "reverted to Spark: " in explained(df)
        assert "out of memory: " in explained(df)
        assert "query budget of 20.0 KiB" in explained(df)
    with plain(spark):
        assert normalised(rows) == normalised(spark.sql(sql).collect())
    assert_equal_rows(spark, lambda: spark.sql(sql))


@pytest.fixture
def copied(spark: SparkSession, numbers: DataFrame, tmp_path: Path) -> Path:
    """A folder with a table of its own, to be damaged."""
    target = tmp_path / "table"
    with plain(spark):
        spark.table("numbers").select("id", "s").repartition(2).write.parquet(str(target))
    return target


def data_files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.parquet"))


def test_truncated_file(spark: SparkSession, copied: Path) -> None:
    df = spark.read.parquet(str(copied))
    victim = data_files(copied)[0]
    victim.write_bytes(victim.read_bytes()[:-100])
    error = failure(df.where("id > 3").collect)
    assert victim.name in error.message


def test_file_of_another_schema_appears(spark: SparkSession, copied: Path, tmp_path: Path) -> None:
    df = spark.read.parquet(str(copied))
    other = tmp_path / "other"
    with plain(spark):
        spark.range(10).selectExpr("cast(id as int) as id", "id as s").write.parquet(str(other))
    intruder = data_files(copied)[0]
    shutil.copy(data_files(other)[0], intruder)
    intruder.with_name(f".{intruder.name}.crc").unlink(missing_ok=True)
    query = df.where("id > 3")
    error = failure(query.collect)
    with plain(spark):
        expected = failure(df.where("id > 3").collect)
    assert error.condition == expected.condition or intruder.name in error.message
