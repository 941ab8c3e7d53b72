"""Results that leave as Arrow batches: the engine's own, where PySpark takes rows that way."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from arrow_batches import num_batches
from engine_process import eventually, held_bytes
from oracle import assert_native, failure, plain, settings
from pandas.testing import assert_frame_equal
from py4j.java_gateway import JavaObject
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark41

Query = Callable[[], DataFrame]

OTHERS = """
select null as nothing, cast(s as char(30)) as c, cast(s as varchar(40)) as v, z, b, x, r, w, 'é' as constant,
       cast(u as timestamp_ntz) as ntz, interval '1 02:03' day to minute as i
from numbers where id >= 0
"""
NESTED = """
select id, array(s, 'x') as l, named_struct('h', h, 's', s) as r, map(id, array(d)) as m from numbers where id >= 0
"""


@pytest.fixture(autouse=True)
def arrow(spark: SparkSession) -> Iterator[None]:
    """Has `toPandas` take Arrow batches, with what spreads a small result over many of them."""
    with settings(
        spark,
        spark__sql__execution__arrow__pyspark__enabled="true",
        spark__sql__execution__arrow__pyspark__fallback__enabled="false",
        spark__sql__execution__arrow__maxRecordsPerBatch="70",
    ):
        yield


def assert_equal_tables(spark: SparkSession, query: Query) -> pa.Table:
    """Fails unless a query gives the same table natively, without rows between, and on plain Spark; returns it."""
    df = query()
    assert_native(df)
    native = df.toArrow()
    native.validate(full=True)
    assert num_batches(df) > 0 or native.num_rows == 0
    with plain(spark):
        expected = query().toArrow()
    assert native.schema == expected.schema
    assert native.equals(expected)
    return native


@pytest.mark.parametrize("sql", ["select * from numbers where id >= 0", OTHERS])
@pytest.mark.parametrize("zone", ["UTC", "America/Los_Angeles"])
def test_every_type(spark: SparkSession, numbers: DataFrame, sql: str, zone: str) -> None:
    with settings(spark, spark__sql__session__timeZone=zone):
        assert assert_equal_tables(spark, lambda: spark.sql(sql)).num_rows >= 2000


def test_types_of_pandas(spark: SparkSession, numbers: DataFrame) -> None:
    sql = "select * from numbers where id >= 0 order by s, id"
    df = spark.sql(sql)
    native = df.toPandas()
    assert num_batches(df) > 0
    with plain(spark):
        assert_frame_equal(native, spark.sql(sql).toPandas())


@pytest.mark.parametrize("adaptive", ["true", "false"])
@pytest.mark.parametrize(
    "sql",
    [
        "select n, sum(d) as d, count(*) as c from numbers group by n order by n",
        "select id, s from numbers order by s desc limit 100",
        "select id, s from numbers where id > 4990 limit 30",
        "select a.id, b.s from numbers a join numbers b on a.id = b.id + 1 order by a.id",
        "select id, s from numbers where n = 1 union all select id, s from numbers where n = 2",
    ],
)
def test_operators(spark: SparkSession, numbers: DataFrame, sql: str, adaptive: str) -> None:
    with settings(spark, spark__sql__adaptive__enabled=adaptive):
        assert_equal_tables(spark, lambda: spark.sql(sql))


@pytest.mark.parametrize("sql", ["select * from numbers where id < 0", "select 1 where false"])
def test_no_rows(spark: SparkSession, numbers: DataFrame, sql: str) -> None:
    native = spark.sql(sql)
    with plain(spark):
        expected = spark.sql(sql)
        assert native.toArrow().equals(expected.toArrow())
        assert_frame_equal(native.toPandas(), expected.toPandas())


def test_no_columns(spark: SparkSession, numbers: DataFrame) -> None:
    df = spark.sql("select * from numbers where id >= 0").select()
    assert len(df.toPandas()) == 5550
    assert num_batches(df) > 0


@pytest.mark.parametrize(("limit", "most"), [("70", 70), ("1", 1), ("0", 5550), ("-1", 5550)])
def test_most_rows_of_a_batch(spark: SparkSession, numbers: DataFrame, limit: str, most: int) -> None:
    with settings(spark, spark__sql__execution__arrow__maxRecordsPerBatch=limit):
        df = spark.sql("select id, s from numbers where id >= 0")
        batches = df._collect_as_arrow()
    assert 0 < max(batch.num_rows for batch in batches) <= most
    assert num_batches(df) == len(batches)
    assert sum(batch.num_rows for batch in batches) == 5550


def test_small_batches_of_the_engine(spark: SparkSession, numbers: DataFrame) -> None:
    with settings(spark, spark__accelerant__batch__rows="3"):
        assert_equal_tables(spark, lambda: spark.sql("select id, s, d from numbers where id % 3 > 0"))


def test_columns_of_one_name(spark: SparkSession, numbers: DataFrame) -> None:
    assert_equal_tables(spark, lambda: spark.sql("select id, s as id, d as id from numbers where id >= 0"))


@pytest.mark.parametrize(
    "sql",
    ["select id, 1 / (id - 4000) as q from numbers", "select id, cast(s as int) as i from numbers where id > 4000"],
)
def test_an_error_amid_the_batches(spark: SparkSession, numbers: DataFrame, sql: str) -> None:
    df = spark.sql(sql)
    assert_native(df)
    native = failure(df.toArrow)
    assert native.condition in {"DIVIDE_BY_ZERO", "CAST_INVALID_INPUT"}
    assert native == failure(df.toPandas)
    with plain(spark):
        assert native == failure(spark.sql(sql).toArrow)


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("spark__sql__execution__arrow__useLargeVarTypes", "true"),
        ("spark__sql__execution__arrow__compression__codec", "zstd"),
    ],
)
def test_what_spark_writes_itself(spark: SparkSession, numbers: DataFrame, setting: str, value: str) -> None:
    sql = "select id, s, z from numbers where id >= 0"
    with settings(spark, **{setting: value}):
        df = spark.sql(sql)
        native = df.toArrow()
        assert_native(df)
        assert num_batches(df) == 0
        with plain(spark):
            assert native.equals(spark.sql(sql).toArrow())


def test_other_columns_keep_their_way_beside_large_types(spark: SparkSession, numbers: DataFrame) -> None:
    with settings(spark, spark__sql__execution__arrow__useLargeVarTypes="true"):
        assert_equal_tables(spark, lambda: spark.sql("select id, x, d from numbers where id >= 0"))


def test_values_that_only_spark_puts_together(spark: SparkSession, numbers: DataFrame) -> None:
    native = spark.sql(NESTED).toArrow()
    with plain(spark):
        assert native.equals(spark.sql(NESTED).toArrow())


def test_functions_of_python_get_rows(spark: SparkSession, numbers: DataFrame) -> None:
    def query() -> DataFrame:
        rows = spark.sql("select id, s from numbers where id >= 0")
        return rows.mapInArrow(lambda batches: batches, "id long, s string")

    native = query().toArrow()
    with plain(spark):
        assert native.equals(query().toArrow())


def test_a_damaged_file_is_named(spark: SparkSession, tmp_path: Path) -> None:
    with plain(spark):
        spark.range(100_000).selectExpr("id", "uuid() as s").coalesce(1).write.parquet(str(tmp_path / "t"))
    [file] = (tmp_path / "t").glob("*.parquet")
    data = bytearray(file.read_bytes())
    data[4:2000] = bytes(1996)
    file.write_bytes(data)
    with pytest.raises(Exception, match=file.name):
        spark.read.parquet(str(tmp_path / "t")).where("id >= 0").toArrow()


def test_cancelled_in_mid_query(spark: SparkSession, numbers: DataFrame) -> None:
    sql = "select a.id from numbers a join numbers b on a.id != b.id + 100000 join numbers c on b.id != c.id + 100000"
    context = spark.sparkContext

    def work() -> None:
        context.setJobGroup("arrow", "a table of far too many rows")
        with pytest.raises(Exception, match="cancel"):
            spark.sql(sql).toArrow()

    thread = threading.Thread(target=work)
    thread.start()
    assert eventually(lambda: context.statusTracker().getJobIdsForGroup("arrow"))
    time.sleep(0.2)
    context.cancelJobGroup("arrow")
    thread.join()
    assert eventually(lambda: held_bytes(spark) == 0)


def test_nothing_stays_behind(spark: SparkSession, numbers: DataFrame) -> None:
    for _ in range(3):
        table = spark.sql("select * from numbers where id >= 0").toArrow()
        assert pc.sum(table["id"]).as_py() == 5550 * 5549 // 2
    assert eventually(lambda: held_bytes(spark) == 0)


def test_large_results_reach_the_driver_without_blocks(spark: SparkSession) -> None:
    context = spark.sparkContext
    tracker, store = context.statusTracker(), spark._jsc.sc().statusStore()
    context.setJobGroup("large", "a result of 8 MB")
    try:
        assert spark.range(1_000_000).where("id >= 0").toArrow().num_rows == 1_000_000
    finally:
        context.setLocalProperty("spark.jobGroup.id", None)
    assert eventually(lambda: tracker.getJobIdsForGroup("large"))
    [job] = tracker.getJobIdsForGroup("large")
    [stage] = tracker.getJobInfo(job).stageIds

    def tasks() -> list[JavaObject]:
        found = store.taskList(stage, 0, 10)
        return [found.apply(i) for i in range(found.size())]

    assert eventually(lambda: tasks() and all(task.status() == "SUCCESS" for task in tasks()))
    assert all(task.resultFetchStart().isEmpty() for task in tasks())
