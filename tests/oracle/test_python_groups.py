"""Functions of Python that take groups: the engine brings each group's rows together."""

import sys
from collections.abc import Callable, Iterator

import pandas as pd
import pyarrow as pa
import pytest
from arrow_batches import num_batches
from engine_process import eventually, held_bytes
from oracle import (
    Query,
    explained,
    failure,
    normalised,
    operators,
    plain,
    plain_failure,
    settings,
)
from pyspark import cloudpickle
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.functions import pandas_udf
from pyspark.sql.types import DoubleType

pytestmark = pytest.mark.spark41

cloudpickle.register_pickle_by_value(sys.modules[__name__])  # workers have no modules of tests

EXCHANGES = {"Exchange", "ShuffleQueryStage", "AQEShuffleRead", "Sort"}


def described(frame: pd.DataFrame) -> pd.DataFrame:
    """Tells a group's rows apart from all others, in their order."""
    return pd.DataFrame({"rows": [len(frame)], "ids": [" ".join(map(str, sorted(frame["id"])))]})


def in_arrow(table: pa.Table) -> pa.Table:
    """Returns a column of a group."""
    return table.select(["id"])


def of_key(key: tuple, frame: pd.DataFrame) -> pd.DataFrame:
    """Returns a key as text and what it stands for."""
    return pd.DataFrame({"key": [repr(key)], "total": [int(frame["id"].sum())]})


@pandas_udf(DoubleType())
def mean(values: pd.Series) -> float:
    return float(values.mean())


def assert_sorted_natively(spark: SparkSession, query: Query, in_batches: bool = True) -> None:
    """Fails unless a query gives plain Spark's rows, without an exchange, its function the engine's batches."""
    df = query()
    rows = df.collect()
    found = operators(df)
    assert "NativeSort" in found, explained(df)
    assert not EXCHANGES & set(found), explained(df)
    assert (num_batches(df) > 0) == (in_batches and bool(rows))
    with plain(spark):
        assert normalised(rows) == normalised(query().collect())


def assert_same_failure(spark: SparkSession, query: Query) -> None:
    """Fails unless a query fails as on plain Spark."""
    native = failure(query().collect)
    expected = plain_failure(spark, query)
    assert (native.python_class, native.condition) == (expected.python_class, expected.condition)


@pytest.mark.parametrize("keys", [["n"], ["s"], ["x", "b"], ["t"], ["h", "d"]])
def test_keys(spark: SparkSession, numbers: DataFrame, keys: list[str]) -> None:
    """Nulls are a key too; a group lies within one part, whatever number of parts and batches there is."""
    some = numbers.where("id < 1200")
    with settings(spark, spark__accelerant__batch__rows="100"):
        assert_sorted_natively(spark, lambda: some.groupBy(*keys).applyInPandas(described, "rows long, ids string"))


QUERIES = {
    "with its key": lambda df: df.groupBy("n", "h").applyInPandas(of_key, "key string, total long"),
    "Arrow": lambda df: df.select("n", "id").groupBy("n").applyInArrow(in_arrow, "id long"),
    "aggregate": lambda df: df.groupBy("n", "b").agg(mean("id").alias("m"), mean("x").alias("k")),
    "one group": lambda df: df.groupBy(F.col("id") < 0).applyInPandas(described, "rows long, ids string"),
    "above a filter": lambda df: df.where("id % 7 = 3").groupBy("n").applyInPandas(described, "rows long, ids string"),
    "no row": lambda df: df.where("id < 0").groupBy("n").applyInPandas(described, "rows long, ids string"),
}


@pytest.mark.parametrize("name", QUERIES)
def test_functions(spark: SparkSession, numbers: DataFrame, name: str) -> None:
    assert_sorted_natively(spark, lambda: QUERIES[name](numbers), in_batches=name != "aggregate")


@pytest.mark.parametrize("limit", ["7", "1", "0", "10000"])
@pytest.mark.parametrize("rows", ["5", "100000"])
def test_batches_of_a_group(spark: SparkSession, numbers: DataFrame, limit: str, rows: str) -> None:
    """Unless bytes limit them, a group's batches have as many rows as on plain Spark, whatever the engine's have."""

    def lengths(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        found = " ".join(str(batch.num_rows) for batch in batches)
        yield pa.RecordBatch.from_pydict({"lengths": [found]})

    def query() -> DataFrame:
        return numbers.where("id < 700").select("h", "id").groupBy("h").applyInArrow(lengths, "lengths string")

    chosen = {"spark.sql.execution.arrow.maxRecordsPerBatch": limit, "spark.accelerant.batch.rows": rows}
    with settings(spark, **{name.replace(".", "__"): value for name, value in chosen.items()}):
        assert_sorted_natively(spark, query)


@pytest.mark.parametrize(("way", "zone"), [("pandas", "UTC"), ("pandas", "America/Los_Angeles"), ("arrow", "UTC")])
def test_every_type(spark: SparkSession, numbers: DataFrame, nested: DataFrame, zone: str, way: str) -> None:
    def frames(frame: pd.DataFrame) -> pd.DataFrame:
        return frame

    def tables(table: pa.Table) -> pa.Table:
        return table

    with settings(spark, spark__sql__session__timeZone=zone):
        for some, key in ((numbers.where("id between 1000 and 1400"), "h"), (nested.where("id < 300"), "id")):
            groups = some.groupBy(key)

            def query(groups: object = groups, schema: object = some.schema) -> DataFrame:
                if way == "arrow":
                    return groups.applyInArrow(tables, schema)
                return groups.applyInPandas(frames, schema)

            assert_sorted_natively(spark, query)


@pytest.mark.parametrize("size", [1, 3_000])
def test_groups_of_one_key(spark: SparkSession, numbers: DataFrame, size: int) -> None:
    """As many groups as rows, and one that many batches make up."""
    key = F.expr(f"id div {size}").alias("k")
    with settings(spark, spark__accelerant__batch__rows="50"):
        assert_sorted_natively(
            spark, lambda: numbers.select("*", key).groupBy("k").applyInPandas(described, "rows long, ids string")
        )


def test_failures_below(spark: SparkSession, numbers: DataFrame) -> None:
    """What fails in the engine before rows are sorted fails as on plain Spark."""
    for row in (0, 5_000):
        some = numbers.select("h", "id", F.expr(f"1 / (id - {row})").alias("q"))

        def query(some: DataFrame = some) -> DataFrame:
            return some.groupBy("h").applyInPandas(described, "rows long, ids string")

        with settings(spark, spark__accelerant__batch__rows="50"):
            assert_same_failure(spark, query)
            assert "NativeSort" in operators(query())
    assert eventually(lambda: held_bytes(spark) == 0)


def test_one_group_of_all(spark: SparkSession, numbers: DataFrame) -> None:
    """Without keys nothing is sorted: one part streams to the worker, which may have got some when a row fails."""

    def query(text: str) -> DataFrame:
        some = numbers.select("id", F.expr(text).alias("q")).limit(4_000)
        return some.groupBy().applyInPandas(described, "rows long, ids string")

    chosen = {"spark.accelerant.batch.rows": "50", "spark.sql.execution.arrow.maxRecordsPerBatch": "70"}
    with settings(spark, **{name.replace(".", "__"): value for name, value in chosen.items()}):
        df = query("id")
        rows = df.collect()
        assert num_batches(df) > 4_000 // 70
        with plain(spark):
            assert rows == query("id").collect()
        assert_same_failure(spark, lambda: query("1 / (id - 3500)"))
    assert eventually(lambda: held_bytes(spark) == 0)


def test_a_worker_that_ends_early(spark: SparkSession, numbers: DataFrame) -> None:
    """A function that does not read its group to the end, nor the next ones."""

    def first(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        yield next(batches).slice(0, 1)

    def query() -> DataFrame:
        return numbers.select("h", "id").groupBy("h").applyInArrow(first, "h short, id long")

    chosen = {"spark.accelerant.batch.rows": "50", "spark.sql.execution.arrow.maxRecordsPerBatch": "3"}
    with settings(spark, **{name.replace(".", "__"): value for name, value in chosen.items()}):
        df = query()
        assert len(df.collect()) == 101
        assert num_batches(df) > 101
        assert len(query().take(1)) == 1
    assert eventually(lambda: held_bytes(spark) == 0)


def test_most_bytes_of_a_batch(spark: SparkSession, numbers: DataFrame) -> None:
    """A group of more bytes than a batch may have comes in several; where they are cut is the engine's affair."""

    def counted(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        found = [batch.num_rows for batch in batches]
        yield pa.RecordBatch.from_pydict({"batches": [len(found)], "rows": [sum(found)]})

    with settings(spark, spark__sql__execution__arrow__maxBytesPerBatch="4k"):
        some = numbers.where("id < 3000").select("s", "id", F.expr("id div 1000").alias("k"))
        df = some.groupBy("k").applyInArrow(counted, "batches long, rows long")
        rows = df.collect()
        assert [row.rows for row in rows] == [1000] * 3
        assert all(row.batches > 1 for row in rows)
        assert num_batches(df) >= sum(row.batches for row in rows)


def test_compressed_batches(spark: SparkSession, numbers: DataFrame) -> None:
    """The engine makes none: rows go Spark's way. (With lz4 workers fail on plain Spark 4.3 too.)"""
    with settings(spark, spark__sql__execution__arrow__compression__codec="zstd"):
        assert_sorted_natively(spark, lambda: QUERIES["with its key"](numbers), in_batches=False)


def test_without_adaptive_execution(spark: SparkSession, numbers: DataFrame) -> None:
    """Spark's exchange and sort are there already, and stay."""
    with settings(spark, spark__sql__adaptive__enabled="false"):
        df = QUERIES["above a filter"](numbers)
        rows = df.collect()
        assert {"NativeFilter", "Exchange"} <= set(operators(df))
        with plain(spark):
            assert normalised(rows) == normalised(QUERIES["above a filter"](numbers).collect())


def test_zeros_and_no_numbers(spark: SparkSession, numbers: DataFrame) -> None:
    """Both zeros are one group, and all that is no number."""
    keys = "case id % 5 when 0 then 0.0D when 1 then -0.0D when 2 then double('NaN') when 3 then null else 1D end as k"

    def query() -> DataFrame:
        return numbers.selectExpr("id", keys).groupBy("k").applyInPandas(described, "rows long, ids string")

    assert_sorted_natively(spark, query)


def test_below_a_native_query(spark: SparkSession, numbers: DataFrame) -> None:
    def query() -> DataFrame:
        groups = numbers.groupBy("h").applyInPandas(described, "rows long, ids string")
        return groups.groupBy("rows").agg(F.count("*"), F.max("ids"))

    df = query()
    rows = df.collect()
    assert "NativeHashAggregate" in operators(df) or "NativeSortAggregate" in operators(df)
    with plain(spark):
        assert normalised(rows) == normalised(query().collect())


def test_two_inputs(spark: SparkSession, numbers: DataFrame) -> None:
    """Groups of two queries meet by Spark's exchanges."""

    def both(left: pd.DataFrame, right: pd.DataFrame) -> pd.DataFrame:
        return pd.DataFrame({"n": [len(left)], "m": [len(right)], "total": [left["id"].sum() + right["id"].sum()]})

    def query() -> DataFrame:
        left, right = numbers.select("h", "id"), numbers.where("id % 3 = 1").select("h", "id")
        return left.groupBy("h").cogroup(right.groupBy("h")).applyInPandas(both, "n long, m long, total long")

    df = query()
    rows = df.collect()
    assert operators(df).count("NativeFileScan") == 2, explained(df)
    with plain(spark):
        assert normalised(rows) == normalised(query().collect())


def test_failures(spark: SparkSession, numbers: DataFrame) -> None:
    def fails(frame: pd.DataFrame) -> pd.DataFrame:
        raise ValueError("enough")

    def query() -> DataFrame:
        return numbers.groupBy("n").applyInPandas(fails, "id long")

    assert_same_failure(spark, query)
    assert eventually(lambda: held_bytes(spark) == 0)


@pytest.mark.parametrize("consume", [lambda df: df.take(1), lambda df: df.limit(2).collect()], ids=["take", "limit"])
def test_limits(spark: SparkSession, numbers: DataFrame, consume: Callable[[DataFrame], list]) -> None:
    df = numbers.groupBy("n").applyInPandas(described, "rows long, ids string")
    assert 1 <= len(consume(df)) <= 2
    assert eventually(lambda: held_bytes(spark) == 0)
