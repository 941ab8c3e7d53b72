"""Queries are bound and planned once, however often they run."""

import time
from pathlib import Path

import pytest
from engine_process import collect_garbage, eventually, preparations
from oracle import assert_equal_rows, assert_native, plain
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark41

SQL = """
    select a.n, count(*) as c, sum(b.id) as s
    from numbers as a join numbers as b on a.id = b.id
    where a.id < (select max(n) from numbers) * 100 group by a.n order by a.n"""


def test_a_query_is_bound_once_and_planned_once(spark: SparkSession, numbers: DataFrame) -> None:
    before = preparations(spark)
    df = spark.sql("select n, count(*) as c from numbers where id > 7 group by n")
    assert_native(df)
    planned = preparations(spark)
    assert planned.bound == before.bound + 1
    assert planned.opened == before.opened
    df.collect()
    run = preparations(spark)
    assert run.bound == planned.bound
    assert run.opened == planned.opened + 1


def test_a_second_action_prepares_nothing(spark: SparkSession, numbers: DataFrame) -> None:
    df = spark.sql(SQL)
    first = df.collect()
    before = preparations(spark).work
    assert df.collect() == first
    assert preparations(spark).work == before


def test_parts_and_their_retries_prepare_nothing(spark: SparkSession, numbers: DataFrame) -> None:
    df = spark.sql("select id, n from numbers where n > 1")
    rows = df.rdd
    counted = rows.count()
    before = preparations(spark).work
    assert rows.count() == counted
    assert preparations(spark).work == before


def held_at_rest(spark: SparkSession) -> int:
    """Returns what is held for further runs, once the collector frees no more of other tests' DataFrames."""
    held = [-1, preparations(spark).held_bytes]
    while held[-1] != held[-2]:
        collect_garbage(spark)
        time.sleep(0.5)
        held.append(preparations(spark).held_bytes)
    return held[-1]


def test_what_is_held_for_further_runs_goes_with_the_dataframe(spark: SparkSession, numbers: DataFrame) -> None:
    before = held_at_rest(spark)
    df = spark.sql(SQL)
    df.collect()
    assert preparations(spark).held_bytes > before
    del df

    def is_free() -> bool:
        collect_garbage(spark)
        return preparations(spark).held_bytes <= before

    assert eventually(is_free)


def test_files_that_change_between_runs_are_read_anew(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "t"
    with plain(spark):
        spark.range(0, 1000, 1, 1).write.parquet(str(path))
        spark.range(5000, 6000, 1, 1).selectExpr("id").write.parquet(str(tmp_path / "other"))
    df = spark.read.parquet(str(path)).selectExpr("sum(id) as s", "max(id) as m")
    assert_native(df)
    assert [tuple(row) for row in df.collect()] == [(499500, 999)]
    (file,) = path.glob("*.parquet")
    (other,) = (tmp_path / "other").glob("*.parquet")
    file.with_name(f".{file.name}.crc").unlink(missing_ok=True)
    file.write_bytes(other.read_bytes())
    assert [tuple(row) for row in df.collect()] == [(5499500, 5999)]
    assert_equal_rows(spark, lambda: spark.read.parquet(str(path)).selectExpr("sum(id) as s", "max(id) as m"))
