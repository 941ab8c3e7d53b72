"""Consumers that run several of Spark's jobs over one native result: the work before its first row is done once."""

import random
import time
from collections.abc import Callable

import pytest
from engine_process import eventually, held_bytes
from oracle import assert_native, explained, normalised, plain, settings
from py4j.java_gateway import JavaObject
from pyspark.sql import DataFrame, SparkSession

from accelerant import tpch

pytestmark = pytest.mark.spark41

GROUPS = "select l_orderkey as k, sum(l_quantity) as total, count(*) as n from lineitem group by l_orderkey"
JOINED = (
    "select a.l_orderkey as k, a.l_linenumber as n, b.l_quantity as q from lineitem a join lineitem b "
    "on a.l_orderkey = b.l_orderkey and a.l_linenumber = b.l_linenumber"
)


@pytest.fixture(scope="module", autouse=True)
def lineitem(spark: SparkSession) -> None:
    spark.read.parquet(str(tpch.generate(0.1)["lineitem"])).createOrReplaceTempView("lineitem")


def nodes(plan: JavaObject) -> list[JavaObject]:
    """Returns all nodes of a plan that ran, those of finished stages too."""
    name = plan.nodeName()
    if name == "AdaptiveSparkPlan":
        return nodes(plan.executedPlan())
    if name.endswith("QueryStage"):
        return nodes(plan.plan())
    children = [plan.children().apply(i) for i in range(plan.children().size())]
    return [plan, *(node for child in children for node in nodes(child))]


def rows_read(df: DataFrame) -> list[int]:
    """Returns how many rows each native scan of a query has emitted, in all runs."""
    found = nodes(df._jdf.queryExecution().executedPlan())
    natives = [node for node in found if node.nodeName().startswith("NativeScan parquet")]
    assert natives, [node.nodeName() for node in found]
    return [node.metrics().get("numOutputRows").get().value() for node in natives]


def lines(spark: SparkSession) -> int:
    with plain(spark):
        return spark.table("lineitem").count()


RDDS: dict[str, Callable[[DataFrame], object]] = {
    "zipWithIndex": lambda df: df.rdd.zipWithIndex().count(),
    "sortBy": lambda df: df.rdd.sortBy(lambda row: row.k).count(),
    "two actions": lambda df: [rdd.count() + rdd.count() for rdd in [df.rdd]],
    # Each job gives little back, so that the next one comes soon.
    "parts": lambda df: [
        rdd.context.runJob(rdd, lambda rows: [sum(1 for _ in rows)], [part]) for rdd in [df.rdd] for part in (0, 1, 0)
    ],
}


@pytest.mark.parametrize("consumer", RDDS)
def test_rdd(spark: SparkSession, consumer: str) -> None:
    df = spark.sql(GROUPS)
    assert_native(df)
    RDDS[consumer](df)
    assert rows_read(df) == [lines(spark)]


FRAMES: dict[str, Callable[[DataFrame], DataFrame]] = {
    "repartitionByRange": lambda df: df.repartitionByRange(5, "k"),
    "repartitionByRange of two": lambda df: df.repartitionByRange(5, "total", "k"),
    "sort above Python": lambda df: df.mapInPandas(lambda frames: frames, df.schema).sort("k"),
}


@pytest.mark.parametrize("adaptive", ["true", "false"])
@pytest.mark.parametrize("consumer", FRAMES)
def test_frame(spark: SparkSession, consumer: str, adaptive: str) -> None:
    with settings(spark, spark__sql__adaptive__enabled=adaptive):
        df = FRAMES[consumer](spark.sql(GROUPS))
        rows = df.collect()
        assert rows_read(df) == [lines(spark)]
        with plain(spark):
            assert normalised(rows) == normalised(FRAMES[consumer](spark.sql(GROUPS)).collect())


def test_join_below_python(spark: SparkSession) -> None:
    """What is built is read again; what streams past it is read anew."""
    df = spark.sql(JOINED)
    sorted_rows = df.mapInPandas(lambda frames: frames, df.schema).repartitionByRange(3, "k")
    assert sorted_rows.count() == lines(spark)


def test_indices_are_those_of_one_order(spark: SparkSession) -> None:
    df = spark.sql(GROUPS)
    indexed = df.rdd.zipWithIndex().collect()
    assert sorted(index for _, index in indexed) == list(range(len(indexed)))
    assert len({row.k for row, _ in indexed}) == len(indexed) == df.count()


@pytest.mark.parametrize("adaptive", ["true", "false"])
def test_rows_that_differ_each_time_have_one_exchange(spark: SparkSession, adaptive: str) -> None:
    """Spark computes a common table expression that is not deterministic once."""
    sql = """with c as (select l_orderkey k, l_linenumber n, reflect('java.util.UUID', 'randomUUID') u from lineitem
                        where l_orderkey < 5000)
             select count(*) from c a join c b on a.k = b.k and a.n = b.n and a.u = b.u"""
    with settings(spark, spark__sql__adaptive__enabled=adaptive):
        found = spark.sql(sql).collect()
        with plain(spark):
            assert found == spark.sql(sql).collect()
    assert found[0][0] > 1000


def test_an_iteration_that_pauses(spark: SparkSession) -> None:
    """Rows that differ each time are not computed again for later partitions, and go when all have been read."""
    rows = spark.sparkContext.parallelize(range(20_000), 4).map(lambda i: (i, random.random()))
    df = spark.createDataFrame(rows, "id long, x double").orderBy("x")
    found = []
    for row in df.toLocalIterator():
        found.append(row.id)
        if len(found) == 10:
            assert "NativeSort" in explained(df)
            time.sleep(8)
    assert len(set(found)) == len(found) == 20_000
    assert eventually(lambda: held_bytes(spark) == 0), f"{held_bytes(spark)} bytes held"
