"""Functions of Python in expressions that speak Arrow: the worker gets the engine's batches, which keep the rows."""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest
from engine_process import eventually, held_bytes
from oracle import Query, assert_native, explained, failure, normalised, operators, plain, plain_failure, settings
from pyspark import cloudpickle
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.functions import arrow_udf, pandas_udf, udf
from pyspark.sql.types import DateType, DoubleType, LongType, StringType
from test_arrow_python import num_batches

pytestmark = pytest.mark.spark41

cloudpickle.register_pickle_by_value(sys.modules[__name__])  # workers have no modules of tests

OTHERS = ["null", "cast(s as char(30))", "cast(u as timestamp_ntz)", "interval '1 02:03:04' day to second", "'é'"]


def itself(of: str) -> Callable[[Column], Column]:
    """Returns a function that gives back what it gets."""
    return pandas_udf(lambda values: values, of)


def twice_and_one(value: int):
    return 2 * value + 1


@pandas_udf(LongType())
def plus_one(values: pd.Series) -> pd.Series:
    return values + 1


@pandas_udf(DoubleType())
def ratio(of: pd.Series, to: pd.Series) -> pd.Series:
    return of / to


@pandas_udf(LongType())
def in_halves(batches: Iterator[pd.Series]) -> Iterator[pd.Series]:
    """Gives out other batches than it gets."""
    for batch in batches:
        places = [0, len(batch) // 2, len(batch)]
        for start, end in pairwise(places):
            yield batch[start:end] * 2


@pandas_udf(LongType())
def after_all(batches: Iterator[pd.Series]) -> Iterator[pd.Series]:
    """Gives out nothing before it has everything."""
    yield pd.concat(list(batches)) * 3


@arrow_udf(StringType())
def as_text(values: pa.Array) -> pa.Array:
    return values.cast(pa.string())


@udf(LongType(), useArrow=True)
def one_by_one(value: int | None) -> int | None:
    return None if value is None else value - 1


def assert_equal(spark: SparkSession, query: Query) -> DataFrame:
    """Fails unless a query gives the same rows as on plain Spark, with batches for its functions."""
    df = query()
    rows = df.collect()
    assert num_batches(df) > 0, explained(df)
    with plain(spark):
        assert normalised(rows) == normalised(query().collect())
    return df


CALLS = {
    "a column": lambda: plus_one("id"),
    "two columns": lambda: ratio("x", "id"),
    "computed": lambda: plus_one(F.col("id") * 2 + F.col("n")),
    "computed twice": lambda: ratio(F.col("x") + 1, (F.col("x") + 1) * 2),
    "a constant": lambda: ratio("x", F.lit(2.5)),
    "named": lambda: ratio(to=F.col("x"), of=F.col("id")),
    "a function of a function": lambda: plus_one(plus_one("id")),
    "other batches": lambda: in_halves("id"),
    "after all": lambda: after_all("id"),
    "Arrow": lambda: as_text("id"),
    "one by one": lambda: one_by_one("id"),
}


@pytest.fixture(scope="module")
def wide(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> DataFrame:
    """Rows of three thousand bytes in four partitions."""
    folder = str(tmp_path_factory.mktemp("wide"))
    with plain(spark):
        rows = spark.range(0, 40000, 1, 4).selectExpr("id", "concat(repeat('wide ', 600), id) as s")
        rows.write.mode("overwrite").parquet(folder)
    return spark.read.parquet(folder)


@pytest.mark.parametrize("name", CALLS)
def test_calls(spark: SparkSession, numbers: DataFrame, name: str) -> None:
    """Rows for Spark, and columns for a native query above."""
    with settings(spark, spark__sql__adaptive__enabled="false" if name == "two columns" else "true"):
        rows = assert_equal(spark, lambda: numbers.select("id", "s", CALLS[name]().alias("v"), "d", "w", "b"))
        assert "ArrowEvalPython" in operators(rows)

        def summed() -> DataFrame:
            called = numbers.where("id % 3 <> 1").select("n", "s", CALLS[name]().alias("v"), "id")
            return called.groupBy("n").agg(F.max("v"), F.min("s"), F.sum("id"), F.count("v"))

        assert "NativeProject" in operators(assert_equal(spark, summed))


@pytest.mark.parametrize("zone", ["UTC", "America/Los_Angeles"])
def test_every_type(spark: SparkSession, numbers: DataFrame, zone: str) -> None:
    with settings(spark, spark__sql__session__timeZone=zone):
        plain_types = ["id", "n", "h", "y", "x", "r", "s", "z", "b", "u"]
        with plain(spark):
            types = dict(numbers.dtypes)
        calls = {name: itself(types[name])(name) for name in plain_types}
        arrow = {name: arrow_udf(lambda values: values, types[name])(name) for name in ("d", "w", "t")}

        def query(names: list[str]) -> DataFrame:
            called = [(calls | arrow)[name].alias(f"f_{name}") for name in names]
            return numbers.select("*", *called)

        assert_equal(spark, lambda: query(plain_types).drop("t"))
        assert_equal(spark, lambda: query(plain_types).orderBy(F.desc("id")))
        assert_equal(spark, lambda: query(list(arrow)))
        assert_equal(spark, lambda: query(list(arrow)).orderBy(F.desc("f_w"), "id"))


@pytest.mark.parametrize("expression", OTHERS)
def test_columns_that_pass(spark: SparkSession, numbers: DataFrame, expression: str) -> None:
    def query() -> DataFrame:
        return numbers.selectExpr("id", f"{expression} as other").select("other", plus_one("id").alias("v"))

    assert_equal(spark, query)
    assert_equal(spark, lambda: query().orderBy(F.desc("v")))


@pytest.mark.parametrize(("limit", "rows"), [("1", "100"), ("70", "0"), ("0", "100"), ("100000", "0"), ("70", "100")])
def test_batches(spark: SparkSession, numbers: DataFrame, limit: str, rows: str) -> None:
    """The engine's batches and the worker's need not end in the same places."""

    def query() -> DataFrame:
        some = numbers.where("id < 400").select("id", "s", plus_one("id").alias("v"))
        return some.unionAll(numbers.where("id < 700").select("id", "s", in_halves("id").alias("v")))

    with settings(spark, spark__sql__execution__arrow__maxRecordsPerBatch=limit, spark__accelerant__batch__rows=rows):
        assert_equal(spark, query)
        assert_equal(spark, lambda: query().orderBy("id", "v"))


def test_several_operators(spark: SparkSession, numbers: DataFrame) -> None:
    """Each operator's functions run in one worker; above others there is one more."""

    def query() -> DataFrame:
        first = numbers.select("id", "n", plus_one("id").alias("a"), ratio("x", "id").alias("b"), "s")
        return first.where("a > 10").select("n", "s", plus_one(F.col("a") + F.col("n")).alias("c"), "b")

    assert_equal(spark, query)
    assert_equal(spark, lambda: query().groupBy("n").agg(F.sum("c"), F.max("b"), F.max("s")))
    assert_equal(spark, lambda: query().alias("l").join(query().groupBy("n").agg(F.max("c").alias("m")), "n"))


def test_rows_that_wait_are_spilled(spark: SparkSession, wide: DataFrame) -> None:
    """A function that takes all rows before it emits any has later ones wait outside of the engine."""

    def summed() -> DataFrame:
        ends = F.substring("s", 2990, 20)
        return wide.select(after_all("id").alias("v"), "s").groupBy(F.col("v") % 7).agg(F.max(ends), F.sum("v"))

    with settings(spark, spark__sql__files__minPartitionNum="1", spark__sql__files__maxPartitionBytes="10g"):
        assert_equal(spark, summed)
        assert_equal(spark, lambda: wide.select(after_all("id").alias("v"), F.substring("s", 2990, 20)))
    assert eventually(lambda: held_bytes(spark) == 0)


def test_no_rows(spark: SparkSession, numbers: DataFrame) -> None:
    assert numbers.where("id < 0").select(plus_one("id")).collect() == []
    assert numbers.where("id < 0").select(plus_one("id").alias("v")).agg(F.count("v")).first()[0] == 0


@pandas_udf(LongType())
def fails(values: pd.Series) -> pd.Series:
    if (values == 4000).any():
        raise ValueError("enough")
    return values


@pandas_udf(LongType())
def too_few(values: pd.Series) -> pd.Series:
    return values[1:]


@pandas_udf(LongType())
def too_many(batches: Iterator[pd.Series]) -> Iterator[pd.Series]:
    for batch in batches:
        yield pd.concat([batch, batch])


@pandas_udf(DateType())
def no_date(values: pd.Series) -> pd.Series:
    return values.astype(str)


FAILURES = {
    "in the function": lambda: fails("id"),
    "of its length": lambda: too_few("id"),
    "of its lengths": lambda: too_many("id"),
    "of its type": lambda: no_date("id"),
    "in an argument": lambda: plus_one(F.expr("cast(id / (id - 17) as long)")),
}


@pytest.mark.parametrize("name", FAILURES)
def test_failures(spark: SparkSession, numbers: DataFrame, name: str) -> None:
    def called() -> DataFrame:
        return numbers.select("n", FAILURES[name]().alias("v"))

    for query in (called, lambda: called().groupBy("n").agg(F.max("v"))):
        df = query()
        native = failure(df.collect)
        assert any(name.startswith("Native") for name in operators(df))
        expected = plain_failure(spark, query)
        assert (native.python_class, native.condition) == (expected.python_class, expected.condition)
    assert eventually(lambda: held_bytes(spark) == 0)


@pytest.mark.parametrize(
    "consume",
    [
        lambda df: df.take(3),
        lambda df: df.limit(20).collect(),
        lambda df: df._jdf.showString(20, 20, False),
        lambda df: next(df.toLocalIterator()),
    ],
    ids=["take", "limit", "show", "iterator"],
)
def test_limits(spark: SparkSession, wide: DataFrame, tmp_path: Path, consume: Callable[[DataFrame], object]) -> None:
    """A function gets no more rows than on plain Spark and a batch."""
    seen = tmp_path / "seen"  # an accumulator's counts get lost with a worker that is stopped

    @pandas_udf(LongType())
    def counted(values: pd.Series) -> pd.Series:
        with seen.open("a") as file:
            file.write(f"{len(values)}\n")
        return values

    def query() -> DataFrame:
        return wide.select(counted("id").alias("v"), "s")

    with settings(spark, spark__sql__execution__arrow__maxRecordsPerBatch="1000"):
        consume(query())
        native = sum(map(int, seen.read_text().split()))
        seen.unlink()
        with plain(spark):
            consume(query())
        expected = sum(map(int, seen.read_text().split()))
    assert 0 < native <= expected + 1000
    assert eventually(lambda: held_bytes(spark) == 0)


def test_cancelling(spark: SparkSession, wide: DataFrame, tmp_path: Path) -> None:
    """A query that is cancelled while a function computes leaves nothing, and the next one runs."""
    seen = tmp_path / "seen"

    @pandas_udf(LongType())
    def slow(values: pd.Series) -> pd.Series:
        seen.touch()
        time.sleep(0.2)
        return values

    def work() -> None:
        context.setJobGroup("slow function", "a function that takes minutes")
        with pytest.raises(Exception, match="cancel"):
            wide.select(slow("id").alias("v"), "s").agg(F.max("v"), F.max("s")).collect()

    context = spark.sparkContext
    with settings(spark, spark__sql__execution__arrow__maxRecordsPerBatch="100"):
        thread = threading.Thread(target=work)
        thread.start()
        assert eventually(seen.exists)
        context.cancelJobGroup("slow function")
        thread.join(30)
    assert not thread.is_alive()
    assert eventually(lambda: held_bytes(spark) == 0)
    assert wide.select(plus_one("id").alias("v")).agg(F.count("v")).first()[0] == wide.count()


def test_functions_that_spark_makes_expressions(spark: SparkSession, numbers: DataFrame) -> None:
    """With Spark's setting, rows are computed without Python, and natively; errors are those of its expression."""
    if spark.version < "4.3":
        pytest.skip("Spark 4.1 makes no expressions of functions")

    def of_all(factor: int) -> DataFrame:
        more = udf(twice_and_one, LongType(), useArrow=False)
        return numbers.select(more(F.col("id") * factor).alias("v")).groupBy((F.col("v") % 7).alias("r")).count()

    with settings(
        spark,
        spark__sql__experimental__optimizer__transpilePyUDFs="true",
        spark__sql__ansi__enabled="true",
    ):
        df = of_all(1)
        rows = df.collect()
        assert_native(df)
        with plain(spark):
            assert normalised(rows) == normalised(of_all(1).collect())
        native, expected = failure(of_all(1 << 50).collect), plain_failure(spark, lambda: of_all(1 << 50))
        assert (native.python_class, native.condition) == (expected.python_class, expected.condition)


def test_what_is_left_to_spark(spark: SparkSession, numbers: DataFrame) -> None:
    """Rows go Spark's way where its runner would get other batches than the engine's."""
    for name, value in (
        ("spark__sql__execution__arrow__useLargeVarTypes", "true"),
        ("spark__sql__execution__arrow__compression__codec", "lz4"),
    ):
        with settings(spark, **{name: value}):
            df = numbers.select("id", as_text("id").alias("v"), plus_one(F.col("id") + 1))
            rows = df.collect()
            assert num_batches(df) == 0 or "lz4" not in value
            with plain(spark):
                expected = numbers.select("id", as_text("id").alias("v"), plus_one(F.col("id") + 1)).collect()
            assert normalised(rows) == normalised(expected)


def test_arguments_that_spark_computes(spark: SparkSession, numbers: DataFrame) -> None:
    """What the engine can't compute, an array here, is no reason to leave more to Spark than the operator."""

    def query() -> DataFrame:
        return numbers.select("n", size_of(F.array("id", "n")).alias("v")).groupBy("n").agg(F.sum("v"))

    df = query()
    rows = df.collect()
    with plain(spark):
        assert normalised(rows) == normalised(query().collect())


@pandas_udf(LongType())
def size_of(lists: pd.Series) -> pd.Series:
    return lists.map(len)
