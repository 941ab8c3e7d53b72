"""A native query over its budget, for a write, an RDD, a cache or Python: it goes on on disk, whatever it is."""

import re
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from engine_process import eventually, held_bytes
from oracle import explained, normalised, plain, settings
from parquet_files import is_native
from pyspark.sql import DataFrame, SparkSession

from accelerant import tpch

pytestmark = pytest.mark.spark41

LIMIT = "14m"
GROUPS = "select l_orderkey, sum(l_quantity) as total, max(l_comment) as words from lineitem group by l_orderkey"
JOINED = (
    "select a.l_orderkey, a.l_comment, b.l_comment as other from lineitem a join lineitem b "
    "on a.l_orderkey = b.l_orderkey and a.l_linenumber = b.l_linenumber"
)
WIDE_GROUPS = (
    "select l_orderkey, l_linenumber, max(l_comment) as a, min(l_shipinstruct) as b, max(l_shipmode) as c, "
    "sum(l_quantity) as d, first(l_comment) as e from lineitem group by l_orderkey, l_linenumber"
)
WIDE_JOINED = (
    "select a.l_orderkey, a.l_comment, a.l_shipinstruct, b.l_comment as other, b.l_shipinstruct as another "
    "from lineitem a left join lineitem b on a.l_orderkey = b.l_orderkey and a.l_linenumber = b.l_linenumber - 1"
)
WINDOWED = (
    "select l_orderkey, l_linenumber, l_comment, l_shipinstruct, l_shipmode, lag(l_comment) over w as before, "
    "sum(l_quantity) over w as total from lineitem window w as (partition by l_orderkey order by l_linenumber)"
)
QUERIES = {"aggregate": GROUPS, "join": JOINED}
SPILLING = QUERIES | {"wide aggregate": WIDE_GROUPS, "wide join": WIDE_JOINED, "window": WINDOWED}

# Takes a query's rows, by way of a folder or not.
Consumer = Callable[[DataFrame, Path], pa.Table]


@pytest.fixture(scope="module", autouse=True)
def lineitem(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> None:
    lines = spark.read.parquet(str(tpch.generate(0.1)["lineitem"]))
    lines.createOrReplaceTempView("lineitem")
    csv = str(tmp_path_factory.mktemp("lines") / "csv")
    with plain(spark):
        lines.select("l_orderkey", "l_linenumber", "l_quantity", "l_comment").write.csv(csv, header=True)
    spark.read.csv(csv, header=True, inferSchema=True, mode="FAILFAST").createOrReplaceTempView("lines_csv")


def written(df: DataFrame, folder: Path) -> pa.Table:
    df.write.parquet(str(folder / "t"))
    with plain(df.sparkSession):
        return df.sparkSession.read.parquet(str(folder / "t")).toArrow()


def written_into_folders(df: DataFrame, folder: Path) -> pa.Table:
    df.selectExpr("*", "l_orderkey % 5 as k").write.partitionBy("k").parquet(str(folder / "t"))
    with plain(df.sparkSession):
        return df.sparkSession.read.parquet(str(folder / "t")).toArrow()


def written_as_orc(df: DataFrame, folder: Path) -> pa.Table:
    df.write.orc(str(folder / "t"))
    with plain(df.sparkSession):
        return df.sparkSession.read.orc(str(folder / "t")).toArrow()


def by_rdd(df: DataFrame, _: Path) -> pa.Table:
    return pa.Table.from_pylist([row.asDict() for row in df.rdd.collect()])


def through_pandas(df: DataFrame, _: Path) -> pa.Table:
    return df.mapInPandas(lambda frames: frames, df.schema).toArrow()


def in_order(rows: pa.Table) -> pa.Table:
    """Returns rows in an order that depends on nothing but their values."""
    return rows.sort_by([(name, "ascending") for name in rows.column_names])


CONSUMERS = {f.__name__: f for f in (written, written_into_folders, written_as_orc, by_rdd, through_pandas)}


REVERTED = re.compile(r"reverted to Spark: (.*)")


@pytest.fixture
def reverted(spark: SparkSession) -> Callable[[DataFrame], list[str]]:
    """Says why a query, or the executions since the test began, went to Spark."""
    store = spark._jsparkSession.sharedState().statusStore()
    bus = spark.sparkContext._jsc.sc().listenerBus()

    def newest() -> int:
        executions = store.executionsList()
        return max((executions.apply(i).executionId() for i in range(executions.size())), default=-1)

    since = newest()

    def reasons(df: DataFrame) -> list[str]:
        bus.waitUntilEmpty()
        executions = store.executionsList()
        shown = [executions.apply(i) for i in range(executions.size())]
        texts = [execution.physicalPlanDescription() for execution in shown if execution.executionId() > since]
        return REVERTED.findall("\n".join([explained(df), *texts]))

    return reasons


def test_filling_a_cache(spark: SparkSession) -> None:
    with plain(spark):
        expected = spark.sql(GROUPS).toArrow()
    with settings(spark, spark__accelerant__memory__limit=LIMIT):
        df = spark.sql(GROUPS).cache()
        try:
            rows = df.toArrow()
            plan = df._jdf.queryExecution().executedPlan().toString()
        finally:
            df.unpersist()
    assert in_order(rows).equals(in_order(expected))
    assert "NativeSortAggregate" in plan


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("adaptive", ["true", "false"])
def test_operators(
    spark: SparkSession, tmp_path: Path, query: str, adaptive: str, reverted: Callable[[DataFrame], list[str]]
) -> None:
    df = spark.sql(QUERIES[query])
    with settings(spark, spark__sql__adaptive__enabled=adaptive):
        with settings(spark, spark__accelerant__memory__limit=LIMIT):
            rows = written(df, tmp_path / "native")
        # Without adaptive execution Spark may count on an order that groups on disk do not have.
        assert not any("out of memory" in reason for reason in reverted(df)), explained(df)
        with plain(spark):
            expected = written(spark.sql(QUERIES[query]), tmp_path / "expected")
    assert in_order(rows).equals(in_order(expected))


@pytest.mark.parametrize("query", SPILLING)
@pytest.mark.parametrize("consumer", CONSUMERS)
def test_what_spills_stays_native(
    spark: SparkSession, tmp_path: Path, query: str, consumer: str, reverted: Callable[[DataFrame], list[str]]
) -> None:
    take = CONSUMERS[consumer]
    with plain(spark):
        expected = take(spark.sql(SPILLING[query]), tmp_path / "expected")
    df = spark.sql(SPILLING[query])
    with settings(spark, spark__accelerant__memory__limit=LIMIT):
        rows = take(df, tmp_path / "native")
    assert in_order(rows).equals(in_order(expected))
    assert not reverted(df), explained(df)
    if consumer == "written":
        assert is_native(tmp_path / "native" / "t")
    assert eventually(lambda: held_bytes(spark) == 0)


def test_with_enough_memory_it_is_native(
    spark: SparkSession, tmp_path: Path, reverted: Callable[[DataFrame], list[str]]
) -> None:
    df = spark.sql(GROUPS)
    df.write.parquet(str(tmp_path / "t"))
    assert not reverted(df)
    files = list((tmp_path / "t").glob("*.parquet"))
    assert all(pq.read_metadata(file).created_by.startswith("accelerant") for file in files)


def test_groups_of_python(spark: SparkSession, reverted: Callable[[DataFrame], list[str]]) -> None:
    """The sort that brings groups together for Python is over its budget, and goes on on disk."""

    def query() -> DataFrame:
        lines = spark.table("lineitem").select("l_suppkey", "l_orderkey", "l_comment")
        return lines.groupBy("l_suppkey").applyInPandas(counted, "key long, rows long, words long")

    def counted(frame: pd.DataFrame) -> pd.DataFrame:
        words = int(frame.l_comment.str.len().sum())
        return pd.DataFrame({"key": [frame.l_suppkey.iloc[0]], "rows": [len(frame)], "words": [words]})

    df = query()
    assert "NativeSort" in df._jdf.queryExecution().executedPlan().toString()
    with settings(spark, spark__accelerant__memory__limit=LIMIT):
        rows = df.collect()
    assert not reverted(df), explained(df)
    assert "bytes spilled" in explained(df)
    with plain(spark):
        assert normalised(rows) == normalised(query().collect())
    assert eventually(lambda: held_bytes(spark) == 0)


ISLAND = "select l_orderkey, sum(l_quantity) as total, max(l_comment) as words from lines_csv group by l_orderkey"


@pytest.mark.parametrize("consumer", ["written", "by_rdd", "through_pandas"])
def test_rows_of_an_island(
    spark: SparkSession, tmp_path: Path, consumer: str, reverted: Callable[[DataFrame], list[str]]
) -> None:
    take = CONSUMERS[consumer]
    with plain(spark):
        expected = take(spark.sql(ISLAND), tmp_path / "expected")
    df = spark.sql(ISLAND)
    with settings(spark, spark__accelerant__memory__limit=LIMIT):
        rows = take(df, tmp_path / "native")
    assert in_order(rows).equals(in_order(expected))
    assert not reverted(df), explained(df)


def test_rows_of_python(spark: SparkSession, reverted: Callable[[DataFrame], list[str]]) -> None:
    """A function may do something: its rows are asked for once."""
    asked = spark.sparkContext.accumulator(0)

    def with_words(frames):
        for frame in frames:
            asked.add(len(frame))
            yield frame.assign(words=frame.l_orderkey.astype(str) + "-" * 80)

    lines = spark.table("lineitem").select("l_orderkey")
    df = lines.mapInPandas(with_words, "l_orderkey long, words string").groupBy("l_orderkey").agg({"words": "max"})
    assert "MapInPandas (island)" in explained(df)
    with settings(spark, spark__accelerant__memory__limit=LIMIT):
        rows = df.collect()
    assert not reverted(df), explained(df)
    assert asked.value == lines.count()
    assert len(rows) == lines.distinct().count()
    assert all(row[1] == str(row[0]) + "-" * 80 for row in rows)


def test_nested_columns(spark: SparkSession, tmp_path: Path, reverted: Callable[[DataFrame], list[str]]) -> None:
    """What reads them charges the budget in its own way."""
    lists = [[f"{i} {j} of words that fill memory" for j in range(i % 40)] for i in range(60_000)]
    pq.write_table(pa.table({"id": range(len(lists)), "words": lists}), tmp_path / "lists.parquet")

    def rows() -> DataFrame:
        return spark.read.parquet(str(tmp_path / "lists.parquet")).orderBy("id").select("words")

    with plain(spark):
        expected = rows().collect()
    df = rows()
    with settings(spark, spark__accelerant__memory__limit="4m"):
        assert df.collect() == expected
    assert not reverted(df), explained(df)
    assert eventually(lambda: held_bytes(spark) == 0)


def test_a_batch_of_too_many_elements(spark: SparkSession, reverted: Callable[[DataFrame], list[str]]) -> None:
    """Spark makes one row's array after the other."""
    df = spark.range(0, 2200, 1, 1).selectExpr("sum(size(sequence(0, 1000000 + cast(id % 3 as int))))")
    assert df.first() == (2200 * 1_000_001 + sum(i % 3 for i in range(2200)),)
    assert any("a batch has more than 2^31 array elements" in reason for reason in reverted(df))
