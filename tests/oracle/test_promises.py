"""What the engine's results promise to Spark's operators above them, and what of Spark's plan others look for."""

import re
import time
from pathlib import Path

import pytest
from oracle import explained, normalised, plain, settings
from pyspark import StorageLevel, TaskContext
from pyspark.sql import DataFrame, Observation, SparkSession
from pyspark.sql import functions as F

pytestmark = pytest.mark.spark41

TOP_GROUPS = "(select k, count(*) as n from few group by k order by n limit 3)"
JOINED = f"from {TOP_GROUPS} a {{}} join many b on a.k = b.k"
NUMBERED = {
    "left join": "select a.k, row_number() over (order by a.n) as rn " + JOINED.format("left"),
    "inner join": "select a.k, row_number() over (order by a.n) as rn " + JOINED.format("inner"),
    "groups of a join": "select a.k, count(*) over (partition by a.k) as rn " + JOINED.format("inner"),
}


@pytest.fixture(scope="module", autouse=True)
def tables(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("promises")
    with plain(spark):
        key = "case when id < 10 then 0 when id < 100 then 1 when id < 300 then 2 else 3 end as k"
        spark.range(1000).selectExpr(key).write.parquet(str(folder / "few"))
        spark.range(100_000).selectExpr("id", "id % 7 as k").write.parquet(str(folder / "many"))
    for name in ("few", "many"):
        spark.read.parquet(str(folder / name)).createOrReplaceTempView(name)


@pytest.mark.parametrize("broadcast", ["-1", "10m"])
@pytest.mark.parametrize("name", NUMBERED)
def test_a_join_promises_no_order(spark: SparkSession, name: str, broadcast: str) -> None:
    """The engine chooses what a join builds, and so the order of its rows."""
    sql = f"select k, min(rn), max(rn), count(*) from ({NUMBERED[name]}) group by k"
    with settings(spark, spark__sql__autoBroadcastJoinThreshold=broadcast):
        df = spark.sql(sql)
        found = normalised(df.collect())
        assert "* SortMergeJoin" in explained(df) or "* BroadcastHashJoin" in explained(df)
        with plain(spark):
            assert found == normalised(spark.sql(sql).collect())


def test_one_partition_of_a_query_that_turned_to_spark(submit, tmp_path: Path) -> None:
    """On one core a result has one partition, on which a window counts."""
    job = tmp_path / "job.py"
    job.write_text(
        "from pyspark import StorageLevel\n"
        "from pyspark.sql import SparkSession, Window, functions as F\n"
        "spark = SparkSession.builder.getOrCreate()\n"
        "a = spark.range(0, 100, 1, 4).selectExpr('id', 'id % 5 as k').persist(StorageLevel.MEMORY_ONLY)\n"
        "b = spark.range(5).selectExpr('id as k', 'id * 10 as v')\n"
        "numbered = a.join(F.broadcast(b), 'k').select(F.row_number().over(Window.orderBy('id')).alias('rn'))\n"
        "print('counted', a.count(), numbered.agg(F.max('rn')).head()[0])\n"
        "lists = a.join(F.broadcast(b), 'k').agg(F.collect_list('id').alias('ids'), F.rand(1).alias('r'))\n"
        "print('lists', lists.count(), sorted(lists.head().ids) == list(range(100)))\n"
    )
    done = submit(job, spark__master="local[1]")
    assert "counted 100 100" in done.stdout, done.stdout + done.stderr
    assert "lists 1 True" in done.stdout


def observed(df: DataFrame) -> tuple[DataFrame, Observation]:
    observation = Observation()
    return df.observe(observation, F.count(F.lit(1)).alias("n"), F.max("id").alias("most")), observation


def test_metrics_of_what_fills_a_cache(spark: SparkSession) -> None:
    rows, observation = observed(spark.range(100).selectExpr("id", "id % 5 as k"))
    cached = rows.cache()
    try:
        groups = cached.groupBy("k").count()
        assert len(groups.collect()) == 5
        assert "metrics of what fills the cache are observed, in Spark's plan" in explained(groups)
        assert observation.get == {"n": 100, "most": 99}
    finally:
        cached.unpersist()


@pytest.mark.parametrize("turns", [False, True])
def test_metrics_within_a_query(spark: SparkSession, tmp_path: Path, turns: bool) -> None:
    with plain(spark):
        spark.range(5000).selectExpr("id", "id % 5 as k").write.csv(str(tmp_path / "csv"), header=True)
    rows, observation = observed(spark.read.csv(str(tmp_path / "csv"), header=True, schema="id bigint, k bigint"))
    level = StorageLevel.MEMORY_ONLY if turns else StorageLevel.MEMORY_AND_DISK
    other = spark.range(5).selectExpr("id as k", "id * 10 as v").persist(level)
    try:
        joined = other.join(rows, "k").groupBy("v").count()
        joined.write.json(str(tmp_path / "json"))
        assert observation.get == {"n": 5000, "most": 4999}
        assert spark.read.json(str(tmp_path / "json")).agg(F.sum("count")).head()[0] == 5000
    finally:
        other.unpersist()


def test_number_of_a_tasks_partition(spark: SparkSession) -> None:
    """In an island it would be another one: such functions stay Spark's with all that is above them."""
    number = F.udf(lambda _: TaskContext.get().partitionId(), "int")
    source = spark.range(100).repartition(4)
    df = source.select(number("id").alias("p")).groupBy("p").agg(F.count("*").alias("n"))
    assert {row.p for row in df.collect()} == {0, 1, 2, 3}


def test_an_rdd_whose_files_have_gone(spark: SparkSession, tmp_path: Path) -> None:
    """The engine's query is opened again when a later job reads its RDD; what fails then names the file."""
    with plain(spark):
        spark.range(1000).write.parquet(str(tmp_path / "t"))
    rdd = spark.read.parquet(str(tmp_path / "t")).where("id > 1").rdd
    assert rdd.count() == 998
    for path in (tmp_path / "t").glob("*.parquet"):
        path.unlink()
    spark.catalog.clearCache()

    def fails() -> str:
        try:
            rdd.count()
        except Exception as error:
            return str(error)
        return ""

    deadline = time.monotonic() + 20  # the query rests when nobody has read for a while
    while not fails() and time.monotonic() < deadline:
        time.sleep(0.5)
    assert re.search(r"SparkException: .*can't open file:.*parquet", fails())
