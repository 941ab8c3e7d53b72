"""Functions of Python that take groups: the engine brings each group's rows together."""

import sys
from collections.abc import Callable

import pandas as pd
import pyarrow as pa
import pytest
from engine_process import eventually, held_bytes
from oracle import Query, explained, failure, normalised, operators, plain, plain_failure, settings
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


def assert_sorted_natively(spark: SparkSession, query: Query) -> None:
    """Fails unless a query gives the rows of plain Spark, without an exchange."""
    df = query()
    rows = df.collect()
    found = operators(df)
    assert "NativeSort" in found, explained(df)
    assert not EXCHANGES & set(found), explained(df)
    with plain(spark):
        assert normalised(rows) == normalised(query().collect())


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
    assert_sorted_natively(spark, lambda: QUERIES[name](numbers))


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

    native = failure(query().collect)
    expected = plain_failure(spark, query)
    assert (native.python_class, native.condition) == (expected.python_class, expected.condition)
    assert eventually(lambda: held_bytes(spark) == 0)


@pytest.mark.parametrize("consume", [lambda df: df.take(1), lambda df: df.limit(2).collect()], ids=["take", "limit"])
def test_limits(spark: SparkSession, numbers: DataFrame, consume: Callable[[DataFrame], list]) -> None:
    df = numbers.groupBy("n").applyInPandas(described, "rows long, ids string")
    assert 1 <= len(consume(df)) <= 2
    assert eventually(lambda: held_bytes(spark) == 0)
