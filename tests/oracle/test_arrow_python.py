"""Python functions that take Arrow batches: the engine's own, where rows would only become batches for the worker."""

import sys
from collections.abc import Callable, Iterator

import pandas as pd
import pyarrow as pa
import pytest
from arrow_batches import num_batches
from oracle import failure, nodes, plain, settings
from pyspark import cloudpickle
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark41

cloudpickle.register_pickle_by_value(sys.modules[__name__])  # workers have no modules of tests

Query = Callable[[], DataFrame]

OTHERS = """
select null as nothing, cast(s as char(30)) as c, cast(s as varchar(40)) as v, z, b, x, r, w, 'é' as constant,
       cast(u as timestamp_ntz) as ntz, interval '1 02:03' day to minute as i
from numbers where id >= 0
"""


def same(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Returns what it gets."""
    yield from batches


def same_frames(frames: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
    """Returns what it gets."""
    yield from frames


def assert_equal(spark: SparkSession, query: Query) -> list:
    """Fails unless a query gives the same rows, with batches for its function, as on plain Spark; returns them."""
    df = query()
    native = sorted(map(repr, df.collect()))
    assert num_batches(df) > 0 or not native
    with plain(spark):
        expected = sorted(map(repr, query().collect()))
    assert native == expected
    return native


@pytest.mark.parametrize("sql", ["select * from numbers where id >= 0", OTHERS])
@pytest.mark.parametrize("zone", ["UTC", "America/Los_Angeles"])
def test_every_type_to_arrow(spark: SparkSession, numbers: DataFrame, sql: str, zone: str) -> None:
    with settings(spark, spark__sql__session__timeZone=zone):
        df = spark.sql(sql)
        assert len(assert_equal(spark, lambda: spark.sql(sql).mapInArrow(same, df.schema))) == 5550


@pytest.mark.parametrize("limit", ["70", "1", "0", "100000"])
def test_most_rows_of_a_batch(spark: SparkSession, numbers: DataFrame, limit: str) -> None:
    def lengths(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            yield pa.record_batch({"n": [batch.num_rows]})

    with settings(spark, spark__sql__execution__arrow__maxRecordsPerBatch=limit):
        df = spark.sql("select id, s from numbers where id >= 0").mapInArrow(lengths, "n long")
        found = [row.n for row in df.collect()]
    assert num_batches(df) == len(found)
    assert sum(found) == 5550
    assert max(found) <= (int(limit) or 5550)


def test_most_bytes_of_a_batch(spark: SparkSession, numbers: DataFrame) -> None:
    def sizes(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            yield pa.record_batch({"n": [batch.nbytes], "r": [batch.num_rows]})

    with settings(spark, spark__sql__execution__arrow__maxBytesPerBatch="1000"):
        df = spark.sql("select id, s from numbers where id >= 0").mapInArrow(sizes, "n long, r long")
        found = df.collect()
    assert sum(row.r for row in found) == 5550
    assert max(row.n for row in found) <= 1000
    assert num_batches(df) == len(found)


def test_short_batches_are_put_together(spark: SparkSession, numbers: DataFrame) -> None:
    def lengths(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            yield pa.record_batch({"n": [batch.num_rows]})

    with settings(spark, spark__accelerant__batch__rows="100"):
        df = spark.sql("select id, s from numbers where id % 10 = 0").mapInArrow(lengths, "n long")
        found = [row.n for row in df.collect()]
    assert sum(found) == 555
    assert len(found) <= 2  # one a task


@pytest.mark.parametrize("adaptive", ["true", "false"])
def test_pandas(spark: SparkSession, numbers: DataFrame, adaptive: str) -> None:
    with settings(spark, spark__sql__adaptive__enabled=adaptive):
        sql = "select id, s, d, u, t, b from numbers where n = 1"
        assert_equal(spark, lambda: spark.sql(sql).mapInPandas(same_frames, spark.sql(sql).schema))


def test_no_rows(spark: SparkSession, numbers: DataFrame) -> None:
    def once(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        yield pa.record_batch({"n": [sum(batch.num_rows for batch in batches)]})

    def query() -> DataFrame:
        return spark.sql("select id, s from numbers where id < 0").mapInArrow(once, "n long")

    with plain(spark):
        expected = {row.n for row in query().collect()}
    assert {row.n for row in query().collect()} == expected == {0}


def test_failures(spark: SparkSession, numbers: DataFrame) -> None:
    def fails(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            yield batch
            raise ValueError("enough")

    for query in (
        lambda: spark.sql("select id, s from numbers where id >= 0").mapInArrow(fails, "id long, s string"),
        lambda: spark.sql("select id, s from numbers where id >= 0").mapInArrow(same, "id string, s string"),
        lambda: spark.sql("select id / (id - 17) as q from numbers").mapInArrow(same, "q double"),
    ):
        df = query()
        native = failure(df.collect)
        assert any(node.nodeName().startswith("Native") for node in nodes(df._jdf.queryExecution().executedPlan()))
        with plain(spark):
            assert native.condition == failure(query().collect).condition


def test_large_strings_are_sparks(spark: SparkSession, numbers: DataFrame) -> None:
    sql = "select id, s from numbers where id >= 0"
    with settings(spark, spark__sql__execution__arrow__useLargeVarTypes="true"):
        df = spark.sql(sql).mapInArrow(same, "id long, s string")
        assert len(df.collect()) == 5550
        assert num_batches(df) == 0


def test_abandoned(spark: SparkSession, numbers: DataFrame) -> None:
    df = spark.sql("select id, s from numbers where id >= 0").mapInArrow(same, "id long, s string")
    assert len(df.limit(3).collect()) == 3
    assert len(df.take(1)) == 1
